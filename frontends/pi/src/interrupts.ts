/**
 * Abort or quit: which of the two a tool's signal meant.
 *
 * Both look alike while the call runs, so it is decided afterwards: a shutdown that follows means quitting, and the
 * form stays open to be reopened; a run that settles as aborted without one means that the person gave up asking.
 */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Contract } from "./askd.d.ts";
import { INTERRUPTED } from "./entries.ts";

const SHUTDOWN_FOLLOWS_MS = 500;

export type Interrupted = { formId: string; toolCallId: string; contract: Contract };
type Cancel = (formId: string, reason: "aborted" | "session_closed") => Promise<void>;

export class Interrupts {
  #pi: ExtensionAPI;
  #cancel: Cancel;
  #undecided: Interrupted[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(pi: ExtensionAPI, cancel: Cancel) {
    this.#pi = pi;
    this.#cancel = cancel;
  }

  add(interrupted: Interrupted): void {
    this.#undecided.push(interrupted);
  }

  /** The run has settled. */
  settled(aborted: boolean): void {
    if (!aborted || this.#undecided.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const { formId } of this.#undecided.splice(0)) void this.#cancel(formId, "aborted");
    }, SHUTDOWN_FOLLOWS_MS).unref();
  }

  /** The session ends. A questionnaire ends with it; other forms are marked, so that they open again. */
  async shutdown(): Promise<void> {
    clearTimeout(this.#timer);
    const closing: Promise<void>[] = [];
    for (const { formId, toolCallId, contract } of this.#undecided.splice(0)) {
      if (contract === "questionnaire") closing.push(this.#cancel(formId, "session_closed"));
      else this.#pi.appendEntry(INTERRUPTED, { formId, toolCallId });
    }
    await Promise.all(closing);
  }
}
