/**
 * Results on their way into the session's log, exactly once (docs/protocol.md §3, Delivery).
 *
 * A form is acknowledged only after the log holds its result. A tool result is written by Pi; a result without
 * a waiting call goes as a user message, announced by an entry that a later start can compare with the log.
 */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { DELIVERY, DISMISSED, isNested, isRecorded, readLog } from "./entries.ts";
import type { Link } from "./link.ts";

export class Deliveries {
  #pi: ExtensionAPI;
  #link: Link;
  #underway = new Set<string>();

  constructor(pi: ExtensionAPI, link: Link) {
    this.#pi = pi;
    this.#link = link;
  }

  /** The form's result was returned from the tool; Pi writes it. */
  returned(formId: string): void {
    this.#underway.add(formId);
  }

  /** Sends a result as the user's message: into the running turn, or as a new one. */
  send(formId: string, text: string, toolCallId?: string): void {
    this.#pi.appendEntry(DELIVERY, { formId, text });
    if (toolCallId) this.dismiss(toolCallId, formId);
    this.resend(formId, text);
  }

  /** The same for a delivery that a crash cut off after its announcement. */
  resend(formId: string, text: string): void {
    this.#underway.add(formId);
    this.#pi.sendUserMessage(text, { deliverAs: "steer" });
  }

  /** Keeps an interrupted call from opening again. */
  dismiss(toolCallId: string, formId: string | undefined): void {
    this.#pi.appendEntry(DISMISSED, { toolCallId, ...(formId && { formId }) });
  }

  /**
   * Acknowledges what the log holds by now. Once the run has `settled`, also results of calls that other tools made:
   * those never stand in the log by themselves.
   */
  sweep(ctx: ExtensionContext, settled: boolean): void {
    if (this.#underway.size === 0) return;
    const log = readLog(ctx.sessionManager.getBranch());
    for (const formId of this.#underway) {
      if (!isRecorded(log, formId) && !(settled && isNested(log, formId))) continue;
      this.#underway.delete(formId);
      this.acknowledge(formId);
    }
  }

  /** An acknowledgement that does not get through is made up for at the next session start. */
  acknowledge(formId: string): void {
    this.#link.call("form/ack", { formId }).catch(() => {});
  }
}
