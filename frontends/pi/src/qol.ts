/** The questionnaire's own files, read in place, and its `/qol` command (questionnaire reference, Configuration). */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAgentDir } from "@earendil-works/pi-coding-agent";
import type { SettingsState } from "./askd.d.ts";
import type { Session } from "./session.ts";

const FEATURE = "ask-questions";
const USAGE = `Usage: /qol on ${FEATURE}, or /qol off ${FEATURE}.`;

const exposureFile = () => join(getAgentDir(), "pi-qol", "ask-questions.json");
const switchFile = () => join(getAgentDir(), "pi-qol", "qol.json");

/** The tool's settings; what our own file leaves open under the questionnaire, its files decide. */
export function toolSettings(state: SettingsState): SettingsState["settings"]["tool"] {
  const { tool } = state.settings;
  if (tool.contract !== "questionnaire") return tool;
  const open = (key: string) => (state.sources[key] ?? "default") === "default";
  const { expose } = read(exposureFile());
  const enabled = read(switchFile())[FEATURE];
  return {
    ...tool,
    ...(open("tool.expose") && (expose === "all" || expose === "tui") && { expose }),
    ...(open("tool.enabled") && typeof enabled === "boolean" && { enabled }),
  };
}

/** Registers `/qol`, unless another package owns that command. */
export function registerQol(session: Session, state: SettingsState): void {
  const { pi } = session;
  if (state.settings.tool.contract !== "questionnaire") return;
  if (pi.getCommands().some((command) => command.name === "qol" || command.name.startsWith("qol:"))) return;
  pi.registerCommand("qol", {
    description: "Turn the questionnaire on or off: /qol on|off ask-questions",
    getArgumentCompletions: (prefix) =>
      [`on ${FEATURE}`, `off ${FEATURE}`].filter((each) => each.startsWith(prefix)).map((value) => ({ value, label: value })),
    handler: async (args, ctx) => {
      const [verb, feature, ...rest] = args.trim().split(/\s+/);
      if ((verb !== "on" && verb !== "off") || feature !== FEATURE || rest.length > 0) return ctx.ui.notify(USAGE, "warning");
      const file = switchFile();
      try {
        write(file, { ...read(file, true), [FEATURE]: verb === "on" });
      } catch (error) {
        return ctx.ui.notify(`Not saved: ${file}: ${(error as Error).message}. Mend the file by hand.`, "error");
      }
      const source = state.sources["tool.enabled"] ?? "default";
      const decided = source === "default" ? "It applies from the next session or /reload." : `tool.enabled in ${state.file} is set and decides, so nothing changes until it is removed there.`;
      ctx.ui.notify(`${FEATURE} is ${verb} in ${file}. ${decided}`, source === "default" ? "info" : "warning");
    },
  });
}

function read(file: string, strict = false): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error("it is no JSON object");
  } catch (error) {
    if (strict && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return {};
  }
}

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(next, file);
}
