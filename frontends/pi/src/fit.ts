/** A hosted frame without the blank rows that only fill it, so that the conversation above stays in sight. */

export type Frame = { columns: number; rows: number; lines: string[]; cursor?: { row: number; column: number } };

const SGR = /\u001b\[[\d;:]*m/g;
const RULE = /^\s*─+\s*$/;

/**
 * Takes out blank rows above the last rule, all but one, and never below `atLeast` rows: a form that has once been
 * taller keeps its height, for nothing should jump while a person reads. Rows up to the cursor stay, they are text.
 */
export function fitted(frame: Frame, atLeast: number): Frame {
  const plain = frame.lines.map((line) => line.replace(SGR, ""));
  const rule = plain.findLastIndex((line) => RULE.test(line));
  if (rule < 0) return frame;
  const { cursor } = frame;
  let first = rule;
  while (first > 0 && plain[first - 1]?.trim() === "" && cursor?.row !== first - 1) first--;
  const spare = Math.min(rule - first - 1, frame.lines.length - atLeast);
  if (spare <= 0) return frame;
  const moved = cursor && cursor.row >= rule ? { ...cursor, row: cursor.row - spare } : cursor;
  return { ...frame, lines: frame.lines.toSpliced(first, spare), ...(moved && { cursor: moved }) };
}
