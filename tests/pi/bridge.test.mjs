// An extension in the same Pi shows, answers and cancels forms over pi.events.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { call, done, single, three } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { EXTENSION, sandbox } from "./lib/sandbox.mjs";
import { until } from "./lib/until.mjs";

// Ten lines, as a bridge's author would write them: notes every event, and answers each form with the next submission.
const BRIDGE = `
import { appendFileSync } from "node:fs";
export default function (pi) {
  const next = JSON.parse(process.env.SUBMISSIONS);
  const note = (channel, data) => appendFileSync(process.env.SEEN, JSON.stringify({ channel, data }) + "\\n");
  let flow;
  const submit = () => next.length && pi.events.emit("@geoqiao/pi-ask:submit", { version: 1, flowId: flow, ...next.shift() });
  pi.events.on("@geoqiao/pi-ask:started", (data) => { note("started", data); flow = data.flowId; submit(); });
  pi.events.on("@geoqiao/pi-ask:submit-result", (data) => { note("submit-result", data); submit(); });
  pi.events.on("@geoqiao/pi-ask:completed", (data) => note("completed", data));
}`;

async function bridged(t, args, submissions) {
  const world = await sandbox(t, [call(args), done], { files: { "bridge.ts": BRIDGE } });
  const seenFile = join(world.dir, "seen.jsonl");
  const pi = new Rpc(world, { extensions: [EXTENSION, join(world.dir, "bridge.ts")], env: { SEEN: seenFile, SUBMISSIONS: JSON.stringify(submissions) } });
  pi.prompt();
  const seen = () => (existsSync(seenFile) ? readFileSync(seenFile, "utf8").trim().split("\n").map(JSON.parse) : []);
  return { world, pi, seen };
}

const answer = (requestId, answers, mode) => ({ requestId, response: { kind: "answer", ...(mode && { mode }), answers } });

test("a bridge answers: labels and indices are the daemon's, completed comes before submit-result", async (t) => {
  const answers = { db: { values: ["sqlite"], note: "fast", optionNotes: { sqlite: "n1", mysql: "unselected" } }, feats: { values: ["export", "auth"], customText: "telemetry" }, layout: { note: "which?" } };
  const { pi, seen } = await bridged(t, three, [answer("r-ok", answers, "submit")]);
  const { result } = await pi.toolEnd();
  assert.deepEqual(result.details.answers, {
    db: { values: ["sqlite"], labels: ["SQLite"], indices: [2], note: "fast", optionNotes: { sqlite: "n1" } },
    feats: { values: ["export", "auth", "telemetry"], labels: ["Export", "Auth", "telemetry"], indices: [3, 1], customText: "telemetry" },
    layout: { values: [], labels: [], indices: [], note: "which?" },
  });
  await until("all events", () => seen().length === 3);
  const [started, completed, submitted] = seen();
  assert.deepEqual([started.channel, completed.channel, submitted.channel], ["started", "completed", "submit-result"]);
  assert.deepEqual([started.data.version, started.data.source, started.data.toolCallId, started.data.title], [1, "tool", "call_ask_1", "Project setup"]);
  assert.deepEqual(started.data.questions.map((question) => question.type), ["single", "multi", "preview"]);
  assert.deepEqual(completed.data.result.answers, result.details.answers);
  assert.deepEqual(submitted.data, { version: 1, requestId: "r-ok", flowId: started.data.flowId, ok: true });
});

test("a bridge elaborates", async (t) => {
  const { pi } = await bridged(t, three, [answer("r1", { db: { values: ["postgres"], optionNotes: { sqlite: "why sqlite?" } }, feats: { note: "unsure about scope" } }, "elaborate")]);
  const { result } = await pi.toolEnd();
  assert.equal(result.details.mode, "elaborate");
  const [option, question] = result.content[0].text.split("\n");
  assert.match(option, /^User asked to elaborate on question "Which database should we use\?" option "SQLite" .*"why sqlite\?"/);
  assert.match(option, /current answer.*"PostgreSQL"/);
  assert.equal(question, 'User asked to elaborate on question "Which features should be in v1?" with note "unsure about scope"');
  assert.deepEqual(result.details.continuation.affectedQuestionIds, ["db", "feats"]);
});

test("a bridge cancels", async (t) => {
  const { pi, seen } = await bridged(t, single, [{ requestId: "r1", response: { kind: "cancel" } }]);
  const { result } = await pi.toolEnd();
  assert.equal(result.details.cancelled, true);
  await until("the result", () => seen().some(({ channel, data }) => channel === "submit-result" && data.ok));
});

test("each error, and the form stays open until a valid answer", async (t) => {
  const { pi, seen } = await bridged(t, single, [
    { requestId: "a", response: { kind: "approve" } },
    { requestId: "b", flowId: "nothing", response: { kind: "cancel" } },
    answer("c", { db: { values: ["oracle"] } }),
    answer("d", { zzz: { values: ["sqlite"] } }),
    { requestId: "e", version: 2, response: { kind: "cancel" } },
    answer("f", { db: { values: ["sqlite"] } }),
    answer("g", { db: { values: ["mysql"] } }),
  ]);
  const { result } = await pi.toolEnd();
  assert.equal(result.content[0].text, "DB: SQLite");
  const results = () => seen().filter(({ channel }) => channel === "submit-result").map(({ data }) => data);
  await until("seven results", () => results().length === 7);
  assert.deepEqual(
    results().map(({ requestId, ok, error }) => [requestId, ok, error]),
    [["a", false, "invalid_request"], ["b", false, "flow_not_found"], ["c", false, "invalid_answer"], ["d", false, "invalid_answer"], ["e", false, "invalid_request"], ["f", true, undefined], ["g", false, "flow_not_found"]],
  );
  assert.ok(results().every(({ ok, message }) => ok || message));
});

test("the dialog's answer reaches bridges too", async (t) => {
  const { pi, seen } = await bridged(t, single, []);
  const card = await pi.dialog("select");
  pi.reply(card, { value: card.options[1] });
  await pi.toolEnd();
  await until("completed", () => seen().some(({ channel }) => channel === "completed"));
  assert.deepEqual(seen().map(({ channel }) => channel), ["started", "completed"]);
});
