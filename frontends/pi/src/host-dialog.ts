/** The dialog frontend over Pi's portable `select` and `input` (docs/protocol.md §9, `dialog --host`). */

import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { Closed, Hosted, Message } from "./hosted.ts";

export interface Dialogs {
  readonly closed: Promise<Closed>;
  /** Takes the open dialog away and ends the frontend; the form stays as it is. */
  end(): void;
  /** The asking side gave up: the frontend cancels the form. */
  abort(): void;
}

/** Answers the frontend's requests with Pi's dialogs until it closes or is ended. */
export function hostDialog(ui: Pick<ExtensionUIContext, "select" | "input">, hosted: Hosted): Dialogs {
  const open = new Map<string | number, AbortController>();
  hosted.onMessage = (message) => void receive(message);

  async function receive(message: Message): Promise<void> {
    if (message.method === "close") {
      open.get((message.params as { id: string | number }).id)?.abort();
      return;
    }
    if (message.id === undefined || (message.method !== "select" && message.method !== "input")) return;
    const { id } = message;
    const shown = new AbortController();
    open.set(id, shown);
    const { title, options: rows, placeholder } = message.params as { title: string; options?: string[]; placeholder?: string };
    const value = await (message.method === "select"
      ? ui.select(title, rows ?? [], { signal: shown.signal })
      : ui.input(title, placeholder, { signal: shown.signal }));
    open.delete(id);
    // One that was taken away answers nothing: a dismissal would count as the person's.
    if (!shown.signal.aborted) hosted.respond(id, value === undefined ? { cancelled: true } : { value });
  }

  const dismissAll = () => {
    for (const shown of open.values()) shown.abort();
  };
  void hosted.closed.then(() => {
    dismissAll();
    hosted.end();
  });
  return {
    closed: hosted.closed,
    end() {
      dismissAll();
      hosted.end();
    },
    abort() {
      dismissAll();
      hosted.notify("abort", {});
    },
  };
}
