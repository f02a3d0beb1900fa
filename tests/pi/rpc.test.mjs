// Pi over RPC: dialogs in, exact results out, as the model and Pi's own records have them.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, features, layout, one, single, three } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { sandbox } from "./lib/sandbox.mjs";
import { until } from "./lib/until.mjs";

const question = { id: "db", label: "DB", prompt: "Which database should we use?", type: "single" };

async function asked(t, args, options) {
  const world = await sandbox(t, [call(args), done], options);
  const pi = new Rpc(world);
  pi.prompt();
  return { world, pi };
}

/** The result as Pi recorded it, without what the extension keeps for drawing. */
function contractOf({ result, isError }) {
  const { transcript, ...details } = result.details;
  return { content: result.content, details, isError, transcript };
}

test("single choice: one dialog, and the exact result", async (t) => {
  const { world, pi } = await asked(t, single);
  const dialog = await pi.dialog("select");
  assert.equal(dialog.title, "[1/1] DB choice — DB: Which database should we use?");
  assert.deepEqual(dialog.options, ["1. PostgreSQL (recommended) — Mature, relational", "2. SQLite — Zero-config file", "3. MySQL", "Type something…"]);
  const [form] = await world.openForms();
  assert.equal(form.origin.agent, "pi");
  assert.equal(form.origin.cwd, world.cwd);
  assert.equal(form.toolCallId, "call_ask_1");
  pi.reply(dialog, { value: dialog.options[0] });
  assert.deepEqual(contractOf(await pi.toolEnd()), {
    content: [{ type: "text", text: "DB: PostgreSQL" }],
    details: { title: "DB choice", cancelled: false, mode: "submit", questions: [question], answers: { db: { values: ["postgres"], labels: ["PostgreSQL"], indices: [1] } } },
    isError: false,
    transcript: ["✓ DB: PostgreSQL"],
  });
  await pi.settled();
  assert.deepEqual(world.toolTexts(), ["DB: PostgreSQL"]);
  await until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
});

test("the payload is on record before the dialog", async (t) => {
  const { pi } = await asked(t, single);
  await pi.dialog("select");
  const names = pi.records.map((record) => (record.type === "entry_appended" ? record.entry.customType : record.method)).filter(Boolean);
  assert.deepEqual(names.filter((name) => name === "ask:payload" || name === "select"), ["ask:payload", "select"]);
  const { entry } = pi.records.find((record) => record.type === "entry_appended");
  assert.equal(entry.data.sourceEntryId, "call_ask_1");
  assert.deepEqual(entry.data.params, single);
  assert.match(entry.data.formId, /./);
});

test("multi: typed text through the input dialog", async (t) => {
  const { pi } = await asked(t, { questions: [features] });
  const card = await pi.dialog("select");
  pi.reply(card, { value: "Type something…" });
  const input = await pi.dialog("input");
  assert.equal(input.title, "[1/1] Features: Which features should be in v1? — Type something…");
  assert.equal(input.placeholder, "Enter one or more answers");
  pi.reply(input, { value: "auth and export" });
  const { content, details } = contractOf(await pi.toolEnd());
  assert.equal(content[0].text, "Features: auth and export");
  assert.deepEqual(details.answers, { feats: { values: ["auth and export"], labels: ["auth and export"], indices: [], customText: "auth and export" } });
});

test("preview: flattened rows", async (t) => {
  const { pi } = await asked(t, { questions: [layout] });
  const card = await pi.dialog("select");
  assert.equal(card.options[0], "1. Sidebar — Preview: +--+------+ | | | +--+------+");
  pi.reply(card, { value: card.options[1] });
  assert.equal(contractOf(await pi.toolEnd()).content[0].text, "Layout: Top bar");
});

test("a dismissed card skips its question and the others go on", async (t) => {
  const { pi } = await asked(t, three);
  pi.reply(await pi.dialog("select"), { cancelled: true });
  const second = await pi.dialog("select");
  pi.reply(second, { value: second.options[0] });
  const third = await pi.dialog("select");
  pi.reply(third, { value: third.options[0] });
  const { content, details } = contractOf(await pi.toolEnd());
  assert.equal(content[0].text, "DB: (no answer)\nFeatures: Auth\nLayout: Sidebar");
  assert.equal(details.cancelled, false);
  assert.deepEqual(Object.keys(details.answers), ["feats", "layout"]);
});

test("a reply that was not offered cancels", async (t) => {
  const { pi } = await asked(t, single);
  pi.reply(await pi.dialog("select"), { value: "not an option" });
  const { details, isError } = contractOf(await pi.toolEnd());
  assert.equal(details.cancelled, true);
  assert.deepEqual(details.answers, {});
  assert.equal(isError, false);
});

test("abort cancels the form at once, reason aborted", async (t) => {
  const { world, pi } = await asked(t, single);
  await pi.dialog("select");
  const showing = world.frontends();
  const start = Date.now();
  pi.send({ type: "abort" });
  const { details, isError } = contractOf(await pi.toolEnd());
  assert.ok(Date.now() - start < 500, `took ${Date.now() - start} ms`);
  assert.equal(details.cancelled, true);
  assert.deepEqual(details.questions, [question]);
  assert.equal(isError, false);
  assert.equal((await pi.settled()).aborted, true);
  const form = await until("the form's end", async () => (await world.askJson("history"))[0]);
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "aborted"]);
  await until("the frontend's end", () => !showing.some((pid) => world.frontends().includes(pid)));
});

test("an invalid payload never opens a dialog", async (t) => {
  const invalid = { title: "T", questions: [{ id: "a", prompt: " ", options: [{ value: "x", label: "X" }] }, { id: "a", prompt: "P", type: "preview", options: [{ value: "y", label: "Y" }] }] };
  const { world, pi } = await asked(t, invalid);
  const { content, details, isError, transcript } = contractOf(await pi.toolEnd());
  assert.match(content[0].text, /^Invalid ask_user payload:\n- questions\[0\]\.prompt: /);
  assert.equal(details.error.kind, "invalid_input");
  assert.deepEqual(details.error.issues.map((issue) => issue.path), ["questions[0].prompt", "questions[1].id", "questions[1].options[0].preview"]);
  assert.equal(details.cancelled, true);
  assert.equal(isError, false);
  assert.deepEqual(transcript, ["Invalid tool payload"]);
  await pi.settled();
  assert.ok(!pi.records.some((record) => record.method === "select" || record.type === "entry_appended"));
  assert.deepEqual(await world.openForms(), []);
});

test("what the schema refuses stays Pi's own error", async (t) => {
  const { pi } = await asked(t, { questions: [{ id: "a", options: [{ value: "x" }] }] });
  const { result, isError } = await pi.toolEnd();
  assert.equal(isError, true);
  assert.match(result.content[0].text, /Validation failed for tool "ask_user":\n\s+- questions\.0\.prompt: missing/);
});

test("missing and blank labels are derived before the schema check", async (t) => {
  const { pi } = await asked(t, { questions: [{ id: "a", prompt: "P?", options: [{ value: "use-rust" }, { value: "use_go", label: " " }] }] });
  const card = await pi.dialog("select");
  assert.equal(card.title, "[1/1] Q1: P?");
  assert.deepEqual(card.options.slice(0, 2), ["1. Use rust", "2. Use go"]);
  pi.reply(card, { value: card.options[1] });
  assert.equal(contractOf(await pi.toolEnd()).content[0].text, "Q1: Use go");
});

test("two calls in one message ask one after the other", async (t) => {
  const two = { toolCalls: ["First", "Second"].map((label, i) => ({ id: `call_${i}`, name: "ask_user", args: one(label) })) };
  const world = await sandbox(t, [two, done]);
  const pi = new Rpc(world);
  pi.prompt();
  const first = await pi.dialog("select");
  assert.match(first.title, /First/);
  assert.equal((await world.openForms()).length, 1);
  pi.reply(first, { value: first.options[0] });
  const second = await pi.dialog("select");
  assert.match(second.title, /Second/);
  pi.reply(second, { value: second.options[1] });
  await pi.settled();
  assert.deepEqual(world.toolTexts(), ["First: Red", "Second: Blue"]);
});

test("an answer from elsewhere ends the dialog's call", async (t) => {
  const { world, pi } = await asked(t, single);
  await pi.dialog("select");
  const showing = world.frontends();
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  assert.equal(contractOf(await pi.toolEnd()).content[0].text, "DB: SQLite");
  await pi.settled();
  assert.deepEqual(world.toolTexts(), ["DB: SQLite"]);
  await until("the frontend's end", () => !showing.some((pid) => world.frontends().includes(pid)));
});

test("context and title come from the conversation", async (t) => {
  const world = await sandbox(t, [call(single, "call_ask_1", { text: "I looked at the schema; two stores would fit." }), done]);
  const pi = new Rpc(world);
  pi.prompt("Set up the storage");
  await pi.dialog("select");
  const [summary] = await world.openForms();
  assert.equal(summary.origin.title, "Set up the storage");
  const [form] = await world.askJson("show", summary.formId);
  assert.equal(form.origin.context, "I looked at the schema; two stores would fit.");
});

test("kill -9 of the daemon while Pi waits: the form and the wait go on", async (t) => {
  const { world, pi } = await asked(t, single);
  await pi.dialog("select");
  await world.killDaemon();
  assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
  assert.equal(contractOf(await pi.toolEnd()).content[0].text, "DB: MySQL");
});

test("two sessions ask at once and each gets its own answer", async (t) => {
  const world = await sandbox(t, [call(one("Left"), "same_id"), call(one("Right"), "same_id"), done, done]);
  const [left, right] = [new Rpc(world), new Rpc(world)];
  left.prompt();
  const leftCard = await left.dialog("select");
  right.prompt();
  const rightCard = await right.dialog("select");
  assert.equal((await world.openForms()).length, 2);
  right.reply(rightCard, { value: rightCard.options[1] });
  left.reply(leftCard, { value: leftCard.options[0] });
  const ends = [await left.toolEnd(), await right.toolEnd()].map((end) => end.result.content[0].text);
  assert.deepEqual(ends, ["Left: Red", "Right: Blue"]);
});

for (const [how, end] of [["stdin ends", (pi) => pi.child.stdin.end()], ["SIGTERM", (pi) => pi.child.kill("SIGTERM")], ["a new session", (pi) => pi.send({ type: "new_session" })]]) {
  test(`${how} with a dialog open: the form is cancelled and no child is left`, async (t) => {
    const { world, pi } = await asked(t, single);
    await pi.dialog("select");
    const before = world.frontends();
    end(pi);
    const form = await until("the form's end", async () => (await world.askJson("history"))[0]);
    assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "aborted"]);
    await until("the frontend's end", () => !before.some((pid) => world.frontends().includes(pid)));
    if (how === "a new session") return;
    await pi.exited;
    assert.deepEqual(world.frontends(), []);
  });
}

test("a frontend waits beforehand, shows the next form, is replaced, and none is left after quitting", async (t) => {
  const world = await sandbox(t, [call(single, "call_1"), call(single, "call_2"), done]);
  const pi = new Rpc(world);
  const waiting = () => until("one frontend that is connected", () => world.frontends().length === 1 && world.frontends()[0]);
  const first = await waiting();
  pi.prompt();
  for (const before of [first, undefined]) {
    const dialog = await pi.dialog("select");
    const showing = world.frontends();
    assert.equal(showing.length, 1, "none was started for the form, and none waits while it is shown");
    if (before) assert.deepEqual(showing, [before]);
    const [form] = await world.openForms();
    await until("the person who sees it", async () => (await world.askJson("show", form.formId))[0].viewers.length === 1);
    pi.reply(dialog, { value: dialog.options[0] });
    const end = await pi.toolEnd();
    assert.equal(end.result.content[0].text, "DB: PostgreSQL");
    await until("the next to wait", () => world.frontends().length === 1 && world.frontends()[0] !== showing[0]);
  }
  const form = await until("the answers", async () => (await world.askJson("history"))[0]);
  assert.equal(form.resolvedBy.person, true, "the form's key came with it");
  await pi.settled();
  await waiting();
  assert.equal((await pi.stop()).code, 0);
  assert.deepEqual(world.frontends(), []);
});

test("one that waited and died costs nothing: the form gets a frontend of its own", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  const pi = new Rpc(world);
  const waiting = await until("the frontend that waits", () => world.frontends()[0]);
  process.kill(Number(waiting), "SIGKILL");
  pi.prompt();
  const dialog = await pi.dialog("select");
  assert.ok(!world.frontends().includes(waiting));
  pi.reply(dialog, { value: dialog.options[0] });
  assert.equal(contractOf(await pi.toolEnd()).content[0].text, "DB: PostgreSQL");
  assert.deepEqual(pi.notices(), []);
});

test("kill -9 of Pi leaves no waiting frontend", async (t) => {
  const world = await sandbox(t, [done]);
  const pi = new Rpc(world);
  await until("the frontend that waits", () => world.frontends().length === 1);
  pi.child.kill("SIGKILL");
  await until("no frontend", () => world.frontends().length === 0);
});

test("the commands are for the terminal interface", async (t) => {
  const world = await sandbox(t, [done]);
  const pi = new Rpc(world);
  for (const name of ["answer", "answer:again", "ask:replay", "ask-settings"]) await pi.response(pi.prompt(`/${name}`));
  assert.equal(pi.notices().filter((text) => /terminal interface only/.test(text)).length, 4);
  assert.equal(world.requests().length, 0);
});
