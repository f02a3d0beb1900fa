/** Who asks and what was said just before, for the person who answers elsewhere. */

import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Origin } from "./askd.d.ts";
import { textOf } from "./entries.ts";
import { cut, oneLine } from "./text.ts";

const TITLE_LENGTH = 80;
const CONTEXT_LENGTH = 8_000;

export const AGENT = "pi";

export function originOf(ctx: ExtensionContext): Origin {
  const { sessionManager } = ctx;
  const branch = sessionManager.getBranch();
  const title = sessionManager.getSessionName() || firstRequest(branch);
  const context = lastSaid(branch);
  return {
    agent: AGENT,
    session: sessionManager.getSessionId(),
    cwd: ctx.cwd,
    ...(title && { title }),
    ...(context && { context }),
  };
}

/** An unnamed conversation is known by how it began. */
function firstRequest(branch: readonly SessionEntry[]): string {
  for (const entry of branch) {
    if (entry.type === "message" && entry.message.role === "user") return cut(oneLine(textOf(entry.message.content)), TITLE_LENGTH);
  }
  return "";
}

/** What the assistant said since the person last spoke; the end of it, where it is long. */
function lastSaid(branch: readonly SessionEntry[]): string {
  for (const entry of branch.toReversed()) {
    if (entry.type !== "message") continue;
    if (entry.message.role === "user") return "";
    const text = entry.message.role === "assistant" ? textOf(entry.message.content).trim() : "";
    if (text) return [...text].slice(-CONTEXT_LENGTH).join("");
  }
  return "";
}
