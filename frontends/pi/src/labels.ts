/**
 * Labels derived from values before Pi checks the schema (ask contract, Input rules).
 *
 * The daemon derives them too, for every caller. Pi would refuse a call without labels before the daemon
 * could see it, so this one rule stands here as well; both are tested with the same cases.
 */

const BLANK = /^[\p{White_Space}]*$/u;
const TRIM = /^[\p{White_Space}]+|[\p{White_Space}]+$/gu;

/** The arguments with derived labels; whatever is not shaped like the tool's parameters is left as it is. */
export function deriveLabels(args: unknown): unknown {
  if (!isRecord(args) || !Array.isArray(args.questions)) return args;
  return { ...args, questions: args.questions.map(inQuestion) };
}

function inQuestion(question: unknown): unknown {
  if (!isRecord(question) || !Array.isArray(question.options)) return question;
  return { ...question, options: question.options.map(inOption) };
}

function inOption(option: unknown): unknown {
  if (!isRecord(option) || typeof option.value !== "string") return option;
  const missing = option.label === undefined || (typeof option.label === "string" && BLANK.test(option.label));
  if (!missing) return option;
  const words = option.value.replace(/[-_\p{White_Space}]+/gu, " ").replace(TRIM, "");
  if (words === "") return option;
  const [first = "", ...rest] = words;
  return { ...option, label: first.toUpperCase() + rest.join("") };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
