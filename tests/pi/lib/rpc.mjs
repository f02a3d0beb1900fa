// Pi in RPC mode: records by line, commands in, waiting by condition.
import { spawn } from "node:child_process";
import { EXTENSION, NODE, PI } from "./sandbox.mjs";
import { until } from "./until.mjs";

export class Rpc {
  records = [];
  stderr = "";
  /** Called with each record as it arrives. */
  onRecord = () => {};
  #rest = "";
  #read = 0;
  #id = 0;

  constructor(world, { args = ["--no-session"], extensions = [EXTENSION], env = {} } = {}) {
    this.child = world.own(
      spawn(NODE, [PI, "--mode", "rpc", ...args, ...extensions.flatMap((each) => ["-e", each])], { env: { ...world.env, ...env }, cwd: world.cwd }),
    );
    this.exited = new Promise((done) => this.child.once("exit", (code, signal) => done({ code, signal })));
    this.child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const record = JSON.parse(line);
        this.records.push(record);
        this.onRecord(record);
      }
    });
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.stderr += text));
  }

  send(command) {
    const id = `c${++this.#id}`;
    this.child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    return id;
  }

  prompt(message = "go") {
    return this.send({ type: "prompt", message });
  }

  /** The next record that fits, after the last one this gave. */
  async next(what, fits) {
    return until(
      `${what}\n${this.stderr}\n${this.records.slice(-6).map((record) => JSON.stringify(record).slice(0, 300)).join("\n")}`,
      () => {
        for (; this.#read < this.records.length; this.#read++) {
          if (fits(this.records[this.#read])) return this.records[this.#read++];
        }
        return undefined;
      },
    );
  }

  dialog(method) {
    return this.next(`a ${method ?? "dialog"}`, (record) => record.type === "extension_ui_request" && (method ? record.method === method : ["select", "input"].includes(record.method)));
  }

  reply(dialog, answer) {
    this.child.stdin.write(`${JSON.stringify({ type: "extension_ui_response", id: dialog.id, ...answer })}\n`);
  }

  toolEnd() {
    return this.next("the tool's end", (record) => record.type === "tool_execution_end");
  }

  settled() {
    return this.next("a settled run", (record) => record.type === "agent_settled");
  }

  async response(id) {
    return until(`the response to ${id}`, () => this.records.find((record) => record.type === "response" && record.id === id));
  }

  notices() {
    return this.records.filter((record) => record.method === "notify").map((record) => record.message);
  }

  async stop() {
    this.child.stdin.end();
    return this.exited;
  }
}
