/** What the tool looks like to the model under each contract: schema, description, guidelines. */

import type { Contract } from "./askd.d.ts";
import { deriveLabels } from "./labels.ts";
import { GUIDELINES, PURPOSE, SNIPPET } from "./policy.ts";

/** The fields of a registration that depend on the contract. */
export type Face = {
  description: string;
  promptSnippet: string;
  promptGuidelines: string[];
  parameters: object;
  outputSchema?: object;
  prepareArguments?: (args: unknown) => unknown;
  exposure?: "model-only";
};

export function faceOf(contract: Contract): Face {
  return contract === "ask" ? ASK : QUESTIONNAIRE;
}

const text = (description: string) => ({ type: "string", description });
const flag = (description: string) => ({ type: "boolean", description });

const ASK: Face = {
  description: `${PURPOSE} Questions are single choice, multiple choice, or a choice between previews; the user can always type an answer of their own, add notes, and ask for elaboration instead of deciding.`,
  promptSnippet: SNIPPET,
  promptGuidelines: [
    ...GUIDELINES,
    "In ask_user, give every question a unique id and a prompt that can be understood on its own, and every option a stable value and a short label; trade-offs go into description.",
    "In ask_user, use type single for one choice, multi for several, preview where seeing the alternatives matters; a preview question needs preview text on every option, else use single.",
    "In ask_user, do not add an option such as Other or Something else: a row for a typed answer is always there. Mark what you would choose with recommended; it is not preselected.",
    "Where Pi is driven over RPC, ask_user shows one dialog per question: a multi question then takes one option or typed text, and there are no notes; word prompts so that they work this way too.",
  ],
  prepareArguments: deriveLabels,
  // Scripts must not ask the person by calling the tool.
  exposure: "model-only",
  parameters: {
    type: "object",
    required: ["questions"],
    properties: {
      title: text("Short heading for the whole form."),
      questions: {
        type: "array",
        description: "At least one question.",
        items: {
          type: "object",
          required: ["id", "prompt", "options"],
          properties: {
            id: text("Unique within this call; the answers are keyed by it."),
            label: text("A word or two for the question's tab. Q1, Q2, … when left out."),
            prompt: text("The full question."),
            type: {
              type: "string",
              enum: ["single", "multi", "preview"],
              description: "single (default): one option. multi: several. preview: one option, with preview text shown beside the list.",
            },
            required: flag("Tells the user that an answer matters; it never keeps them from sending the form. Default false."),
            options: {
              type: "array",
              description: "At least one option.",
              items: {
                type: "object",
                required: ["value", "label"],
                properties: {
                  value: text("Stable identifier, unique within the question; returned in the answer."),
                  label: text("What the user reads."),
                  description: text("A line about the option: what follows from it."),
                  preview: text("What choosing it would look like, shown verbatim; needed on every option of a preview question."),
                  recommended: flag("Marks the option as your recommendation without selecting it."),
                },
              },
            },
          },
        },
      },
    },
  },
};

const QUESTIONNAIRE: Face = {
  description: `${PURPOSE} Questions are single choice, multiple choice or typed. In background mode (the default) the call returns at once and the answers arrive later as a message; in urgent mode it waits for them.`,
  promptSnippet: SNIPPET,
  promptGuidelines: [
    ...GUIDELINES.filter((line) => !line.includes("mode elaborate")),
    "Call ask_user with mode urgent when you cannot go on without the answers; leave the default mode background when there is other work to do meanwhile, and do not treat its pending result as an answer.",
    "Only one ask_user questionnaire can wait in the background; do not start another before its answers have arrived.",
    "In ask_user, leave options out for a typed answer; otherwise the user may also type one unless allowOther is false. min and max limit how much may be picked where multiple is true.",
  ],
  parameters: {
    type: "object",
    required: ["questions"],
    properties: {
      title: text("Heading of the questionnaire."),
      submitLabel: text("Label of the entry that sends it. Default Submit."),
      mode: { type: "string", enum: ["background", "urgent"], description: "background (default): return at once, answers follow as a message. urgent: wait." },
      noWait: flag("Older form of mode: true is background, false is urgent; mode wins."),
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 12,
        description: "1 to 12 questions.",
        items: {
          type: "object",
          required: ["question"],
          properties: {
            id: text("Identifier in the result. Default q1, q2, …"),
            label: text("Tab label. Default Q1, Q2, …"),
            question: text("The question."),
            header: text("Context shown below the question."),
            options: {
              type: "array",
              description: "Choices. Leave out for a typed answer.",
              items: {
                type: "object",
                required: ["label"],
                properties: {
                  label: text("What the user reads."),
                  value: text("Returned in the result. Default the label."),
                  description: text("A line about the choice."),
                  selected: flag("Preselected; counts only when the user confirms it."),
                },
              },
            },
            multiple: flag("Several choices may be picked. Default false."),
            allowOther: flag("Allow one typed answer beside the choices. Default true."),
            otherLabel: text("Label of the typed answer. Default Type your own."),
            placeholder: text("Shown in the empty editor."),
            required: flag("An answer is needed before the questionnaire can be sent. Default true."),
            min: { type: "integer", minimum: 0, description: "Fewest choices, where multiple is true." },
            max: { type: "integer", minimum: 0, description: "Most choices, where multiple is true." },
          },
        },
      },
    },
  },
  outputSchema: {
    type: "object",
    required: ["cancelled", "answers"],
    properties: {
      cancelled: { type: "boolean" },
      pending: { type: "boolean" },
      answers: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "question", "skipped", "selections"],
          properties: {
            id: { type: "string" },
            question: { type: "string" },
            skipped: { type: "boolean" },
            selections: {
              type: "array",
              items: {
                type: "object",
                required: ["value", "label", "custom"],
                properties: { value: { type: "string" }, label: { type: "string" }, custom: { type: "boolean" } },
              },
            },
          },
        },
      },
    },
  },
};
