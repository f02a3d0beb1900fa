/** The lasting tie to the daemon: started through `ask` when nobody listens, connected again when it is lost. */

import { spawn } from "node:child_process";
import type { Event, Methods, WaitResult } from "./askd.d.ts";
import { type Env, findAsk, socketCandidates } from "./place.ts";
import { Connection, ConnectionLost, Incomplete, RpcError } from "./rpc.ts";

const START_MS = 10_000;
const WAIT_MS = 240_000;
const RETRY_MS = [50, 100, 200, 500, 1_000, 2_000];
/** How long an ordinary call goes on trying; a wait goes on for as long as somebody wants its answer. */
const CALL_TRIES = 6;

/** askd cannot be reached. The message says why and what to do. */
export class Unavailable extends Error {}

export type Resolved = Extract<WaitResult, { state: "resolved" }>;

export class Link {
  onEvent: (event: Event) => void = () => {};
  #env: Env;
  #client: { name: string; version: string };
  #opening: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #seen: { seq: number } | undefined;
  #store: string | undefined;
  #closed = new AbortController();

  constructor(env: Env, client: { name: string; version: string }) {
    this.#env = env;
    this.#client = client;
  }

  /** The program `ask`, looked for each time: it may be installed while Pi runs. */
  get ask(): string | undefined {
    return findAsk(this.#env);
  }

  /** The socket in use, for hosted frontends; the same daemon even where the environments differ. */
  get socket(): string | undefined {
    return this.#connection?.path;
  }

  /** Lets go of the connection. What is in flight fails; nothing is called afterwards. */
  close(): void {
    this.#closed.abort();
    this.#connection?.close();
  }

  async connect(): Promise<Connection> {
    if (this.#closed.signal.aborted) throw new Unavailable("this session of Pi has ended");
    if (this.#connection) return this.#connection;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Calls, over a new connection if the old one breaks. Only for calls that may safely arrive twice. */
  async call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    return this.#calling(method, params, CALL_TRIES, this.#closed.signal);
  }

  /** Waits until the form is resolved, through restarts of the daemon, for as long as `signal` lets it. */
  async wait(formId: string, signal: AbortSignal): Promise<Resolved> {
    const both = AbortSignal.any([signal, this.#closed.signal]);
    for (;;) {
      const result = await this.#calling("form/wait", { formId, timeoutMs: WAIT_MS }, Number.POSITIVE_INFINITY, both);
      if (result.state === "resolved") return result;
    }
  }

  async #calling<M extends keyof Methods>(method: M, params: Methods[M]["params"], tries: number, signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        const connection = await this.connect();
        return await orAborted(connection.call(method, params), signal);
      } catch (error) {
        const passing = error instanceof ConnectionLost || (error instanceof RpcError && error.kind === "shuttingDown");
        const patient = tries === Number.POSITIVE_INFINITY && error instanceof Unavailable;
        if (!(passing || patient) || attempt >= tries) throw error;
      }
      await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1] ?? 0, signal);
    }
  }

  async #open(): Promise<Connection> {
    const connection = (await this.#reach()) ?? (await this.#start());
    if (this.#closed.signal.aborted) {
      connection.close();
      throw new Unavailable("this session of Pi has ended");
    }
    connection.onEvent = (event) => {
      this.#seen = { seq: event.seq };
      this.onEvent(event);
    };
    const since = this.#seen && this.#store === connection.store ? { since: this.#seen.seq, store: connection.store } : {};
    this.#store = connection.store;
    await connection.subscribe({ kinds: ["started", "completed"], ...since });
    this.#connection = connection;
    void connection.closed.then(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }

  async #reach(): Promise<Connection | undefined> {
    for (const path of socketCandidates(this.#env)) {
      try {
        return await Connection.open(path, this.#client);
      } catch (error) {
        if (error instanceof Incomplete) throw new Unavailable(error.message);
        if (error instanceof RpcError) throw new Unavailable(`askd refused the connection: ${error.message}`);
      }
    }
    return undefined;
  }

  async #start(): Promise<Connection> {
    const { ask } = this;
    if (!ask) throw new Unavailable(notInstalled(this.#env));
    const complaint = await runToEnd(ask, ["list", "--json"]);
    const connection = await this.#reach();
    if (connection) return connection;
    throw new Unavailable(
      `askd did not start: ${complaint || "`ask list` ended, but nobody listens on its socket"}. Run \`ask doctor\` in a terminal; it says what is wrong.`,
    );
  }
}

function notInstalled(env: Env): string {
  const why = env.ASKD_BIN ? `ASKD_BIN names ${env.ASKD_BIN}, which is no program` : "no `ask` is on PATH and ASKD_BIN is not set";
  return `the program \`ask\` was not found: ${why}. Install askd (see its README), or set ASKD_BIN to the path of \`ask\`, and start Pi again.`;
}

/** Runs a program and gives the first line it complained with, or nothing. */
function runToEnd(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], timeout: START_MS });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(0, 2_000)));
    child.once("error", (error) => resolve(error.message));
    // `exit`, not `close`: the daemon it starts may keep the pipe open.
    child.once("exit", (code) => {
      child.stderr.destroy();
      resolve(code === 0 ? "" : (complaint.split("\n", 1)[0] ?? ""));
    });
  });
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms).unref();
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
