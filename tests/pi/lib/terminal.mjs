// Pi in a real terminal: tmux holds the pseudo-terminal and says what the person would see.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION, NODE, PI } from "./sandbox.mjs";
import { until } from "./until.mjs";

// A server that was killed lets go of its socket only some time later, so each has one of its own.
let count = 0;

export class Terminal {
  constructor(world, { columns = 80, rows = 24, mode = "fullscreen", args = [], extensions = [EXTENSION], env = {} } = {}) {
    this.world = world;
    this.server = join(world.dir, `tmux${++count}.sock`);
    const all = { ...world.env, ...env };
    const assignments = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    const words = ["exec", "env", "-i", ...assignments, "TERM=tmux-256color", "COLORTERM=truecolor", NODE, PI, "--tui-mode", mode, ...extensions.flatMap((each) => ["-e", each]), ...args];
    const command = words.map((word) => (/^[\w./=:@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
    const config = world.write("tmux.conf", "set -g extended-keys on\nset -g escape-time 0\nset -g remain-on-exit on\nset -g status off\nset -g focus-events on\n");
    execFileSync("tmux", ["-S", this.server, "-f", config, "new-session", "-d", "-s", "pi", "-x", String(columns), "-y", String(rows), "-c", world.cwd, command], { env: all });
    world.ownTerminal(this);
    this.pid = Number(this.#tmuxSync("display-message", "-p", "-t", "pi", "#{pane_pid}"));
  }

  #tmuxSync(...args) {
    return execFileSync("tmux", ["-S", this.server, ...args], { encoding: "utf8", env: this.world.env }).trimEnd();
  }

  #tmux(...args) {
    return new Promise((done, fail) => {
      execFile("tmux", ["-S", this.server, ...args], { encoding: "utf8", env: this.world.env }, (error, stdout) => (error ? fail(error) : done(stdout)));
    });
  }

  screen() {
    return this.#tmux("capture-pane", "-p", "-t", "pi");
  }

  /** The screen with its colours. */
  colours() {
    return this.#tmux("capture-pane", "-e", "-p", "-t", "pi");
  }

  /** Copies what Pi writes from now on to a file. */
  async record() {
    const file = join(this.world.dir, "written");
    await this.#tmux("pipe-pane", "-t", "pi", `cat > '${file}'`);
    return () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  }

  /** Waits until the screen shows all of these. */
  async shows(...parts) {
    let last = "";
    try {
      return await until(parts.join(", "), async () => {
        last = await this.screen();
        return parts.every((part) => (part instanceof RegExp ? part.test(last) : last.includes(part))) ? last : undefined;
      });
    } catch (error) {
      throw new Error(`${error.message}; the screen shows:\n${last}`);
    }
  }

  async hides(part) {
    let last = "";
    return until(`${part} to leave the screen\n${last}`, async () => {
      last = await this.screen();
      return part instanceof RegExp ? !part.test(last) : !last.includes(part);
    });
  }

  type(text) {
    return this.#tmux("send-keys", "-t", "pi", "-l", text);
  }

  async press(...keys) {
    for (const key of keys) await this.#tmux("send-keys", "-t", "pi", key);
  }

  async paste(text) {
    await this.#tmux("set-buffer", "-b", "p", text);
    await this.#tmux("paste-buffer", "-p", "-b", "p", "-t", "pi");
  }

  resize(columns, rows) {
    return this.#tmux("resize-window", "-t", "pi", "-x", String(columns), "-y", String(rows));
  }

  /** Pi is ready when its prompt is on the screen. */
  ready() {
    return this.shows("mock-1");
  }

  async prompt(text = "go") {
    await this.ready();
    await this.type(text);
    await this.shows(text);
    await this.press("Enter");
  }

  alive() {
    try {
      process.kill(this.pid, 0);
      return this.#tmuxSync("display-message", "-p", "-t", "pi", "#{pane_dead}") !== "1";
    } catch {
      return false;
    }
  }

  signal(name) {
    process.kill(this.pid, name);
  }

  /** Milliseconds until Pi has ended. */
  async ended(deadline) {
    const start = Date.now();
    let last = "";
    try {
      await until("Pi to end", async () => !this.alive() || void (last = await this.screen().catch(() => last)), deadline);
    } catch (error) {
      throw new Error(`${error.message}; the screen shows:\n${last}`);
    }
    return Date.now() - start;
  }

  kill() {
    try {
      execFileSync("tmux", ["-S", this.server, "kill-server"], { stdio: "ignore" });
    } catch {
      // It has ended already.
    }
  }
}
