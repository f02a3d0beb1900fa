/** What a session left behind: interrupted calls reopen, answers that came meanwhile arrive, the rest is closed. */

import type { ExtensionContext, SessionStartEvent } from "@earendil-works/pi-coding-agent";
import type { FormSnapshot, FormSummary } from "./askd.d.ts";
import { createForm } from "./asking.ts";
import { deliverBackground } from "./background.ts";
import { type Call, isRecorded, type Log, readLog, unanswered } from "./entries.ts";
import type { Bridge } from "./events.ts";
import { deriveLabels } from "./labels.ts";
import type { Resolved } from "./link.ts";
import { AGENT } from "./origin.ts";
import { resultText } from "./result.ts";
import { RpcError } from "./rpc.ts";
import type { Session } from "./session.ts";

const REOPENS: readonly SessionStartEvent["reason"][] = ["startup", "resume", "fork"];

/** Runs once after the session has started; a form it opens does not hold up anything else. */
export async function recover(session: Session, bridge: Bridge, ctx: ExtensionContext, reason: SessionStartEvent["reason"]): Promise<void> {
  const log = readLog(ctx.sessionManager.getBranch());
  const call = ctx.mode === "tui" && REOPENS.includes(reason) ? unanswered(log) : undefined;
  await closeLeftovers(session, ctx, log, call?.payload?.formId);
  if (call) await reopen(session, bridge, ctx, call);
}

/** Forms of this session that nothing waits for any more. */
async function closeLeftovers(session: Session, ctx: ExtensionContext, log: Log, reopening: string | undefined): Promise<void> {
  for (const form of await formsOf(session, ctx, "open")) {
    // One with its owner attached belongs to another process on the same session; one in another branch may reopen there.
    const wanted = form.formId === reopening || form.owner.attached || mayReopen(log, form);
    if (!wanted) await session.cancel(form.formId, "session_closed");
  }
  for (const form of await formsOf(session, ctx, "pending")) {
    if (form.formId === reopening) continue;
    await settle(session, log, form);
  }
}

/** Whether a form may still be taken up: its call has no result, here or in a branch that is not in sight. */
function mayReopen(log: Log, form: FormSummary): boolean {
  if (form.contract !== "ask" || (form.source !== "tool" && form.source !== "ask:resume")) return false;
  const call = log.calls.findLast((each) => each.payload?.formId === form.formId);
  return call === undefined || call.state === "open";
}

/** A result that nobody has acknowledged. */
async function settle(session: Session, log: Log, form: FormSummary): Promise<void> {
  const { formId } = form;
  const delivery = log.deliveries.findLast((each) => each.formId === formId);
  if (delivery && !delivery.arrived) {
    session.deliveries.resend(formId, delivery.text);
  } else if (form.contract === "questionnaire" && form.mode === "background" && !delivery) {
    if (log.payloads.some((payload) => payload.formId === formId)) deliverBackground(session, formId, await resolved(session, formId));
  } else if (isRecorded(log, formId) || form.outcome?.kind === "cancelled") {
    session.deliveries.acknowledge(formId);
  }
}

async function formsOf(session: Session, ctx: ExtensionContext, which: "open" | "pending"): Promise<FormSummary[]> {
  const filter = which === "open" ? { state: "open" as const } : { state: "resolved" as const, delivery: "pending" as const };
  const { forms } = await session.link.call("form/list", { ...filter, agent: AGENT, session: ctx.sessionManager.getSessionId(), limit: 1000 });
  return forms;
}

/** Takes an interrupted call up again: its answer if there is one by now, else its form. */
async function reopen(session: Session, bridge: Bridge, ctx: ExtensionContext, call: Call): Promise<void> {
  const known = await snapshot(session, call.payload?.formId);
  if (known?.state === "resolved") return conclude(session, ctx, call, known.formId, await resolved(session, known.formId));
  if (known?.contract === "questionnaire" || call.payload?.contract === "questionnaire") {
    if (known) await session.cancel(known.formId, "session_closed");
    return session.deliveries.dismiss(call.toolCallId, known?.formId);
  }
  if (known) bridge.adopt(known.formId);
  const form = await createForm(session, ctx, {
    contract: "ask",
    params: call.payload?.params ?? deriveLabels(call.args),
    source: "ask:resume",
    sourceEntryId: call.toolCallId,
    toolCallId: call.toolCallId,
    // The form is found again by what it was asked under, also after a fork.
    ...(known && { origin: known.origin, recorded: known.formId }),
  });
  const count = form.form.questions.length;
  ctx.ui.notify(`Reopening the unanswered form: ${count} question${count === 1 ? "" : "s"}.`, "info");
  const screen = session.open(ctx, form);
  const answer = await session.link.wait(form.formId, session.ended).finally(() => screen.end());
  conclude(session, ctx, call, form.formId, answer);
}

/** The call's own promise is gone, so answers go as a message; either way it does not open again. */
function conclude(session: Session, ctx: ExtensionContext, call: Call, formId: string, answer: Resolved): void {
  if (answer.outcome.kind === "cancelled") {
    session.deliveries.dismiss(call.toolCallId, formId);
    session.deliveries.acknowledge(formId);
    ctx.ui.notify(answer.toolResult.transcript.join("\n"), "info");
  } else {
    session.deliveries.send(formId, resultText(answer.toolResult), call.toolCallId);
  }
}

async function snapshot(session: Session, formId: string | undefined): Promise<FormSnapshot | undefined> {
  if (formId === undefined) return undefined;
  try {
    return await session.link.call("form/get", { formId });
  } catch (error) {
    // A form that the daemon no longer has is asked again from the log.
    if (error instanceof RpcError && error.kind === "unknownForm") return undefined;
    throw error;
  }
}

function resolved(session: Session, formId: string): Promise<Resolved> {
  return session.link.wait(formId, session.ended);
}
