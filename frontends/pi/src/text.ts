/** Text for the lines this extension writes itself: agent text made harmless, errors in words. */

// C0 and C1 controls, soft hyphen, zero-width and bidi controls, line separators, variation tricks of the tag block.
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
// Whole escape sequences go, not only their first character: CSI, then OSC, DCS, SOS, PM and APC strings.
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;

/** One line: no control characters, no escape sequences, no bidi controls. */
export function oneLine(text: string): string {
  return text
    .replace(SEQUENCE, "")
    .replace(/\s+/gu, " ")
    .replace(HARMFUL, "")
    .trim();
}

/** The same line by line, indents kept. */
export function lines(text: string): string[] {
  return text
    .replace(SEQUENCE, "")
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.replaceAll("\t", "  ").replace(HARMFUL, ""));
}

/** At most `length` characters, with a mark where something was left out. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** What an error says, for a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A sequence for the terminal around tmux, which keeps it to itself unless it is told to pass it on. */
export const throughTmux = (sequence: string): string => `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
