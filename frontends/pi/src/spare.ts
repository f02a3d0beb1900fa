/** One dialog frontend started beforehand and connected, so that a question does not wait for a process (docs/frontends.md §2). */

import { Hosted } from "./hosted.ts";

export class Spare {
  #command: () => { ask: string; args: string[] };
  #waiting: Hosted | undefined;
  #ended = false;

  constructor(command: () => { ask: string; args: string[] }) {
    this.#command = command;
  }

  /** Starts one in a moment, unless one waits: starting a process holds Pi up, and a result goes first. */
  fill(): void {
    setImmediate(() => {
      if (this.#ended || this.#waiting) return;
      const { ask, args } = this.#command();
      const hosted = new Hosted(ask, args);
      this.#waiting = hosted;
      // Without a daemon it does not last; the next question then starts its own.
      void hosted.closed.then(() => {
        if (this.#waiting === hosted) this.take()?.end();
      });
    });
  }

  /** Hands over the one that waits, if one does. It shows one form and is not used again. */
  take(): Hosted | undefined {
    const hosted = this.#waiting;
    this.#waiting = undefined;
    return hosted;
  }

  end(): void {
    this.#ended = true;
    this.take()?.end();
  }
}
