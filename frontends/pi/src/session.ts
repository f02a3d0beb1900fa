/** What lives as long as one session of Pi: the link, the settings, the open screens, the results underway. */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { CreateResult, Reason, SettingsState } from "./askd.d.ts";
import { nameOf } from "./asking.ts";
import { Deliveries } from "./deliveries.ts";
import { Interrupts } from "./interrupts.ts";
import { Link } from "./link.ts";
import { Hosted } from "./hosted.ts";
import { type FormScreen, Screens } from "./screens.ts";
import { Spare } from "./spare.ts";

const CLIENT = { name: "pi-askd", version: "0.1.0" };
/** Pi waits for a shutdown; a daemon that does not answer must not hold it. */
const CLOSING_MS = 300;
const SETTINGS_MS = 3_000;

export class Session {
  readonly pi: ExtensionAPI;
  readonly link: Link;
  readonly screens = new Screens();
  /** For the clients of Pi's RPC. */
  readonly spare = new Spare(() => this.command("dialog", []));
  readonly deliveries: Deliveries;
  readonly interrupts: Interrupts;
  /** Open questionnaires that nobody waits for. */
  readonly background = new Set<string>();
  /** Open forms of commands; like those, they end with the session. */
  readonly commands = new Set<string>();
  #ended = new AbortController();

  constructor(pi: ExtensionAPI, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.pi = pi;
    this.link = new Link(env, CLIENT);
    this.deliveries = new Deliveries(pi, this.link);
    this.interrupts = new Interrupts(pi, (formId, reason) => this.cancel(formId, reason));
  }

  /** Fires when Pi leaves this session; its API must not be touched afterwards. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The settings in force; throws when askd cannot be reached in time. */
  async settings(): Promise<SettingsState> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`askd did not answer within ${SETTINGS_MS / 1000} s`)), SETTINGS_MS).unref();
    });
    const state = await Promise.race([this.link.call("settings/get", {}), late]);
    (await this.link.connect()).maxMessageBytes = state.settings.limits.messageBytes;
    return state;
  }

  /** The command that hosts a frontend, bound to the daemon this session talks to. */
  command(frontend: "tui" | "dialog", args: string[]): { ask: string; args: string[] } {
    const socket = this.link.socket ? ["--socket", this.link.socket] : [];
    // Without a program of that name the frontend fails with the system's own words.
    return { ask: this.link.ask ?? "ask", args: [frontend, "--host", ...args, ...socket] };
  }

  /** The dialog frontend for the form: the one that waits for it, or one of its own. */
  dialog({ formId, viewKey }: CreateResult): { frontend: Hosted; waited: boolean } {
    const spare = this.spare.take();
    if (spare) {
      spare.notify("form", { formId, viewKey });
      return { frontend: spare, waited: true };
    }
    const { ask, args } = this.command("dialog", ["--form", formId]);
    const frontend = new Hosted(ask, args);
    frontend.notify("viewKey", { key: viewKey });
    return { frontend, waited: false };
  }

  open(ctx: ExtensionContext, form: CreateResult): FormScreen {
    return this.screens.open(ctx, { ...this.command("tui", ["--form", form.formId]), viewKey: form.viewKey, message: nameOf(form.form) });
  }

  /** Cancels a form of this session. Its delivery is closed, unless somebody answered first. */
  async cancel(formId: string, reason: Reason): Promise<void> {
    if (await this.withdraw(formId, reason)) this.deliveries.acknowledge(formId);
  }

  /** Cancels a form whose result is still on its way to the log; false when it could not be cancelled. */
  async withdraw(formId: string, reason: Reason): Promise<boolean> {
    return this.link.call("form/cancel", { formId, reason }).then(
      () => true,
      () => false,
    );
  }

  async shutdown(): Promise<void> {
    this.screens.quit();
    this.spare.end();
    const closing = [this.interrupts.shutdown(), ...[...this.background, ...this.commands].map((formId) => this.cancel(formId, "session_closed"))];
    this.#ended.abort(new Error("this session of Pi has ended"));
    await Promise.race([Promise.all(closing), new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref())]);
    this.link.close();
  }
}
