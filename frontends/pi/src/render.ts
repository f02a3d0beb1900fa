/** How calls and results of the tool look in Pi's transcript: the daemon's own lines, coloured by their mark. */

import type { Theme, ToolRenderResultOptions } from "@earendil-works/pi-coding-agent";
import { type Component, Text } from "@earendil-works/pi-tui";
import { textOf, TOOL } from "./entries.ts";
import type { Result } from "./result.ts";
import { cut, lines, oneLine } from "./text.ts";

const LABEL_LENGTH = 40;

export function renderCall(args: unknown, theme: Theme): Component {
  const questions = (args as { questions?: unknown } | undefined)?.questions;
  const labels = Array.isArray(questions) ? questions.map(labelOf) : [];
  const count = `${labels.length} question${labels.length === 1 ? "" : "s"}`;
  const about = labels.length === 0 ? "" : theme.fg("muted", ` ${count} (${labels.join(", ")})`);
  return new Text(theme.fg("toolTitle", theme.bold(TOOL)) + about, 0, 0);
}

function labelOf(question: unknown, index: number): string {
  const label = (question as { label?: unknown } | null)?.label;
  return (typeof label === "string" && cut(oneLine(label), LABEL_LENGTH)) || `Q${index + 1}`;
}

export function renderResult(result: Result, _options: ToolRenderResultOptions, theme: Theme): Component {
  const kept = result.details?.transcript;
  // Results of earlier extensions have no transcript; what the agent read stands for it.
  const entries = Array.isArray(kept) && kept.every((line) => typeof line === "string") ? kept : [textOf(result.content)];
  return new Text(entries.flatMap(lines).map((line) => coloured(line, theme)).join("\n"), 0, 0);
}

function coloured(line: string, theme: Theme): string {
  if (line.startsWith("✓ ")) return theme.fg("success", "✓") + theme.fg("toolOutput", line.slice(1));
  if (line.startsWith("? ")) return theme.fg("warning", line);
  return theme.fg(line.startsWith(" ") ? "muted" : "toolOutput", line);
}
