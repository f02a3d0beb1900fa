/** A questionnaire the agent does not wait for: its answers come as a steering message, exactly once. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { CreateResult } from "./askd.d.ts";
import type { Resolved } from "./link.ts";
import { resultText } from "./result.ts";
import type { Session } from "./session.ts";
import { reasonOf } from "./text.ts";

/** Shows the form beside the running agent and sends on what becomes of it. */
export function waitInBackground(session: Session, ctx: ExtensionContext, form: CreateResult): void {
  const screen = session.open(ctx, form);
  session.background.add(form.formId);
  session.link
    .wait(form.formId, session.ended)
    .then((resolved) => {
      session.background.delete(form.formId);
      screen.end();
      deliverBackground(session, form.formId, resolved);
    })
    .catch((error: unknown) => {
      screen.end();
      if (!session.ended.aborted) ctx.ui.notify(`The questionnaire's answers cannot arrive: ${reasonOf(error)}`, "error");
    });
}

/** Sends answers, and the one line when the person or the clock ended it; nothing when the session did. */
export function deliverBackground(session: Session, formId: string, resolved: Pick<Resolved, "outcome" | "toolResult">): void {
  const { kind, reason } = resolved.outcome;
  const silent = kind === "cancelled" && reason !== "dismissed" && reason !== "expired";
  if (silent) session.deliveries.acknowledge(formId);
  else session.deliveries.send(formId, resultText(resolved.toolResult));
}
