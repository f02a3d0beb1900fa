/** The daemon's results as Pi's: content and details unchanged, the transcript kept beside them for drawing. */

import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import type { JsonValue, ToolResult } from "./askd.d.ts";

export type Details = Record<string, unknown> & { transcript?: string[] };
export type Result = AgentToolResult<Details>;

export function toPi(result: ToolResult): Result {
  // Pi keeps details with the session, but not structured content; under the questionnaire that is all there is.
  const kept = result.details ?? result.structuredContent;
  const details = isObject(kept) ? kept : {};
  return {
    content: result.content.map(({ text }) => ({ type: "text", text })),
    details: { ...details, transcript: result.transcript },
    ...(result.structuredContent !== undefined && result.structuredContent !== null && { structuredContent: result.structuredContent as never }),
  };
}

/** The text that reaches the agent. */
export function resultText(result: ToolResult): string {
  return result.content.map((part) => part.text).join("\n");
}

/** A call that could not ask; Pi goes on and the agent reads why. */
export function failure(message: string): Result {
  return { content: [{ type: "text", text: message }], details: { cancelled: true, transcript: [message] }, isError: true };
}

/** Withdrawn before anyone answered, with the shape the daemon gave for it beforehand. */
export function withdrawn(shape: ToolResult | undefined): Result {
  const text = "The question was withdrawn before anyone answered. Nothing is decided.";
  return toPi({ ...shape, content: [{ type: "text", text }], transcript: [text] });
}

function isObject(value: JsonValue | null | undefined): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
