// askd protocol, version 1. Made from the types of askd-wire by `cargo run -p askd-tests --bin generate`; do not edit.

/** Every method with what it takes and gives. */
export interface Methods {
  /** Opens a connection: who is calling, in which roles, in which protocol version. */
  "initialize": { params: InitializeParams; result: InitializeResult };
  /** Asks: stores a form and tells everyone attached. */
  "form/create": { params: CreateParams; result: CreateResult };
  /** Waits for a form to be resolved. */
  "form/wait": { params: WaitParams; result: WaitResult };
  /** Marks a resolved form's result as delivered. */
  "form/ack": { params: FormRef; result: AckResult };
  /** Gives one form. */
  "form/get": { params: FormRef; result: FormSnapshot };
  /** Lists forms, page by page. */
  "form/list": { params: ListParams; result: ListResult };
  /** Says that this connection shows the form now. */
  "form/view": { params: ViewParams; result: FormSnapshot };
  /** Says that this connection shows the form no longer. */
  "form/leave": { params: FormRef; result: Empty };
  /** Keeps what a person has entered but not sent. */
  "form/draft": { params: DraftParams; result: DraftResult };
  /** Answers a form; the first valid answer wins. */
  "form/submit": { params: SubmitParams; result: Resolution };
  /** Cancels a form. */
  "form/cancel": { params: CancelParams; result: Resolution };
  /** Gives the text result for hosts that cannot ask. */
  "form/fallback": { params: FallbackParams; result: ToolResult };
  /** Checks a payload without asking anybody. */
  "form/validate": { params: ValidateParams; result: ValidateResult };
  /** Removes finished forms for good. */
  "form/forget": { params: ForgetParams; result: ForgetResult };
  /** Submits an answer from elsewhere, the remote contract. */
  "remote/submit": { params: JsonValue; result: SubmitResult };
  /** Starts the stream of events. */
  "events/subscribe": { params: SubscribeParams; result: Event };
  /** Gives the settings in force. */
  "settings/get": { params: Empty; result: SettingsState };
  /** Saves some settings. */
  "settings/patch": { params: PatchParams; result: SettingsState };
  /** Puts all settings back to their defaults. */
  "settings/reset": { params: Empty; result: SettingsState };
  /** Tries the notification channels and tells what came of each. */
  "notification/test": { params: TestParams; result: TestResult };
  /** Answers a `notify` hint. */
  "notification/done": { params: DoneParams; result: Empty };
  /** Tells how the daemon is. */
  "daemon/status": { params: Empty; result: Status };
  /** Stops the daemon; open forms stay open. */
  "daemon/stop": { params: Empty; result: Empty };
}

/** Result of `form/ack`. */
export type AckResult = {
  /** Always `acknowledged`. */
  delivery: Delivery,
  /** True for one caller only. */
  first: boolean,
};

/** Extraction for `/answer`. */
export type Answer = {
  /** Models to try, first available wins. */
  extractionModels: Array<Model>,
  /** How often a missing or invalid tool call is tried again. */
  extractionRetries: number,
  /** Milliseconds for one try. */
  extractionTimeoutMs: number,
};

/** One question's answer as a response carries it and an outcome keeps it (protocol.md §3). */
export type AnswerData = {
  /** Selected option values in the person's order, typed text not among them. */
  values?: Array<string>,
  /** Typed text, byte for byte. */
  customText?: string | null,
  /** Note on the question. */
  note?: string | null,
  /** Notes on options by value, selected or not. */
  optionNotes?: { [key in string]: string },
};

/** One channel's turn. */
export type Attempt = {
  /** Which. */
  channel: ChannelKind,
  /** What came of it. */
  status: AttemptStatus,
  /** Why it was not attempted. */
  error?: string | null,
};

/** What came of a channel. */
export type AttemptStatus = "attempted" | "failed" | "skipped";

/** How a form behaves under the ask contract. */
export type Behaviour = {
  /** Submit on arrival at the review tab when all is answered and no note exists. */
  autoSubmitWhenAnsweredWithoutNotes: boolean,
  /** Leaving unsent answers needs a second press. */
  confirmDismissWhenDirty: boolean,
  /** Digits on the review tab need a second press. */
  doublePressReviewShortcuts: boolean,
  /** The footer names the keys. */
  showFooterHints: boolean,
  /** New forms present single choices as multiple ones. */
  presentSingleAsMulti: boolean,
};

/** Params of `form/cancel`. */
export type CancelParams = {
  /** The form. */
  formId: string,
  /** Why; which reasons are allowed depends on the role. */
  reason: Reason,
  /** Live type changes. */
  presentedTypes?: { [key in string]: QuestionType } | null,
};

/** A notification channel. */
export type Channel = ChannelName | CommandChannel;

/** A kind of channel. */
export type ChannelKind = "desktop" | "bell" | "osc9" | "osc777" | "command";

/** The built-in channels. */
export type ChannelName = "desktop" | "bell" | "osc9" | "osc777";

/** One option of a question (`Option` in protocol.md §3). */
export type Choice = {
  /** Unique within the question; what results carry. */
  value: string,
  /** What the person reads. */
  label: string,
  /** A line or more about it. */
  description?: string | null,
  /** What choosing it would look like, verbatim. */
  preview?: string | null,
  /** Marked by the agent, never preselected. */
  recommended?: boolean | null,
  /** Preselected (questionnaire); submitted only if the person confirms. */
  selected?: boolean | null,
  /** Internal marker of `/answer` extraction: the question takes typed text only. */
  freeform?: boolean | null,
};

/** A program run for each notification. */
export type CommandChannel = {
  /** Always `command`. */
  type: CommandTag,
  /** For `sh -c`. */
  command: string,
};

/** The word `command`. */
export type CommandTag = "command";

/** A form ended. */
export type Completed = {
  /** Always 1. */
  version: number,
  /** The formId. */
  flowId: string,
  /** The tool call it answers. */
  toolCallId?: string | null,
  /** What brought it about. */
  source: Source,
  /** The tool result's `details` or `structuredContent`. */
  result: JsonValue,
  /** When. */
  completedAt: number,
};

/** One open connection. */
export type ConnectionStatus = {
  /** Which. */
  connectionId: string,
  /** What it may do; empty before `initialize`. */
  roles: Array<Role>,
  /** Its program, after `initialize`. */
  client?: Program | null,
  /** The kind of frontend. */
  kind?: string | null,
  /** When it was accepted. */
  since: number,
  /** Process id of a socket peer. */
  pid?: number | null,
};

/** One piece of what a tool call returns; text is the only kind. */
export type Content = {
  /** Always `text`. */
  type: string,
  /** The text for the agent. */
  text: string,
};

/** Which document a form's parameters follow (protocol.md §3). */
export type Contract = "ask" | "questionnaire";

/** Params of `form/create`. */
export type CreateParams = {
  /** `ask` when left out. */
  contract?: Contract,
  /** The tool's parameters, any JSON. */
  params: JsonValue,
  /** `tool` when left out. */
  source?: Source,
  /** The tool call this answers. */
  toolCallId?: string | null,
  /** Idempotency key; see protocol §3, "Key". */
  key?: string | null,
  /** Who asks. */
  origin?: Origin | null,
  /** Whether the agent waits. */
  mode?: Mode | null,
  /** Milliseconds until the form expires; never when left out. */
  expiresInMs?: number,
  /** Never notifies. */
  quiet?: boolean | null,
  /** Who has to answer. */
  requires?: Requires | null,
};

/** Result of `form/create`. */
export type CreateResult = {
  /** The form. */
  formId: string,
  /** False when a live key gave an existing form. */
  created: boolean,
  /** Its state now. */
  state: FormState,
  /** Normalized. */
  form: Form,
  /** The durable event that started it. */
  seq: number,
  /** When it expires. */
  expiresAt?: number,
  /** Handed by a host to its own frontend, never in arguments. */
  viewKey: string,
  /** The pending result of a background form, or the result of an existing resolved one. */
  toolResult?: ToolResult | null,
  /** Unknown fields, by path. */
  warnings: Array<Issue>,
};

/** The row that takes typed text. */
export type CustomRow = {
  /** Text of the row. */
  label: string,
  /** Shown in its empty editor. */
  placeholder?: string | null,
};

/** Where the forms are kept. */
export type DatabaseStatus = {
  /** Absolute path. */
  file: string,
  /** Size, the write-ahead log included. */
  bytes: number,
};

/** How far a result has come to its owner. */
export type Delivery = "none" | "pending" | "acknowledged";

/** What a digit key does. */
export type Digits = "advance" | "select";

/** What leaving a form asks for. */
export type Dismiss = "whenDirty" | "twice";

/** Params of `notification/done`. */
export type DoneParams = {
  /** The `notify` hint's. */
  token: string,
  /** What came of it. */
  status: AttemptStatus,
  /** Why it failed. */
  error?: string | null,
};

/** What a person has entered but not sent. Agents never see it. */
export type Draft = {
  /** As in a response. */
  answers?: { [key in string]: AnswerData },
  /** Live type changes. */
  presentedTypes?: { [key in string]: QuestionType } | null,
  /** The frontend's own state: cursor, open editor and its text. */
  view?: JsonValue | null,
};

/** Params of `form/draft`. */
export type DraftParams = {
  /** The form. */
  formId: string,
  /** The revision this draft follows; 0 for the first. */
  revision: number,
  /** The whole draft. */
  draft: Draft,
};

/** Result of `form/draft`. */
export type DraftResult = {
  /** The draft's new revision. */
  revision: number,
};

/** An object without fields, for calls that take or give nothing. */
export type Empty = Record<symbol, never>;

/** What went wrong, for programs. */
export type ErrorKind = "notInitialized" | "incompatible" | "notAllowed" | "invalidInput" | "unknownForm" | "alreadyResolved" | "invalidAnswer" | "conflict" | "settingsNotSaved" | "overloaded" | "shuttingDown" | "storeFailed";

/** One event. */
export type Event = {
  /** Its number if durable, else the last durable one's. */
  seq: number,
  /** When. */
  at: number,
  /** The form it is about. */
  formId?: string | null, } & ({ "kind": "snapshot",
  /** No further part follows. */
  last: boolean,
  /** The open forms, or those asked for. */
  forms: Array<FormSummary>,
  /** Revision of the settings. */
  settingsRevision: number,
} | { "kind": "started",
  /** The form. */
  form: FormSnapshot,
  /** For bridges. */
  remote: Started,
} | { "kind": "completed",
  /** How. */
  outcome: Outcome,
  /** By whom. */
  resolvedBy: ResolvedBy,
  /** For bridges. */
  remote: Completed,
} | { "kind": "submit-result",
  /** For bridges. */
  remote: SubmitResult,
} | { "kind": "acknowledged",
} | { "kind": "settings-changed",
  /** New revision. */
  revision: number,
  /** Dotted keys. */
  changed: Array<string>,
  /** All of them. */
  settings: Settings,
} | { "kind": "viewing",
  /** Which. */
  viewer: Viewer,
} | { "kind": "left",
  /** Which. */
  connectionId: string,
} | { "kind": "draft",
  /** Its revision. */
  revision: number,
  /** From which connection. */
  connectionId: string,
} | { "kind": "owner",
  /** Whether it is there. */
  attached: boolean,
} | { "kind": "notify",
  /** `bell`, `osc9` or `osc777`. */
  channel: string,
  /** Title. */
  title: string,
  /** One line. */
  message: string,
  /** For `notification/done`. */
  token: string,
} | { "kind": "shutting-down",
} | { "kind": "lagged",
});

/** In which host modes the tool is declared. */
export type Expose = "all" | "tui";

/** Params of `form/fallback`. */
export type FallbackParams = {
  /** `ask` when left out. */
  contract?: Contract,
  /** The tool's parameters, any JSON. */
  params: JsonValue,
};

/** Params of `form/forget`: one finished form, or all that ended before a time. */
export type ForgetParams = {
  /** One form, whether or not its result reached its owner. */
  formId?: string | null,
  /** All that ended before this and whose results reached their owners. */
  before?: number,
};

/** Result of `form/forget`. */
export type ForgetResult = {
  /** How many were removed. */
  forgotten: number,
  /** How many ended before the time too, but stay because their results are pending. */
  kept: number,
};

/** A form, trimmed, defaulted and valid (`NormalizedForm` in protocol.md §3). */
export type Form = {
  /** The contract the form was written in. */
  contract: Contract,
  /** Heading over all questions. */
  title?: string | null,
  /** Text of the questionnaire's submit entry. */
  submitLabel?: string | null,
  /** At least one. */
  questions: Array<Question>,
  /** Where the two contracts differ. */
  rules: Rules,
};

/** Params that only name a form. */
export type FormRef = {
  /** The form. */
  formId: string,
};

/** A whole form. */
export type FormSnapshot = {
  /** Normalized. */
  form: Form,
  /** What was entered; only for frontends and admins. */
  draft?: Draft | null,
  /** The draft's revision, 0 without one. */
  draftRevision: number,
  /** The form. */
  formId: string,
  /** Its contract. */
  contract: Contract,
  /** Its state. */
  state: FormState,
  /** The durable event that changed it last. */
  seq: number,
  /** Its title. */
  title?: string | null,
  /** How many questions it has. */
  questionCount: number,
  /** The first prompt as one line of at most 200 characters. */
  firstPrompt: string,
  /** What brought it about. */
  source: Source,
  /** The tool call it answers. */
  toolCallId?: string | null,
  /** Who asks; in summaries without `context`. */
  origin: Origin,
  /** Whether the agent waits. */
  mode: Mode,
  /** Who has to answer. */
  requires?: Requires | null,
  /** When it was asked. */
  createdAt: number,
  /** When it expires. */
  expiresAt?: number,
  /** Whether the asking side is there. */
  owner: Owner,
  /** Who shows it now. */
  viewers: Array<Viewer>,
  /** Whether something was entered and kept. */
  drafted: boolean,
  /** Its end. */
  outcome?: Outcome | null,
  /** When it ended. */
  resolvedAt?: number,
  /** Who ended it. */
  resolvedBy?: ResolvedBy | null,
  /** How far its result has come. */
  delivery: Delivery,
};

/** Whether a form still waits for an answer. */
export type FormState = "open" | "resolved";

/** A form without its questions. */
export type FormSummary = {
  /** The form. */
  formId: string,
  /** Its contract. */
  contract: Contract,
  /** Its state. */
  state: FormState,
  /** The durable event that changed it last. */
  seq: number,
  /** Its title. */
  title?: string | null,
  /** How many questions it has. */
  questionCount: number,
  /** The first prompt as one line of at most 200 characters. */
  firstPrompt: string,
  /** What brought it about. */
  source: Source,
  /** The tool call it answers. */
  toolCallId?: string | null,
  /** Who asks; in summaries without `context`. */
  origin: Origin,
  /** Whether the agent waits. */
  mode: Mode,
  /** Who has to answer. */
  requires?: Requires | null,
  /** When it was asked. */
  createdAt: number,
  /** When it expires. */
  expiresAt?: number,
  /** Whether the asking side is there. */
  owner: Owner,
  /** Who shows it now. */
  viewers: Array<Viewer>,
  /** Whether something was entered and kept. */
  drafted: boolean,
  /** Its end. */
  outcome?: Outcome | null,
  /** When it ended. */
  resolvedAt?: number,
  /** Who ended it. */
  resolvedBy?: ResolvedBy | null,
  /** How far its result has come. */
  delivery: Delivery,
};

/** What kind of frontend a connection is. */
export type FrontendInfo = {
  /** `tui`, `dialog`, `line`, `notification`, `web` or another word. */
  kind: string,
  /** Whether a person works with it. */
  human: boolean,
};

/** For all frontends. */
export type Frontends = {
  /** Milliseconds after first paint in which no key answers. */
  armingDelayMs: number,
  /** `auto`, `dark`, `light` or `none`. */
  theme: Theme,
};

/** The first call of a connection. */
export type InitializeParams = {
  /** Who is calling. */
  client: Program,
  /** What it wants to do. */
  roles: Roles,
  /** The protocol version it speaks. */
  protocol: number,
  /** Present on frontends. */
  frontend?: FrontendInfo | null,
};

/** What the daemon is and allows. */
export type InitializeResult = {
  /** Name `askd` and its version. */
  server: Program,
  /** The protocol version in use. */
  protocol: number,
  /** This process. */
  instanceId: string,
  /** This database. */
  store: string,
  /** This connection. */
  connectionId: string,
  /** The roles granted. */
  roles: Array<Role>,
  /** The newest durable event. */
  seq: number,
  /** What the daemon can do; an absent word means it cannot. */
  capabilities: Array<string>,
};

/** One fault in a payload: where, and what to do about it. */
export type Issue = {
  /** Like `questions[0].options[2].value`. */
  path: string,
  /** What was expected and how to mend it. */
  message: string,
};

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** Limits of protocol §1. Sizes are bytes. */
export type Limits = {
  /** One message. */
  messageBytes: number,
  /** Questions a form. */
  questions: number,
  /** Options a question. */
  options: number,
  /** One text field. */
  textBytes: number,
  /** One draft. */
  draftBytes: number,
  /** One tool result. */
  toolResultBytes: number,
  /** Connections at once. */
  connections: number,
  /** Subscriptions a connection. */
  subscriptions: number,
  /** Calls in flight a connection, waits apart. */
  calls: number,
  /** Open forms. */
  openForms: number,
  /** Open forms a session. */
  openFormsPerSession: number,
  /** All open forms together. */
  openFormBytes: number,
  /** Waiting to be read by one connection. */
  queuedBytes: number,
};

/** Params of `form/list`. */
export type ListParams = {
  /** `open` when left out. */
  state?: StateFilter,
  /** Only this agent's. */
  agent?: string | null,
  /** Only this conversation's. */
  session?: string | null,
  /** Only this tool call's. */
  toolCallId?: string | null,
  /** Only forms whose result has come this far. */
  delivery?: Delivery | null,
  /** Forms a page, 100 when left out, at most 1,000. */
  limit?: number | null,
  /** `nextCursor` of the page before. */
  cursor?: string | null,
  /** Snapshots instead of summaries. */
  full?: boolean | null,
};

/** A page of `form/list`. */
export type ListResult = {
  /** Summaries, or snapshots with `full`. */
  forms: Array<ListedForm>,
  /** Present when there is more. */
  nextCursor?: string | null,
};

/** One row of `form/list`. */
export type ListedForm = FormSnapshot | FormSummary;

/** The TCP listener; read from the file only. */
export type Listen = {
  /** `127.0.0.1:PORT`; off without one. */
  address: string | null,
  /** Allowed values of `Origin`. */
  origins: Array<string>,
  /** Allowed values of `Host` beside loopback names. */
  hosts: Array<string>,
};

/** Whether the asking side waits for the answer (questionnaire "Modes", protocol.md §3). */
export type Mode = "urgent" | "background";

/** A model by provider and id. */
export type Model = {
  /** Like `anthropic`. */
  provider: string,
  /** Like `claude-haiku-4-5`. */
  id: string,
};

/** A fault in the settings, told to the person. */
export type Notice = {
  /** A word for programs. */
  kind: string,
  /** A sentence for the person. */
  text: string,
};

/** How the person is told. */
export type Notifications = {
  /** At all. */
  enabled: boolean,
  /** In this order. */
  channels: Array<Channel>,
  /** Buttons that answer, on desktop notifications. */
  answerButtons: boolean,
  /** Keep the question out of notifications. */
  privacy: boolean,
  /** What the desktop notification's Open runs; read from the file only. */
  openCommand: string | null,
};

/** Who asks, as it says itself. */
export type Origin = {
  /** The agent program, like `pi`. */
  agent?: string | null,
  /** The conversation. */
  session?: string | null,
  /** Its working directory. */
  cwd?: string | null,
  /** The conversation's title. */
  title?: string | null,
  /** The chain of agents above a sub-agent, outermost first. */
  parents?: Array<string> | null,
  /** What the agent said just before; only in snapshots, not in summaries. */
  context?: string | null,
};

/** The end of a form (protocol.md §3). */
export type Outcome = {
  /** What became of it. */
  kind: OutcomeKind,
  /** Why, only when cancelled. */
  reason?: Reason | null,
  /** The normalized response in question order, all notes kept; none when cancelled. */
  answers?: { [key in string]: AnswerData } | null,
};

/** What became of a form. */
export type OutcomeKind = "submitted" | "elaborated" | "cancelled";

/** Whether the asking side is there. */
export type Owner = {
  /** A connection that waited for the form is open. */
  attached: boolean,
  /** There was one once, and has been none for 60 s; absent when not so. */
  orphaned?: boolean,
};

/** Params of `settings/patch`. */
export type PatchParams = {
  /** Merge patch: null removes, arrays are replaced whole. */
  patch: JsonValue,
  /** The revision the patch was made against; any when left out. */
  revision?: number,
};

/** A program's name and version. */
export type Program = {
  /** Like `pi-askd`. */
  name: string,
  /** Like `1.2.0`. */
  version: string,
};

/** One question. */
export type Question = {
  /** Unique within the form; answers are keyed by it. */
  id: string,
  /** Short name, for tabs and result lines. */
  label: string,
  /** Context below the question (questionnaire). */
  header?: string | null,
  /** The question itself. */
  prompt: string,
  /** The type as presented. */
  type: QuestionType,
  /** The type the agent asked for, only where it differs from `type`. */
  requestedType?: QuestionType | null,
  /** The type it is presented as, only where it differs from the requested one. */
  presentedType?: QuestionType | null,
  /** Advisory under the ask contract, enforced under the questionnaire. */
  required: boolean,
  /** Placeholder of a typed question. */
  placeholder?: string | null,
  /** The row for typed text beside the options; none when there is no such row. */
  custom?: CustomRow | null,
  /** Fewest selections (questionnaire, multiple choice). */
  min?: number | null,
  /** Most selections (questionnaire, multiple choice). */
  max?: number | null,
  /** In the agent's order; empty on a typed question. */
  options: Array<Choice>,
};

/** How a question is answered. `text` exists in the questionnaire only. */
export type QuestionType = "single" | "multi" | "preview" | "text";

/** Why a form was cancelled (protocol.md §3). */
export type Reason = "dismissed" | "aborted" | "superseded" | "session_closed" | "expired";

/** Who has to answer. */
export type Requires = "person";

/** Result of `form/submit` and `form/cancel`. */
export type Resolution = {
  /** What became of the form. */
  outcome: Outcome,
  /** By whom. */
  resolvedBy: ResolvedBy,
};

/** Who resolved a form, as the daemon sees it (protocol §3, "Who answered"). */
export type ResolvedBy = {
  /** Roles of the connection; none for the daemon itself. */
  roles: Array<Role>,
  /** The client program; absent for the daemon itself. */
  client?: Program | null,
  /** The kind of frontend. */
  kind?: string | null,
  /** The token's id, on TCP. */
  token?: string | null,
  /** Process id of a socket peer. */
  pid?: number | null,
  /** Executable of a socket peer. */
  exe?: string | null,
  /** The agent marker found in the peer's environment. */
  agent?: string | null,
  /** Milliseconds the form was shown before the answer. */
  viewedMs?: number,
  /** Whether a person answered, as far as the daemon can see. */
  person: boolean,
};

/** What a frontend or bridge sends (protocol.md §3). */
export type Response = { "kind": "answer",
  /** `submit` when left out. */
  mode?: ResponseMode,
  /** By question id. */
  answers: { [key in string]: AnswerData },
} | { "kind": "cancel" };

/** How an answered form is meant. */
export type ResponseMode = "submit" | "elaborate";

/** What is kept of finished forms. What is pending is never removed. */
export type Retention = {
  /** How many. */
  resolvedForms: number,
  /** For how many days. */
  days: number,
};

/** When a form has a review step. */
export type Review = "always" | "whenSeveral";

/** A role a client asks for when it connects. */
export type Role = "agent" | "frontend" | "bridge" | "admin";

/** One role or several. */
export type Roles = Role | Array<Role>;

/** The behaviour that differs between the contracts, as data. */
export type Rules = {
  /** When there is a review step. */
  review: Review,
  /** Whether notes may be written. */
  notes: boolean,
  /** Whether the person may ask for elaboration. */
  elaborate: boolean,
  /** Whether the person may change a question's type. */
  typeChange: boolean,
  /** Whether `required`, `min` and `max` block a submission. */
  enforced: boolean,
  /** What leaving an unsent form asks for. */
  dismiss: Dismiss,
  /** What a digit key does beside selecting. */
  digits: Digits,
};

/** Where a value comes from. */
export type SettingSource = "default" | "file" | "env" | "flag";

/** All settings. Every field has a default; a file names only what differs. */
export type Settings = {
  /** Version of this shape, 5. */
  schemaVersion: number,
  /** Extraction for `/answer`. */
  answer: Answer,
  /** How a form behaves under the ask contract. */
  behaviour: Behaviour,
  /** Keys by action, by context. */
  keymaps: { [key in string]: { [key in string]: Array<string> } },
  /** How the person is told. */
  notifications: Notifications,
  /** For all frontends. */
  frontends: Frontends,
  /** The agent's tool. */
  tool: Tool,
  /** What is kept of finished forms. */
  retention: Retention,
  /** Limits of protocol §1. */
  limits: Limits,
  /** TCP listener; off without an address. */
  listen: Listen,
};

/** What `settings/*` gives. */
export type SettingsState = {
  /** In force. */
  settings: Settings,
  /** Grows with every change. */
  revision: number,
  /** Absolute path of the file. */
  file: string,
  /** Whether a save can succeed. */
  writable: boolean,
  /** Faults only. */
  notices: Array<Notice>,
  /** Where each value comes from, by dotted key. */
  sources: { [key in string]: SettingSource },
};

/** What brought a form about. */
export type Source = "tool" | "answer" | "answer:again" | "ask:replay" | "ask:resume";

/** A form was asked. */
export type Started = {
  /** Always 1. */
  version: number,
  /** The formId. */
  flowId: string,
  /** The tool call it answers. */
  toolCallId?: string | null,
  /** What brought it about. */
  source: Source,
  /** Its title. */
  title?: string | null,
  /** Normalized. */
  questions: Array<Question>,
  /** When. */
  createdAt: number,
};

/** Which forms `form/list` gives. */
export type StateFilter = "open" | "resolved" | "all";

/** Result of `daemon/status`. */
export type Status = {
  /** The daemon's version. */
  version: string,
  /** The protocol version. */
  protocol: number,
  /** Its process. */
  pid: number,
  /** This process, as a name. */
  instanceId: string,
  /** This database, as a name. */
  store: string,
  /** When it started. */
  startedAt: number,
  /** How many forms wait. */
  openForms: number,
  /** How many finished ones are kept. */
  resolvedForms: number,
  /** Who is attached. */
  connections: Array<ConnectionStatus>,
  /** Where it listens: `unix:PATH`, `tcp:ADDRESS`. */
  listeners: Array<string>,
  /** Where the forms are kept. */
  database: DatabaseStatus,
  /** The newest durable event. */
  seq: number,
};

/** Why a remote submission was refused. */
export type SubmitError = "invalid_request" | "flow_not_found" | "invalid_answer";

/** Params of `form/submit`. */
export type SubmitParams = {
  /** The form. */
  formId: string,
  /** A `Response`; faults inside it are `invalidAnswer`. */
  response: JsonValue,
  /** Live type changes. */
  presentedTypes?: { [key in string]: QuestionType } | null,
  /** Idempotent within the form. */
  requestId?: string | null,
};

/** What a submission came to. */
export type SubmitResult = {
  /** Always 1. */
  version: number,
  /** As sent; empty when it was missing. */
  requestId: string,
  /** As sent; empty when it was missing. */
  flowId: string,
  /** Whether it was accepted. */
  ok: boolean,
  /** Why not. */
  error?: SubmitError | null,
  /** Why not, in words. */
  message?: string | null,
  /** Where, in an answer. */
  path?: string | null,
};

/** Params of `events/subscribe`. */
export type SubscribeParams = {
  /** Replay what came after this durable event. */
  since?: number,
  /** The database `since` belongs to. */
  store?: string | null,
  /** Only these kinds; `snapshot`, `lagged` and `shutting-down` come always. */
  kinds?: Array<string> | null,
  /** Only these forms. */
  forms?: Array<string> | null,
};

/** Params of `notification/test`. */
export type TestParams = {
  /** Only this one, configured or not (`command`: those that are); else the configured ones. */
  channel?: ChannelKind | null,
};

/** Result of `notification/test`. */
export type TestResult = {
  /** In the order they were tried. */
  attempts: Array<Attempt>,
};

/** Colours. */
export type Theme = "auto" | "dark" | "light" | "none";

/** The agent's tool. */
export type Tool = {
  /** Which contract `ask_user` speaks. */
  contract: Contract,
  /** In which host modes it is declared. */
  expose: Expose,
  /** Whether it is there at all. */
  enabled: boolean,
};

/** What an agent's tool call returns (protocol.md §3). */
export type ToolResult = {
  /** For the agent. */
  content: Array<Content>,
  /** For the person, a line each. */
  transcript: Array<string>,
  /** The ask contract's `details`. */
  details?: JsonValue | null,
  /** The questionnaire's `structuredContent`. */
  structuredContent?: JsonValue | null,
};

/** Params of `form/validate`. */
export type ValidateParams = {
  /** `ask` when left out. */
  contract?: Contract,
  /** The tool's parameters, any JSON. */
  params: JsonValue,
  /** `tool` when left out. */
  source?: Source,
};

/** Result of `form/validate`. */
export type ValidateResult = {
  /** Always true. */
  ok: boolean,
  /** Normalized. */
  form: Form,
  /** Unknown fields, by path. */
  warnings: Array<Issue>,
} | {
  /** Always false. */
  ok: boolean,
  /** Every fault. */
  issues: Array<Issue>,
};

/** Params of `form/view`. */
export type ViewParams = {
  /** The form. */
  formId: string,
  /** Whether its window has the focus. */
  focused?: boolean | null,
  /** The form's key, when a host handed it over. */
  viewKey?: string | null,
};

/** A connection that shows a form. */
export type Viewer = {
  /** The connection. */
  connectionId: string,
  /** Its kind. */
  kind: string,
  /** Its program. */
  client: Program,
  /** Whether its window has the focus, where it says so. */
  focused?: boolean | null,
};

/** Params of `form/wait`. */
export type WaitParams = {
  /** The form. */
  formId: string,
  /** Milliseconds; 30,000 when left out, 0 answers at once, above 240,000 is 240,000. */
  timeoutMs?: number,
};

/** Result of `form/wait`. */
export type WaitResult = { "state": "open" } | { "state": "resolved",
  /** What became of it. */
  outcome: Outcome,
  /** By whom. */
  resolvedBy: ResolvedBy,
  /** For the agent. */
  toolResult: ToolResult,
};
