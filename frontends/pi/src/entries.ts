/** What the session's log says about asked forms. Pure: reads a branch's entries, writes nothing. */

import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Contract, Source } from "./askd.d.ts";

export const TOOL = "ask_user";

/** Entry types. The first two are the ask contract's, and logs of earlier extensions hold them too. */
export const PAYLOAD = "ask:payload";
export const DISMISSED = "ask:pending-dismissed";
/** The call's result stands, but Pi ended before anyone answered. */
export const INTERRUPTED = "askd:interrupted";
/** An answer is being sent as a user message; written first, so that a crash can neither lose nor repeat it. */
export const DELIVERY = "askd:delivery";

export type Payload = {
  version: 1;
  timestamp: number;
  params: unknown;
  source: Source;
  sourceEntryId: string;
  formId?: string;
  contract?: Contract;
};

/** A tool call as the log knows it. */
export type Call = { toolCallId: string; args: unknown; payload?: Payload; state: "open" | "answered" | "dismissed" };
export type Delivery = { formId: string; text: string; arrived: boolean };

export type Log = {
  /** Calls of the tool, oldest first. A provider may reuse an id; each use is a call of its own. */
  calls: Call[];
  payloads: Payload[];
  deliveries: Delivery[];
};

export function readLog(branch: readonly SessionEntry[]): Log {
  const log: Log = { calls: [], payloads: [], deliveries: [] };
  const latest = (toolCallId: unknown) => log.calls.findLast((call) => call.toolCallId === toolCallId);
  for (const entry of branch) {
    if (entry.type === "message") readMessage(entry.message, log, latest);
    else if (entry.type === "custom") readCustom(entry.customType, entry.data, log, latest);
  }
  return log;
}

type Lookup = (toolCallId: unknown) => Call | undefined;

function readMessage(message: Extract<SessionEntry, { type: "message" }>["message"], log: Log, latest: Lookup): void {
  if (message.role === "assistant") {
    for (const part of message.content) {
      if (part.type === "toolCall" && part.name === TOOL) {
        log.calls.push({ toolCallId: part.id, args: part.arguments, state: "open" });
      }
    }
  } else if (message.role === "toolResult") {
    const call = latest(message.toolCallId);
    if (call?.state === "open") call.state = "answered";
  } else if (message.role === "user") {
    const text = textOf(message.content);
    const delivery = log.deliveries.find((each) => !each.arrived && text.includes(each.text));
    if (delivery) delivery.arrived = true;
  }
}

function readCustom(type: string, data: unknown, log: Log, latest: Lookup): void {
  if (typeof data !== "object" || data === null) return;
  const fields = data as Record<string, unknown>;
  if (type === PAYLOAD && isPayload(fields)) {
    log.payloads.push(fields);
    const ofCall = fields.source === "tool" || fields.source === "ask:resume";
    const call = ofCall ? latest(fields.sourceEntryId) : undefined;
    if (call) call.payload = fields;
  } else if (type === DISMISSED) {
    const call = latest(fields.toolCallId);
    if (call) call.state = "dismissed";
  } else if (type === INTERRUPTED) {
    const call = latest(fields.toolCallId);
    if (call?.state === "answered") call.state = "open";
  } else if (type === DELIVERY && typeof fields.formId === "string" && typeof fields.text === "string") {
    log.deliveries.push({ formId: fields.formId, text: fields.text, arrived: false });
  }
}

function isPayload(data: Record<string, unknown>): data is Payload {
  return typeof data.params === "object" && data.params !== null && typeof data.source === "string";
}

/** The newest call that nobody has answered. */
export function unanswered(log: Log): Call | undefined {
  return log.calls.findLast((call) => call.state === "open");
}

/** Whether the log holds this form's result, so that it may be acknowledged. */
export function isRecorded(log: Log, formId: string): boolean {
  const call = log.calls.findLast((each) => each.payload?.formId === formId);
  const delivery = log.deliveries.findLast((each) => each.formId === formId);
  return delivery ? delivery.arrived : call !== undefined && call.state !== "open";
}

/** Whether the form was asked by a call inside another tool's call. */
export function isNested(log: Log, formId: string): boolean {
  const payload = log.payloads.findLast((each) => each.formId === formId);
  return payload?.source === "tool" && !log.calls.some((call) => call.toolCallId === payload.sourceEntryId);
}

/** The text parts of a message's content. */
export function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("\n");
}
