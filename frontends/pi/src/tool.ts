/** Registers `ask_user` in the contract, exposure and state that the settings ask for. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Settings } from "./askd.d.ts";
import { type Face, faceOf } from "./contracts.ts";
import { TOOL } from "./entries.ts";
import { execute } from "./execute.ts";
import { renderCall, renderResult } from "./render.ts";
import type { Result } from "./result.ts";
import type { Session } from "./session.ts";

/** Registers the tool for this session; gives the name of another package that already has it, if one does. */
export function registerTool(session: Session, ctx: ExtensionContext, settings: Settings["tool"]): string | undefined {
  const { pi } = session;
  if (!settings.enabled) return undefined;
  // Registered at the session's start and not while loading, so that a second package with this tool is no reason for Pi to stop.
  const other = pi.getAllTools().find((tool) => tool.name === TOOL);
  if (other) return other.sourceInfo.source ?? other.sourceInfo.path;
  const { contract } = settings;
  pi.registerTool({
    ...(faceOf(contract) as Face & { parameters: never; outputSchema?: never; prepareArguments?: never }),
    name: TOOL,
    label: "Ask the user",
    // Two forms at once would cover each other.
    executionMode: "sequential",
    execute: (toolCallId, params, signal, _onUpdate, toolCtx) => execute(session, { toolCallId, contract, params }, signal, toolCtx),
    renderCall,
    renderResult: (result, options, theme) => renderResult(result as Result, options, theme),
  });
  if (settings.expose === "tui" && ctx.mode !== "tui") pi.setActiveTools(pi.getActiveTools().filter((name) => name !== TOOL));
  return undefined;
}
