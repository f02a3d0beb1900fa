/** Where the program `ask` and the daemon's socket are looked for (docs/protocol.md §1). */

import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** The program `ask`: `ASKD_BIN` decides alone when it is set, else the first on PATH. */
export function findAsk(env: Env): string | undefined {
  const given = env.ASKD_BIN;
  if (given) return isProgram(given) ? given : undefined;
  for (const directory of (env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const candidate = join(directory, "ask");
    if (isProgram(candidate)) return candidate;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Sockets worth trying, in the protocol's order; the lock file's last, because only it knows better. */
export function socketCandidates(env: Env): string[] {
  const home = env.HOME || homedir();
  const state = join(absolute(env.XDG_STATE_HOME) ?? join(home, ".local/state"), "askd");
  const runtime = absolute(env.XDG_RUNTIME_DIR);
  const own = env.ASKD_SOCKET || (runtime ? join(runtime, "askd/v1/askd.sock") : join(state, "run/v1/askd.sock"));
  const short = join(tmpdir(), `askd-${userInfo().uid}`, "v1/askd.sock");
  const locked = socketInLock(join(state, "daemon.lock"));
  return [...new Set([own, ...(env.ASKD_SOCKET ? [] : [short]), ...(locked ? [locked] : [])])];
}

function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function socketInLock(file: string): string | undefined {
  try {
    const held = JSON.parse(readFileSync(file, "utf8")) as { socket?: unknown };
    return typeof held.socket === "string" ? held.socket : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a socket's directory is the user's own and closed to others; asked before the first byte is sent. */
export function isOwnDirectory(directory: string): boolean {
  try {
    const { uid, mode } = statSync(directory);
    return uid === userInfo().uid && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}
