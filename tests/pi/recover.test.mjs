// A crash at any point neither loses an answer nor delivers it twice.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, single } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { EXTENSION, sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

/** A Pi that kills itself at the first event of a kind; the killer is loaded first, so that it comes first. */
function dyingAt(world, event) {
  const file = world.write(`die-at-${event}.ts`, `export default function (pi) { pi.on("${event}", () => process.kill(process.pid, "SIGKILL")); }`);
  return { extensions: [file, EXTENSION] };
}

async function shown(t, options = () => ({})) {
  const world = await sandbox(t, [call(single), done, done, done]);
  const pi = new Terminal(world, options(world));
  await pi.prompt();
  await pi.shows("Which database should we use?");
  return { world, pi };
}

/** The form was answered while Pi waited, but Pi died before it wrote the result. */
async function resolvedButNotWritten(t) {
  const { world, pi } = await shown(t, (world) => dyingAt(world, "tool_result"));
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  await pi.ended();
  pi.kill();
  assert.equal(world.toolResults().length, 0);
  return world;
}

async function killed(pi) {
  pi.signal("SIGKILL");
  await pi.ended(5_000);
  pi.kill();
}

/** How often the log holds the answer, as a result or as a message. */
function timesAnswered(world, text = "DB: SQLite") {
  const results = world.toolResults().filter((result) => result.content[0].text === text).length;
  return results + world.userMessages().filter((message) => message === text).length;
}

async function acknowledged(world) {
  return until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
}

/** Resumes and ends again, after the session has had its chance to do something. */
async function resumed(world) {
  const pi = new Terminal(world, { args: ["-c"] });
  await pi.ready();
  await acknowledged(world);
  pi.signal("SIGTERM");
  await pi.ended(5_000);
  pi.kill();
}

test("killed after create: the form opens again, and its answer is in the log once", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const again = new Terminal(world, { args: ["-c"] });
  await again.shows("Which database should we use?", "Reopening the unanswered form: 1 question.");
  await again.press("Down", "Enter");
  await again.shows("Review");
  await again.type("1");
  await again.type("1");
  await until("the message", () => timesAnswered(world) === 1);
  await acknowledged(world);
  await killed(again);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
  assert.equal(world.custom("ask:payload").length, 1);
});

test("killed after resolve: the answer is delivered at once, the form is not shown", async (t) => {
  const world = await resolvedButNotWritten(t);
  const again = new Terminal(world, { args: ["-c"] });
  const screen = await again.shows("DB: SQLite");
  assert.ok(!screen.includes("Reopening"));
  await until("the message", () => timesAnswered(world) === 1);
  await acknowledged(world);
  await killed(again);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
});

test("killed after the answer was announced, before its message: sent once", async (t) => {
  const world = await resolvedButNotWritten(t);
  const dying = new Terminal(world, { args: ["-c"], ...dyingAt(world, "before_agent_start") });
  await dying.ended();
  dying.kill();
  assert.equal(world.custom("askd:delivery").length, 1);
  assert.equal(timesAnswered(world), 0);
  await resumed(world);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
});

test("killed after the result was written, before its acknowledgement: nothing is sent again", async (t) => {
  const { world, pi } = await shown(t, (world) => dyingAt(world, "turn_end"));
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  await pi.ended();
  pi.kill();
  assert.equal(timesAnswered(world), 1);
  assert.equal((await world.askJson("history"))[0].delivery, "pending");
  await resumed(world);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
});

test("killed after the acknowledgement: nothing is sent again", async (t) => {
  const { world, pi } = await shown(t);
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  await acknowledged(world);
  await killed(pi);
  await resumed(world);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
});

test("answered while Pi was dead: delivered at the next start, once", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  const again = new Terminal(world, { args: ["-c"] });
  await again.shows("DB: SQLite");
  await until("the answer at the model", () => world.userTexts().at(-1) === "DB: SQLite");
  await acknowledged(world);
  await killed(again);
  await resumed(world);
  assert.equal(timesAnswered(world), 1);
});

test("cancelled while Pi was dead: it does not open again and nothing is sent", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const [form] = await world.openForms();
  assert.equal((await world.ask("cancel", form.formId)).code, 0);
  await resumed(world);
  assert.equal(world.custom("ask:pending-dismissed").length, 1);
  assert.deepEqual(world.userMessages(), ["go"]);
});

test("a recovered form that is dismissed does not open a second time", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const again = new Terminal(world, { args: ["-c"] });
  await again.shows("Which database should we use?");
  await again.press("Escape");
  await until("the entry", () => world.custom("ask:pending-dismissed").length === 1);
  await killed(again);
  const third = new Terminal(world, { args: ["-c"] });
  await third.ready();
  await acknowledged(world);
  assert.deepEqual(await world.openForms(), []);
});

test("a session recorded by the earlier extension is recovered from its call", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const [form] = await world.openForms();
  await world.ask("cancel", form.formId);
  const [file] = world.sessionFiles();
  const entries = world.log().map((entry) => (entry.customType === "ask:payload" ? { ...entry, data: { version: 1, timestamp: 1, params: entry.data.params, source: "tool", sourceEntryId: "call_ask_1" } } : entry));
  world.write(file.slice(world.dir.length), entries.map((entry) => JSON.stringify(entry)).join("\n") + "\n");
  const again = new Terminal(world, { args: ["-c"] });
  await again.shows("Which database should we use?");
  const [resumedForm] = await world.openForms();
  assert.equal(resumedForm.source, "ask:resume");
});

test("a fork takes the form up by its id", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const [form] = await world.openForms();
  const again = new Terminal(world, { args: ["--fork", world.sessionFiles()[0]] });
  await again.shows("Which database should we use?");
  await until("the owner", async () => (await world.openForms())[0].owner.attached);
  assert.deepEqual((await world.openForms()).map(({ formId }) => formId), [form.formId]);
  assert.equal((await world.ask("answer", "--values", "db=sqlite")).code, 0);
  await again.shows("DB: SQLite");
});

test("recovery is for the terminal interface: RPC leaves the form for later", async (t) => {
  const { world, pi } = await shown(t);
  await killed(pi);
  const rpc = new Rpc(world, { args: ["-c"] });
  await rpc.response(rpc.send({ type: "get_state" }));
  rpc.prompt("hello");
  await rpc.settled();
  await rpc.stop();
  assert.equal((await world.openForms()).length, 1);
  assert.ok(!rpc.records.some((record) => record.method === "select"));
});
