/** A frontend run as a child: JSON-RPC lines on its stdin and stdout, and no child left behind (docs/protocol.md §9). */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** How long a frontend may take to end after its stdin was closed. */
const GRACE_MS = 300;
const STDERR_BYTES = 2_000;

/** How a frontend ended: its own word, or `failed` when it died without one. */
export type Closed = { reason: string; message?: string };
export type Message = { id?: string | number; method?: string; params?: unknown };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const running = new Set<Child>();
const endAll = () => {
  for (const child of running) child.kill("SIGKILL");
};

export class Hosted {
  /** Settles once, when the frontend said how it closed or ended without saying so. */
  readonly closed: Promise<Closed>;
  readonly exited: Promise<void>;
  /** Called with every message but the last. */
  onMessage: (message: Message) => void = () => {};
  #child: Child;
  #rest = "";
  #stderr = "";

  constructor(program: string, args: readonly string[]) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    if (running.size === 0) process.on("exit", endAll);
    running.add(child);
    // A frontend that is gone answers nothing; writing to it must not end Pi.
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_BYTES);
    });
    this.exited = new Promise((resolve) => {
      child.once("error", () => resolve());
      child.once("close", () => resolve());
    });
    void this.exited.then(() => {
      running.delete(child);
      if (running.size === 0) process.off("exit", endAll);
    });
    this.closed = new Promise((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        for (const message of this.#split(text)) {
          if (message.method === "closed") resolve(message.params as Closed);
          else this.onMessage(message);
        }
      });
      child.once("error", (error) => resolve({ reason: "failed", message: error.message }));
      child.once("close", () => resolve({ reason: "failed", message: lastLine(this.#stderr) }));
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  respond(id: string | number, result: unknown): void {
    this.#send({ jsonrpc: "2.0", id, result });
  }

  /** Closes its stdin, which ends it and leaves the form as it is; kills it when it does not heed that. */
  end(): void {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), GRACE_MS);
    void this.exited.then(() => clearTimeout(timer));
  }

  #send(message: object): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #split(text: string): Message[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.map(parsed).filter((message) => message !== undefined);
  }
}

/** Anything but a JSON object is skipped: a stray line must not end Pi. */
function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
