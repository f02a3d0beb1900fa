/** When to ask, in the words the model reads. Both contracts share it; the skill spells it out. */

/** What the tool is for, the start of both descriptions. */
export const PURPOSE =
  "Puts structured questions to the user and returns their answers. For what is still open after the available context has been read: " +
  "a requirement that is missing or contradicts another, a preference that would change the outcome noticeably, or permission for a " +
  "consequential or hard-to-undo action that the agreed scope does not cover. Also for interviews and interactive questionnaires the user asked for.";

export const SNIPPET = "Ask the user about an open requirement, preference or permission that the context does not settle";

/** Bullets stand alone in Pi's prompt, so each names the tool. */
export const GUIDELINES = [
  "Before ask_user, read what is there: code, documents, the conversation, earlier answers, and what the user has already allowed.",
  "Use ask_user when a critical requirement is still missing or contradictory, when an unsettled preference would materially change the result, or when a consequential or hard-to-reverse action lies outside the approved scope and has no permission.",
  "Use ask_user when the user explicitly wants to be interviewed, to gather requirements together, or to be asked interactively; when they want a questionnaire as a document, write the document instead.",
  "Do not use ask_user for what the context already answers, and do not have settled choices or given permissions confirmed again; reopen them only when something materially new has come up.",
  "Do not use ask_user for reversible steps and ordinary implementation details within scope: go ahead and state the assumptions that matter. That several ways would work, or that the matter is called architecture, naming or research, is no reason to ask.",
  "When a comparison or piece of research was asked for, finish it first; do not open with ask_user.",
  "Put into one ask_user call only the questions that block now or belong to the current topic of the interview; bundle those that do not depend on each other's answers, and never add questions to fill the form.",
  "After an ask_user result with mode elaborate, answer the user's notes first; if a decision still blocks, ask again about the affected questions alone and keep the answers already given.",
  "A cancelled, unanswered or ambiguous ask_user result is no approval, and neither is cancelled: false or the required flag by itself: leave the action undone, also when you were told to work autonomously.",
];
