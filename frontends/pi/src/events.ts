/** The remote contract between extensions of one Pi process (ask contract, Remote inter-extension events). */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Event, JsonValue, SubmitResult } from "./askd.d.ts";
import type { Link } from "./link.ts";
import { AGENT } from "./origin.ts";
import { reasonOf } from "./text.ts";

const CHANNEL = (name: string) => `@geoqiao/pi-ask:${name}`;
/** How long the answer to a submission waits for the event that the form is complete, which bridges expect first. */
const COMPLETED_MS = 2_000;

/** Tells bridges about this session's forms and takes their submissions, which the daemon judges. */
export class Bridge {
  #pi: ExtensionAPI;
  #link: Link;
  #session: () => string | undefined;
  /** This session's forms; events of others are not for bridges in this process. */
  #own = new Set<string>();
  #completed = new Map<string, () => void>();

  constructor(pi: ExtensionAPI, link: Link, session: () => string | undefined) {
    this.#pi = pi;
    this.#link = link;
    this.#session = session;
  }

  /** An event from the daemon. */
  receive(event: Event): void {
    if (event.kind === "started") {
      const { formId, origin } = event.form;
      const mine = origin.agent === AGENT && origin.session === this.#session();
      if (mine) this.#own.add(formId);
      if (this.#own.has(formId)) this.#emit("started", event.remote);
    } else if (event.kind === "completed" && event.formId && this.#own.delete(event.formId)) {
      this.#emit("completed", event.remote);
      this.#completed.get(event.formId)?.();
    }
  }

  /** A form of another session that this one took up again. */
  adopt(formId: string): void {
    this.#own.add(formId);
  }

  listen(): () => void {
    return this.#pi.events.on(CHANNEL("submit"), (data) => void this.#submit(data));
  }

  async #submit(data: unknown): Promise<void> {
    const { flowId } = (data ?? {}) as { flowId?: unknown };
    const known = typeof flowId === "string" && this.#own.has(flowId);
    const completed = known ? this.#completion(flowId) : undefined;
    const result = await this.#judge(data);
    if (result.ok) await completed;
    if (known) this.#completed.delete(flowId);
    this.#emit("submit-result", result);
  }

  #completion(flowId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#completed.set(flowId, resolve);
      setTimeout(resolve, COMPLETED_MS).unref();
    });
  }

  async #judge(data: unknown): Promise<SubmitResult> {
    try {
      // What is no object cannot even be sent; the daemon judges it as one without any field.
      const submission = typeof data === "object" && data !== null && !Array.isArray(data) ? data : {};
      return await this.#link.call("remote/submit", submission as JsonValue);
    } catch (error) {
      // Forms of other programs are as unknown to a bridge here as ones that do not exist.
      const { requestId, flowId } = (data ?? {}) as Record<string, unknown>;
      const name = (value: unknown) => (typeof value === "string" ? value : "");
      return {
        version: 1,
        requestId: name(requestId),
        flowId: name(flowId),
        ok: false,
        error: "flow_not_found",
        message: reasonOf(error),
      };
    }
  }

  #emit(channel: "started" | "completed" | "submit-result", data: unknown): void {
    this.#pi.events.emit(CHANNEL(channel), data);
  }
}
