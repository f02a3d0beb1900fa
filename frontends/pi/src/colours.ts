/** Pi's theme in the words of the hosted frontend (docs/protocol.md §9, `theme`). */

import type { Theme } from "@earendil-works/pi-coding-agent";

const NAMES = ["accent", "muted", "warning", "success", "error"] as const;
const RGB = /\u001b\[(?:\d+;)*?38;2;(\d+);(\d+);(\d+)m/;
const INDEXED = /\u001b\[(?:\d+;)*?38;5;(\d+)m/;
const BASIC = /\u001b\[(3[0-7]|9[0-7])m/;

/** Colours exactly as Pi would write them; one that is the terminal's own default is left out. */
export function themeColours(theme: Pick<Theme, "getFgAnsi">): Record<string, string | number> {
  const colours: Record<string, string | number> = {};
  for (const name of NAMES) {
    const colour = fromSequence(theme.getFgAnsi(name));
    if (colour !== undefined) colours[name] = colour;
  }
  return colours;
}

function fromSequence(sequence: string): string | number | undefined {
  const rgb = RGB.exec(sequence);
  if (rgb) return `#${rgb.slice(1).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  const indexed = INDEXED.exec(sequence);
  if (indexed) return Number(indexed[1]);
  const basic = BASIC.exec(sequence);
  if (!basic) return undefined;
  const code = Number(basic[1]);
  return code >= 90 ? code - 82 : code - 30;
}
