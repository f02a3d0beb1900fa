/** The extension: ties Pi's events to one session's state. Nothing is started while Pi loads it. */

import type { ExtensionAPI, ExtensionContext, SessionStartEvent } from "@earendil-works/pi-coding-agent";
import type { SettingsState } from "./askd.d.ts";
import { registerCommands } from "./commands.ts";
import { TOOL } from "./entries.ts";
import { Bridge } from "./events.ts";
import { registerQol, toolSettings } from "./qol.ts";
import { recover } from "./recover.ts";
import { Session } from "./session.ts";
import { registerTool } from "./tool.ts";
import { reasonOf } from "./text.ts";

export default function askd(pi: ExtensionAPI): void {
  const session = new Session(pi);
  let sessionId: string | undefined;
  const bridge = new Bridge(pi, session.link, () => sessionId);
  session.link.onEvent = (event) => {
    if (!session.ended.aborted) bridge.receive(event);
  };
  registerCommands(session);
  bridge.listen();

  pi.on("session_start", async (event, ctx) => {
    sessionId = ctx.sessionManager.getSessionId();
    const state = await settingsOr(session, ctx);
    const tool = state ? toolSettings(state) : DEFAULT_TOOL;
    const other = registerTool(session, ctx, tool);
    if (other) ctx.ui.notify(`ask_user is already registered by ${other}. Remove one of the two packages (\`pi list\`, \`pi remove\`); until then askd leaves the tool to it.`, "warning");
    if (!state) return;
    registerQol(session, state);
    if (ctx.mode === "rpc" && pi.getActiveTools().includes(TOOL)) session.spare.fill();
    takeUp(session, bridge, ctx, event.reason);
  });
  pi.on("turn_end", (_event, ctx) => session.deliveries.sweep(ctx, false));
  pi.on("agent_settled", (event, ctx) => {
    session.deliveries.sweep(ctx, true);
    session.interrupts.settled(event.aborted);
  });
  pi.on("session_shutdown", () => session.shutdown());
}

const DEFAULT_TOOL: SettingsState["settings"]["tool"] = { contract: "ask", expose: "all", enabled: true };

/** Without askd Pi goes on; the tool then says what is missing when it is called. */
async function settingsOr(session: Session, ctx: ExtensionContext): Promise<SettingsState | undefined> {
  try {
    const state = await session.settings();
    for (const notice of state.notices) ctx.ui.notify(notice.text, "warning");
    return state;
  } catch (error) {
    ctx.ui.notify(`askd cannot be used: ${reasonOf(error)}`, "warning");
    return undefined;
  }
}

/** Detached: a form that reopens must not hold up other handlers of the session's start. */
function takeUp(session: Session, bridge: Bridge, ctx: ExtensionContext, reason: SessionStartEvent["reason"]): void {
  setImmediate(() => {
    recover(session, bridge, ctx, reason).catch((error: unknown) => {
      if (!session.ended.aborted) ctx.ui.notify(`An interrupted question could not be taken up again: ${reasonOf(error)}`, "error");
    });
  });
}
