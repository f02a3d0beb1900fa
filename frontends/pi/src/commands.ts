/** The slash commands: answer a message as a form, ask it again, replay the tool's last form, settings, reopen. */

import { BorderedLoader, type ExtensionCommandContext, type ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Source } from "./askd.d.ts";
import { createForm } from "./asking.ts";
import { type Payload, readLog, textOf } from "./entries.ts";
import { type Extracted, extract, extractionModel } from "./extraction.ts";
import { hostTui } from "./host-tui.ts";
import { resultText } from "./result.ts";
import { RpcError } from "./rpc.ts";
import { REOPEN_COMMAND, REOPEN_KEY } from "./screens.ts";
import type { Session } from "./session.ts";
import { reasonOf } from "./text.ts";

type Handler = (session: Session, ctx: ExtensionCommandContext) => Promise<void>;

const COMMANDS: Record<string, { description: string; run: Handler }> = {
  answer: { description: "Answer the questions of the last assistant message as a form", run: answer },
  "answer:again": { description: "Open the last form made by /answer on this branch again", run: (session, ctx) => again(session, ctx, ["answer"], "answer:again") },
  "ask:replay": { description: "Open the last ask_user form on this branch again", run: (session, ctx) => again(session, ctx, ["tool", "ask:resume"], "ask:replay") },
  "ask-settings": { description: "Settings of the question forms", run: settings },
  [REOPEN_COMMAND]: { description: "Open a question form that was put away", run: async (session, ctx) => reopen(session, ctx) },
};

export function registerCommands(session: Session): void {
  const { pi } = session;
  for (const [name, { description, run }] of Object.entries(COMMANDS)) {
    pi.registerCommand(name, {
      description,
      handler: async (_args, ctx) => {
        if (ctx.mode !== "tui") return ctx.ui.notify(`/${name} works in Pi's terminal interface only.`, "warning");
        try {
          await run(session, ctx);
        } catch (error) {
          if (!session.ended.aborted) ctx.ui.notify(`/${name}: ${explain(error)}`, "error");
        }
      },
    });
  }
  pi.registerShortcut(REOPEN_KEY, { description: "Open a question form that was put away", handler: (ctx) => reopen(session, ctx) });
}

function reopen(session: Session, ctx: ExtensionContext): void {
  if (!session.screens.reopen()) ctx.ui.notify("No question form has been put away.", "info");
}

async function answer(session: Session, ctx: ExtensionCommandContext): Promise<void> {
  const message = lastMessage(ctx);
  if (typeof message === "string") return ctx.ui.notify(message, "warning");
  const { answer: limits } = (await session.settings()).settings;
  const model = extractionModel(ctx, limits.extractionModels);
  if (!model) return ctx.ui.notify("No model is selected that could read the message. Choose one with /model.", "error");
  const extracted = await ctx.ui.custom<Extracted | undefined>((tui, theme, _keybindings, done) => {
    const loader = new BorderedLoader(tui, theme, `Looking for questions with ${model.id}…`);
    loader.onAbort = () => done(undefined);
    extract(session, ctx, model, limits, message, loader.signal).then(done, (error: unknown) =>
      done(loader.signal.aborted ? undefined : { kind: "failed", why: explain(error) }),
    );
    return loader;
  });
  if (!extracted) return ctx.ui.notify("Stopped looking for questions.", "info");
  if (extracted.kind === "none") return ctx.ui.notify("The last message asks nothing.", "info");
  if (extracted.kind === "failed") return ctx.ui.notify(`The questions could not be read from the message: ${extracted.why}. Run /answer again, or reply in your own words.`, "error");
  await askPerson(session, ctx, { contract: "ask", params: extracted.params, source: "answer", sourceEntryId: message.entryId });
}

async function again(session: Session, ctx: ExtensionCommandContext, from: readonly Source[], source: Source): Promise<void> {
  const payload = readLog(ctx.sessionManager.getBranch()).payloads.findLast((each) => from.includes(each.source));
  if (!payload) return ctx.ui.notify(source === "ask:replay" ? "This branch has no ask_user form to replay." : "This branch has no form made by /answer.", "warning");
  await askPerson(session, ctx, { ...replayable(payload), source });
}

function replayable(payload: Payload) {
  return { contract: payload.contract ?? ("ask" as const), params: payload.params, sourceEntryId: payload.sourceEntryId };
}

/** Shows a form that no tool call waits for; what the person sends arrives as their message. */
async function askPerson(session: Session, ctx: ExtensionCommandContext, request: Pick<Parameters<typeof createForm>[2], "contract" | "params" | "source" | "sourceEntryId">): Promise<void> {
  const form = await createForm(session, ctx, { ...request, mode: "urgent" });
  const screen = session.open(ctx, form);
  session.commands.add(form.formId);
  const resolved = await session.link.wait(form.formId, session.ended).finally(() => screen.end());
  session.commands.delete(form.formId);
  if (resolved.outcome.kind === "cancelled") {
    session.deliveries.acknowledge(form.formId);
    ctx.ui.notify(resolved.toolResult.transcript.join("\n"), "info");
  } else {
    session.deliveries.send(form.formId, resultText(resolved.toolResult));
  }
}

async function settings(session: Session, ctx: ExtensionCommandContext): Promise<void> {
  await session.link.connect();
  const { reason, message } = await hostTui(ctx, session.command("tui", ["--settings"])).closed;
  if (reason === "failed") ctx.ui.notify(`The settings could not be shown: ${message || "the frontend ended. Run \`ask settings\` in a terminal instead."}`, "error");
}

/** The latest assistant message of the branch with the request before it, or why it cannot be taken. */
function lastMessage(ctx: ExtensionContext): { text: string; request: string; entryId: string } | string {
  const branch = ctx.sessionManager.getBranch();
  const at = branch.findLastIndex((entry) => entry.type === "message" && entry.message.role === "assistant");
  const entry = branch[at];
  if (entry?.type !== "message" || entry.message.role !== "assistant") return "There is no assistant message to answer yet.";
  if (entry.message.stopReason !== "stop") return `The last assistant message is not finished (${entry.message.stopReason}); /answer needs a finished one.`;
  const text = textOf(entry.message.content).trim();
  if (!text) return "The last assistant message has no text.";
  const request = branch.slice(0, at).findLast((each) => each.type === "message" && each.message.role === "user");
  const asked = request?.type === "message" && request.message.role === "user" ? textOf(request.message.content) : "";
  return { text, request: asked, entryId: entry.id };
}

function explain(error: unknown): string {
  if (error instanceof RpcError && error.kind === "invalidInput" && Array.isArray(error.data.issues)) {
    return `the kept form cannot be asked:\n${error.data.issues.map(({ path, message }) => `- ${path}: ${message}`).join("\n")}`;
  }
  return reasonOf(error);
}
