/** How a form comes about: created once, written to the session's log, then shown. */

import { randomUUID } from "node:crypto";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Contract, CreateParams, CreateResult, FormSnapshot, JsonValue, Mode, Origin, Source } from "./askd.d.ts";
import { PAYLOAD, type Payload } from "./entries.ts";
import { originOf } from "./origin.ts";
import { RpcError } from "./rpc.ts";
import type { Session } from "./session.ts";
import { cut, oneLine } from "./text.ts";

export type Request = {
  contract: Contract;
  params: unknown;
  source: Source;
  /** The log's entry or tool call this form comes from. */
  sourceEntryId: string;
  toolCallId?: string;
  mode?: Mode;
  origin?: Origin;
  /** A form the log already knows; it is not written down again. */
  recorded?: string;
};

/** Creates the form and records it before anyone sees it. */
export async function createForm(session: Session, ctx: ExtensionContext, request: Request): Promise<CreateResult> {
  const { contract, source, sourceEntryId, toolCallId, mode } = request;
  const params: CreateParams = {
    contract,
    params: request.params as JsonValue,
    source,
    origin: request.origin ?? originOf(ctx),
    // A client of Pi's RPC shows the dialogs itself and tells its person in its own way.
    quiet: ctx.mode === "rpc",
    // With a key, a create that was cut off by a restart can be sent again.
    ...(toolCallId ? { toolCallId } : { key: randomUUID() }),
    ...(mode && { mode }),
  };
  const form = await createOnce(session, params);
  if (form.formId === request.recorded) return form;
  const payload: Payload = { version: 1, timestamp: Date.now(), params: request.params, source, sourceEntryId, formId: form.formId, contract };
  session.pi.appendEntry(PAYLOAD, payload);
  return form;
}

async function createOnce(session: Session, params: CreateParams): Promise<CreateResult> {
  try {
    return await session.link.call("form/create", params);
  } catch (error) {
    const { formId } = error instanceof RpcError && error.kind === "conflict" ? error.data : {};
    if (typeof formId !== "string") throw error;
    const other = await session.link.call("form/get", { formId });
    if (other.toolCallId !== params.toolCallId) throw new SecondBackground(other);
    // A provider that uses a call id again while the form of its last use is not acknowledged asks something new.
    if (other.state === "open" && !other.owner.attached) await session.cancel(formId, "superseded");
    return session.link.call("form/create", { ...params, key: randomUUID() });
  }
}

/** This session's background questionnaire is still open. */
export class SecondBackground extends Error {
  constructor(open: FormSnapshot) {
    super(
      `A background questionnaire of this session is still open: "${nameOf(open.form)}" (form ${open.formId}). ` +
        "Its answers will arrive as a message. Ask again after that, or now with mode \"urgent\".",
    );
  }
}

/** What a host may say of the form in one line, harmless. */
export function nameOf(form: { title?: string | null; questions: readonly { prompt: string }[] }): string {
  return cut(oneLine(form.title || form.questions[0]?.prompt || "A question"), 200);
}
