/** Turns an assistant's prose into a form: one synthetic tool call by a small model, JSON text as the last resort. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Issue, JsonValue, Settings } from "./askd.d.ts";
import { faceOf } from "./contracts.ts";
import { textOf, TOOL } from "./entries.ts";
import { deriveLabels } from "./labels.ts";
import type { Session } from "./session.ts";
import { reasonOf } from "./text.ts";

const MAX_TOKENS = 8_192;
const SYSTEM_PROMPT = [
  `You turn the questions in an assistant's message into one call of the tool ${TOOL}. You do not answer them.`,
  "Take every question the message puts to the user, in its order and as it is worded; leave rhetorical ones and ones already answered out.",
  "Offer as options only what the message offers. A question whose alternatives it names is single, or multi where several may hold.",
  'A question without alternatives gets exactly one option, {"value": "answer", "label": "Answer", "freeform": true}, and type single.',
  "Mark recommended only what the message itself recommends. Keep the language of the message.",
  'If the message asks the user nothing, call the tool with {"questions": []}.',
].join("\n");

export type Extracted = { kind: "form"; params: unknown } | { kind: "none" } | { kind: "failed"; why: string };
type Model = NonNullable<ExtensionContext["model"]>;

/** The first configured model with credentials, else the session's own. */
export function extractionModel(ctx: ExtensionContext, models: Settings["answer"]["extractionModels"]): Model | undefined {
  for (const { provider, id } of models) {
    const model = ctx.modelRegistry.find(provider, id);
    if (model && ctx.modelRegistry.hasConfiguredAuth(model)) return model as Model;
  }
  return ctx.model;
}

/** Asks the model, again where its call is missing or invalid, and checks each form with the daemon. */
export async function extract(
  session: Session,
  ctx: ExtensionContext,
  model: Model,
  settings: Settings["answer"],
  message: { request: string; text: string },
  signal: AbortSignal,
): Promise<Extracted> {
  const asText: unknown[] = [];
  let why = "the model made no call of the tool";
  let hint = "";
  for (let attempt = 0; attempt <= settings.extractionRetries; attempt++) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.extractionTimeoutMs)]);
    const reply = await complete(ctx, model, message, hint, limit);
    signal.throwIfAborted();
    if (reply.error !== undefined) {
      why = limit.aborted ? `no reply within ${settings.extractionTimeoutMs / 1000} s` : reply.error;
      continue;
    }
    if (reply.call === undefined) {
      const json = jsonIn(reply.text);
      if (json !== undefined) asText.push(json);
      hint = `Your last reply did not call ${TOOL}. Call it now.`;
      continue;
    }
    const checked = await check(session, reply.call);
    if (checked.kind !== "failed") return checked;
    why = checked.why;
    hint = `Your last call of ${TOOL} was refused:\n${checked.why}\nCall it again, mended.`;
  }
  for (const json of asText) {
    const checked = await check(session, json);
    if (checked.kind !== "failed") return checked;
    why = checked.why;
  }
  return { kind: "failed", why };
}

type Reply = { call?: unknown; text: string; error?: string };

async function complete(ctx: ExtensionContext, model: Model, message: { request: string; text: string }, hint: string, signal: AbortSignal): Promise<Reply> {
  const parts = [
    ...(message.request ? [`<user_message>\n${message.request}\n</user_message>`] : []),
    `<assistant_message>\n${message.text}\n</assistant_message>`,
    ...(hint ? [hint] : []),
  ];
  try {
    const response = await ctx.modelRegistry.complete(
      model as never,
      {
        systemPrompt: SYSTEM_PROMPT,
        messages: [{ role: "user", content: [{ type: "text", text: parts.join("\n\n") }], timestamp: Date.now() }],
        tools: [{ name: TOOL, description: faceOf("ask").description, parameters: extractionSchema() as never }],
      },
      { signal, maxTokens: MAX_TOKENS },
    );
    const text = textOf(response.content);
    if (response.stopReason === "error" || response.stopReason === "aborted") return { text, error: response.errorMessage ?? response.stopReason };
    const call = response.content.find((part) => part.type === "toolCall" && part.name === TOOL);
    return call?.type === "toolCall" ? { call: call.arguments, text } : { text };
  } catch (error) {
    return { text: "", error: reasonOf(error) };
  }
}

/** The tool's schema with the internal marker that the tool itself does not offer. */
function extractionSchema(): object {
  const schema = structuredClone(faceOf("ask").parameters) as Record<string, any>;
  schema.properties.questions.items.properties.options.items.properties.freeform = {
    type: "boolean",
    description: "The question has no alternatives; the user types the answer. Only as the question's single option.",
  };
  return schema;
}

async function check(session: Session, call: unknown): Promise<Extracted> {
  const { questions } = (call ?? {}) as { questions?: unknown };
  if (Array.isArray(questions) && questions.length === 0) return { kind: "none" };
  const params = deriveLabels(call) as JsonValue;
  const verdict = await session.link.call("form/validate", { contract: "ask", params, source: "answer" });
  if ("form" in verdict) return { kind: "form", params };
  return { kind: "failed", why: verdict.issues.map(({ path, message }: Issue) => `- ${path}: ${message}`).join("\n") };
}

/** The JSON object a reply consists of, or has in a fenced block. */
function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text)?.[1];
  for (const candidate of [fenced, text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate ?? "");
      if (typeof value === "object" && value !== null && "questions" in value) return value;
    } catch {
      // Not JSON: the next candidate.
    }
  }
  return undefined;
}
