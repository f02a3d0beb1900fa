// One test's own world: home, agent directory, daemon, scripted model. Nothing outside it is touched.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./until.mjs";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(here, "../..");
export const EXTENSION = join(root, "frontends/pi");
export const PI = join(here, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");
export const NODE = process.execPath;
export const ASK = process.env.ASKD_BIN;

const open = new Set();
// A run that is cut off must not leave daemons and terminals behind.
process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => open.forEach((world) => world.kill()));

export class Sandbox {
  #processes = new Set();
  #terminals = new Set();

  constructor() {
    open.add(this);
    this.dir = mkdtempSync(join(tmpdir(), "askpi-"));
    for (const name of ["home", "agent", "run", "state", "config/askd", "work", "bin"]) mkdirSync(join(this.dir, name), { recursive: true, mode: 0o700 });
    this.env = {
      HOME: join(this.dir, "home"),
      PATH: `${dirname(NODE)}:/usr/local/bin:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PI_CODING_AGENT_DIR: join(this.dir, "agent"),
      PI_OFFLINE: "1",
      PI_SKIP_VERSION_CHECK: "1",
      PI_TELEMETRY: "0",
      XDG_RUNTIME_DIR: join(this.dir, "run"),
      XDG_STATE_HOME: join(this.dir, "state"),
      XDG_CONFIG_HOME: join(this.dir, "config"),
      ASKD_BIN: ASK,
    };
    this.cwd = join(this.dir, "work");
  }

  /** Starts the scripted model and points Pi at it. */
  async start(turns) {
    const script = join(this.dir, "turns.json");
    const portFile = join(this.dir, "port");
    this.requestLog = join(this.dir, "requests.jsonl");
    writeFileSync(script, JSON.stringify(turns));
    this.own(spawn(NODE, [join(here, "mock-llm.mjs"), "--script", script, "--port-file", portFile, "--log", this.requestLog], { stdio: "ignore" }));
    this.port = await until("the scripted model's port", () => existsSync(portFile) && readFileSync(portFile, "utf8"));
    const model = (id) => ({ id, name: id, input: ["text"], contextWindow: 200000, maxTokens: 8192, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } });
    const provider = { name: "Mock", baseUrl: `http://127.0.0.1:${this.port}/v1`, api: "openai-completions", apiKey: "sk-mock", models: [model("mock-1"), model("mock-2")] };
    this.write("agent/models.json", { providers: { mock: provider } });
    this.write("agent/settings.json", { defaultProvider: "mock", defaultModel: "mock-1", quietStartup: true, ...this.piSettings });
    return this;
  }

  write(path, value) {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
    return file;
  }

  /** Settings of askd, before the daemon starts. */
  settings(value) {
    this.write("config/askd/config.json", { schemaVersion: 5, ...value });
    return this;
  }

  /** Replaces the model's script. */
  async script(turns) {
    await fetch(`http://127.0.0.1:${this.port}/__reset`, { method: "POST", body: JSON.stringify({ script: turns }) });
  }

  /** Everything the model was asked, oldest first. */
  requests() {
    if (!existsSync(this.requestLog)) return [];
    return readFileSync(this.requestLog, "utf8").trim().split("\n").filter(Boolean).map(JSON.parse).filter((line) => line.body).map((line) => line.body);
  }

  /** What the model was told a tool call gave. */
  toolTexts(request = this.requests().at(-1)) {
    return request.messages.filter((message) => message.role === "tool").map((message) => textOf(message.content));
  }

  userTexts(request = this.requests().at(-1)) {
    return request.messages.filter((message) => message.role === "user").map((message) => textOf(message.content));
  }

  /** Runs `ask`; gives its exit status and both outputs. */
  ask(...args) {
    return new Promise((done) => {
      execFile(ASK, args, { env: { ...this.env, ...this.askEnv }, cwd: this.cwd }, (error, stdout, stderr) => done({ code: error ? error.code : 0, stdout, stderr }));
    });
  }

  async askJson(...args) {
    const { code, stdout, stderr } = await this.ask(...args, "--json");
    if (code !== 0) throw new Error(`ask ${args.join(" ")}: ${code}: ${stderr}`);
    return stdout.trim().split("\n").filter(Boolean).map(JSON.parse);
  }

  openForms() {
    return this.askJson("list");
  }

  /** Waits for the first open form. */
  form() {
    return until("an open form", async () => (await this.openForms())[0]);
  }

  /** The daemon's process; undefined while none has said so. */
  daemonPid() {
    try {
      return JSON.parse(readFileSync(join(this.dir, "state/askd/daemon.lock"), "utf8")).pid;
    } catch {
      return undefined;
    }
  }

  /** Kills the daemon without a warning and waits until a client has started the next. */
  async killDaemon() {
    const before = this.daemonPid();
    process.kill(before, "SIGKILL");
    await until("a new daemon", () => ![before, undefined].includes(this.daemonPid()));
    await until("the forms again", async () => (await this.openForms()).length > 0);
  }

  /** The entries of the only session in the sandbox, as Pi wrote them. */
  log() {
    const files = this.sessionFiles();
    if (files.length === 0) return [];
    return readFileSync(files.at(-1), "utf8").trim().split("\n").map(JSON.parse);
  }

  sessionFiles() {
    const dir = join(this.dir, "agent/sessions");
    return existsSync(dir) ? readdirSync(dir, { recursive: true }).filter((name) => name.endsWith(".jsonl")).map((name) => join(dir, name)).sort() : [];
  }

  custom(type) {
    return this.log().filter((entry) => entry.type === "custom" && entry.customType === type);
  }

  toolResults() {
    return this.log().filter((entry) => entry.message?.role === "toolResult").map((entry) => entry.message);
  }

  userMessages() {
    return this.log().filter((entry) => entry.message?.role === "user").map((entry) => textOf(entry.message.content));
  }

  /** Processes started by this world whose command line names the hosted frontends. */
  frontends() {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--host") && readFileSync(`/proc/${pid}/environ`, "utf8").includes(this.env.XDG_STATE_HOME);
      } catch {
        return false;
      }
    });
  }

  own(child) {
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    return child;
  }

  ownTerminal(terminal) {
    this.#terminals.add(terminal);
  }

  /** Ends everything this world started. */
  kill() {
    for (const terminal of this.#terminals) terminal.kill();
    for (const child of this.#processes) child.kill("SIGKILL");
    const daemon = this.daemonPid();
    try {
      if (daemon) process.kill(daemon, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }

  async close() {
    this.kill();
    open.delete(this);
    // What was killed may write its last file while the directory is being removed.
    await until("the sandbox to be removed", () => {
      try {
        rmSync(this.dir, { recursive: true, force: true });
        return true;
      } catch {
        return false;
      }
    });
  }
}

/** A sandbox for the length of a test. */
export async function sandbox(t, turns, { settings, piSettings, env, files } = {}) {
  const world = new Sandbox();
  t.after(() => world.close());
  // Tests type as soon as they see the form; one test has the delay that protects a person from that.
  world.settings({ ...settings, frontends: { armingDelayMs: 0, ...settings?.frontends } });
  world.piSettings = piSettings;
  Object.assign(world.env, env);
  for (const [path, value] of Object.entries(files ?? {})) world.write(path, value);
  return world.start(turns);
}

function textOf(content) {
  return typeof content === "string" ? content : content.filter((part) => part.type === "text").map((part) => part.text).join("\n");
}
