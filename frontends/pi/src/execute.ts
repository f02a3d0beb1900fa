/** One call of the tool, from its arguments to its result, in each of Pi's modes. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Contract, CreateResult, JsonValue, ToolResult } from "./askd.d.ts";
import { createForm, SecondBackground } from "./asking.ts";
import { waitInBackground } from "./background.ts";
import { hostDialog } from "./host-dialog.ts";
import { Unavailable } from "./link.ts";
import { failure, type Result, toPi, withdrawn } from "./result.ts";
import { RpcError } from "./rpc.ts";
import type { Session } from "./session.ts";
import { reasonOf } from "./text.ts";

/** How long an aborted call waits for the daemon's own words. */
const ABORT_ANSWER_MS = 500;
const SHAPE_MS = 100;
const DIALOG_TRIES = 3;

export type Call = { toolCallId: string; contract: Contract; params: unknown };

export async function execute(session: Session, call: Call, signal: AbortSignal | undefined, ctx: ExtensionContext): Promise<Result> {
  const { contract, params, toolCallId } = call;
  try {
    if (!ctx.hasUI) return toPi(await session.link.call("form/fallback", { contract, params: params as JsonValue }));
    const form = await createForm(session, ctx, {
      contract,
      params,
      source: "tool",
      sourceEntryId: toolCallId,
      toolCallId,
      // Only the questionnaire's agents may go on meanwhile, and only where the form can stand beside them.
      ...((ctx.mode !== "tui" || contract === "ask") && { mode: "urgent" as const }),
    });
    if (form.toolResult && form.state === "open") {
      waitInBackground(session, ctx, form);
      return toPi(form.toolResult);
    }
    return await answerOf(session, call, form, signal ?? new AbortController().signal, ctx);
  } catch (error) {
    return refusal(error);
  }
}

/** Shows the form and gives its result, whoever answers it. */
async function answerOf(session: Session, call: Call, form: CreateResult, signal: AbortSignal, ctx: ExtensionContext): Promise<Result> {
  const { formId } = form;
  const { contract, toolCallId } = call;
  // Only there can a later start of Pi take the form up again.
  const recoverable = ctx.mode === "tui" && ctx.sessionManager.getSessionFile() !== undefined;
  const shape = recoverable ? session.link.call("form/fallback", { contract, params: call.params as JsonValue }).catch(() => undefined) : undefined;
  const waiting = new AbortController();
  const answered = session.link.wait(formId, waiting.signal).then(({ toolResult }) => toPi(toolResult));
  const shown = form.state === "open" && !signal.aborted ? show(session, form, ctx) : undefined;
  let undecided = false;

  const onAbort = async (): Promise<Result> => {
    if (recoverable) {
      undecided = true;
      shown?.quit();
      session.interrupts.add({ formId, toolCallId, contract });
      return withdrawn(await within(shape, SHAPE_MS));
    }
    shown?.abort();
    void session.withdraw(formId, "aborted");
    return (await within(answered, ABORT_ANSWER_MS)) ?? withdrawn(undefined);
  };

  try {
    const result = await Promise.race([answered, aborted(signal).then(onAbort)]);
    if (!undecided) session.deliveries.returned(formId);
    return result;
  } finally {
    waiting.abort();
    answered.catch(() => {});
    shown?.end();
  }
}

type Shown = { end(): void; quit(): void; abort(): void };

function show(session: Session, form: CreateResult, ctx: ExtensionContext): Shown {
  if (ctx.mode === "tui") {
    const screen = session.open(ctx, form);
    return { end: () => screen.end(), quit: () => screen.quit(), abort: () => screen.quit() };
  }
  return showDialogs(session, form, ctx);
}

/** Dialogs, started again when their frontend dies: the client has no other way to answer. One that waited may have died before. */
function showDialogs(session: Session, form: CreateResult, ctx: ExtensionContext): Shown {
  let over = false;
  const start = (tries: number) => {
    const { frontend, waited } = session.dialog(form);
    const dialogs = hostDialog(ctx.ui, frontend);
    void dialogs.closed.then(({ reason, message }) => {
      if (over || reason !== "failed") return;
      if (waited || tries > 1) current = start(waited ? tries : tries - 1);
      else ctx.ui.notify(`The dialogs could not be shown: ${message || "their program ended"}. Answer with \`ask answer\` in a terminal.`, "error");
    });
    return dialogs;
  };
  let current = start(DIALOG_TRIES);
  const end = () => {
    over = true;
    current.end();
    session.spare.fill();
  };
  return { end, quit: end, abort: () => ((over = true), current.abort()) };
}

/** What the agent reads when nothing could be asked. */
function refusal(error: unknown): Result {
  if (error instanceof RpcError && error.kind === "invalidInput" && error.data.toolResult) return toPi(error.data.toolResult as ToolResult);
  if (error instanceof SecondBackground) return failure(error.message);
  const why = reasonOf(error);
  const hint = error instanceof Unavailable ? " Until then, ask the user in plain text and wait for the reply; nothing is decided." : "";
  return failure(`ask_user could not ask: ${why}${hint}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function within<T>(work: Promise<T> | undefined, ms: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms).unref();
    (work ?? Promise.resolve(undefined)).then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}
