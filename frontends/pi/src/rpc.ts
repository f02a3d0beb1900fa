/** One connection to the daemon: JSON-RPC 2.0 in WebSocket frames on a Unix socket (docs/protocol.md §1, §8). */

import { connect } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { WebSocket } from "ws";
import type { Event, InitializeResult, Methods, SubscribeParams } from "./askd.d.ts";
import { isOwnDirectory } from "./place.ts";

/** The daemon pings every 30 s; a connection that hears nothing for this long is dead. */
const SILENCE_MS = 75_000;
const OPEN_MS = 3_000;

/** An error the daemon answered with. Decide by `kind`. */
export class RpcError extends Error {
  readonly kind: string | undefined;
  readonly data: Record<string, unknown>;

  constructor(message: string, data: unknown) {
    super(message);
    this.data = typeof data === "object" && data !== null ? { ...data } : {};
    this.kind = typeof this.data.kind === "string" ? this.data.kind : undefined;
  }
}

/** The connection ended before the call was answered. */
export class ConnectionLost extends Error {}

/** The one dependency is missing, as in a checkout where it was not installed; no other socket would help. */
export class Incomplete extends Error {}

async function webSockets(): Promise<typeof WebSocket> {
  try {
    return (await import("ws")).WebSocket;
  } catch {
    const directory = dirname(dirname(fileURLToPath(import.meta.url)));
    throw new Incomplete(`the package \`ws\` is not installed. Run \`npm install --omit=peer\` in ${directory} and start Pi again.`);
  }
}

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

export class Connection {
  /** The socket this connection uses, handed on to hosted frontends. */
  readonly path: string;
  readonly closed: Promise<void>;
  /** The database's name, told on connecting. */
  store = "";
  onEvent: (event: Event) => void = () => {};
  /** Set from the settings; larger requests are refused here because the daemon could not name them. */
  maxMessageBytes = 2 * 1024 * 1024;
  #socket: WebSocket;
  #calls = new Map<number, Pending>();
  #nextId = 1;
  #silence: NodeJS.Timeout | undefined;

  private constructor(path: string, socket: WebSocket) {
    this.path = path;
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(String(data)));
    socket.on("ping", () => this.#alive());
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    void this.closed.then(() => {
      clearTimeout(this.#silence);
      for (const call of this.#calls.values()) call.reject(new ConnectionLost("the connection to askd ended"));
      this.#calls.clear();
    });
    this.#alive();
  }

  /** Connects and introduces itself as an agent. */
  static async open(path: string, client: { name: string; version: string }): Promise<Connection> {
    if (!isOwnDirectory(dirname(path))) throw new Error(`${dirname(path)} is missing, or not only yours to write to`);
    const WebSocket = await webSockets();
    const socket = new WebSocket("ws://localhost/", {
      createConnection: () => connect(path),
      handshakeTimeout: OPEN_MS,
      perMessageDeflate: false,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    socket.on("error", () => {});
    const connection = new Connection(path, socket);
    const hello: InitializeResult = await connection.call("initialize", { client, roles: ["agent"], protocol: 1 });
    if (hello.server.name !== "askd") throw new Error(`${path} is served by ${hello.server.name}, not by askd`);
    connection.store = hello.store;
    return connection;
  }

  call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    return this.#request(method, params) as Promise<Methods[M]["result"]>;
  }

  async subscribe(params: SubscribeParams): Promise<void> {
    await this.#request("events/subscribe", params);
  }

  close(): void {
    this.#socket.terminate();
  }

  #request(method: string, params: unknown): Promise<unknown> {
    if (this.#socket.readyState !== this.#socket.OPEN) {
      return Promise.reject(new ConnectionLost("the connection to askd has ended"));
    }
    const id = this.#nextId++;
    const message = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const bytes = Buffer.byteLength(message);
    if (bytes > this.maxMessageBytes) {
      const text = `The request is ${bytes} bytes and askd takes at most ${this.maxMessageBytes}. Ask with shorter texts.`;
      return Promise.reject(new RpcError(text, { kind: "overloaded", limit: "messageBytes" }));
    }
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#socket.send(message);
    });
  }

  #receive(text: string): void {
    this.#alive();
    const message = JSON.parse(text);
    if (message.method === "events/event") {
      this.onEvent(message.params.result);
      return;
    }
    const call = this.#calls.get(message.id);
    if (!call) return;
    this.#calls.delete(message.id);
    if (message.error) call.reject(new RpcError(message.error.message, message.error.data));
    else call.resolve(message.result);
  }

  #alive(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#socket.terminate(), SILENCE_MS).unref();
  }
}
