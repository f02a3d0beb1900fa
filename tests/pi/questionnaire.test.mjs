// The questionnaire contract in Pi: background, urgent, exposure, and its own files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { call, done, packages } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { EXTENSION, sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

const settings = { tool: { contract: "questionnaire" } };
const urgent = { ...packages, mode: "urgent" };
const slow = { text: "working on it ".repeat(20), chunkChars: 10, chunkDelayMs: 60 };

async function started(t, turns, options) {
  const world = await sandbox(t, turns, { settings, ...options });
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("Which packages should change?");
  return { world, pi };
}

const answersSent = (world, text) => world.userMessages().filter((message) => message === text).length;

test("background: the pending result at once, and answers to an idle agent start a turn, once", async (t) => {
  const { world, pi } = await started(t, [call(packages), { text: "meanwhile idle" }, done]);
  await pi.shows("meanwhile idle");
  const [result] = world.toolResults();
  const { transcript, ...kept } = result.details;
  assert.equal(transcript.length, 1);
  assert.deepEqual(kept, {
    cancelled: false,
    pending: true,
    answers: [{ id: "scope", question: "Which packages should change?", skipped: false, selections: [] }],
  });
  await pi.press("Space", "Enter");
  await pi.shows("all done");
  await until("the message", () => answersSent(world, "Scope: Core") === 1);
  await until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
  assert.deepEqual(world.userTexts(), ["go", "Scope: Core"]);
});

test("background: answers to a streaming agent arrive at the next boundary, once", async (t) => {
  const { world, pi } = await started(t, [call(packages), slow, done]);
  await pi.press("Space", "Enter");
  await pi.shows("all done");
  await until("the message", () => answersSent(world, "Scope: Core") === 1);
  assert.equal(world.requests().length, 3);
  await until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
});

test("background: a second one is an error that names the open one", async (t) => {
  const { world } = await started(t, [call({ ...packages, title: "Scope of the change" }, "a"), call(packages, "b"), done]);
  const second = await until("the second result", () => world.toolResults()[1]);
  assert.equal(second.isError, true);
  assert.match(second.content[0].text, /Scope of the change/);
  assert.equal((await world.openForms()).length, 1);
});

test("background: cancelled by the person steers one line", async (t) => {
  const { world, pi } = await started(t, [call(packages), { text: "meanwhile idle" }, done]);
  await pi.shows("meanwhile idle");
  await pi.press("Escape");
  await pi.shows(/again cancels/);
  await pi.press("Escape");
  await until("the line", () => world.userMessages().length === 2);
  assert.match(world.userMessages()[1], /cancel/i);
});

test("background: answered while Pi was dead, delivered at the next start, once", async (t) => {
  const { world, pi } = await started(t, [call(packages), { text: "meanwhile idle" }, done]);
  await pi.shows("meanwhile idle");
  pi.signal("SIGKILL");
  await pi.ended();
  pi.kill();
  assert.equal((await world.ask("answer", "--values", "scope=cli")).code, 0);
  const again = new Terminal(world, { args: ["-c"] });
  await again.shows("Scope: CLI");
  await until("the message", () => answersSent(world, "Scope: CLI") === 1);
  await until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
});

test("what a killed session left open is cancelled at its next start", async (t) => {
  const { world, pi } = await started(t, [call(packages), { text: "meanwhile idle" }, done]);
  await pi.shows("meanwhile idle");
  pi.signal("SIGKILL");
  await pi.ended();
  pi.kill();
  const again = new Terminal(world, { args: ["-c"] });
  await again.ready();
  const form = await until("the form's end", async () => (await world.askJson("history"))[0]);
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "session_closed"]);
  assert.deepEqual(world.userMessages(), ["go"]);
});

test("a new session cancels the background one", async (t) => {
  const { world, pi } = await started(t, [call(packages), { text: "meanwhile idle" }, done]);
  await pi.shows("meanwhile idle");
  await pi.press("C-q");
  await pi.shows("A question waits");
  await pi.type("/new");
  await pi.press("Enter");
  const form = await until("the form's end", async () => (await world.askJson("history"))[0]);
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "session_closed"]);
});

test("RPC waits in either mode, and ticks until Done", async (t) => {
  const world = await sandbox(t, [call(packages), done], { settings });
  const pi = new Rpc(world);
  pi.prompt();
  const first = await pi.dialog("select");
  assert.deepEqual(first.options, ["[ ] Core", "[ ] CLI", "Type your own", "Done"]);
  pi.reply(first, { value: "[ ] CLI" });
  const second = await pi.dialog("select");
  pi.reply(second, { value: "Done" });
  const { result } = await pi.toolEnd();
  assert.equal(result.content[0].text, "Scope: CLI");
  assert.deepEqual(result.structuredContent, {
    cancelled: false,
    answers: [{ id: "scope", question: "Which packages should change?", skipped: false, selections: [{ value: "cli", label: "CLI", custom: false }] }],
  });
});

test("urgent waits in the terminal", async (t) => {
  const { world, pi } = await started(t, [call(urgent), done]);
  assert.equal(world.toolResults().length, 0);
  await pi.press("Space", "Enter");
  await pi.shows("all done");
  assert.equal(world.toolResults()[0].content[0].text, "Scope: Core");
});

const toolNames = (world) => world.requests()[0].tools.map((tool) => tool.function.name);

async function toolsIn(t, options) {
  const world = await sandbox(t, [done], options);
  const pi = new Rpc(world);
  pi.prompt();
  await pi.settled();
  return toolNames(world);
}

test("exposure and switch: our own settings, and the questionnaire's files where ours are silent", async (t) => {
  const qol = (name, value) => ({ [`agent/pi-qol/${name}.json`]: value });
  const has = async (options) => (await toolsIn(t, options)).includes("ask_user");
  assert.equal(await has({ settings }), true);
  assert.equal(await has({ settings: { tool: { ...settings.tool, expose: "tui" } } }), false);
  assert.equal(await has({ settings: { tool: { ...settings.tool, enabled: false } } }), false);
  assert.equal(await has({ settings, files: qol("ask-questions", { version: 1, expose: "tui" }) }), false);
  assert.equal(await has({ settings, files: qol("qol", { "ask-questions": false }) }), false);
  assert.equal(await has({ settings: { tool: { ...settings.tool, expose: "all", enabled: true } }, files: { ...qol("ask-questions", { expose: "tui" }), ...qol("qol", { "ask-questions": false }) } }), true);
  assert.equal(await has({ files: qol("qol", { "ask-questions": false }) }), true, "the files are the questionnaire's");
});

test("/qol writes its file and keeps the other keys; not under the ask contract, not beside another's", async (t) => {
  const world = await sandbox(t, [done], { settings, files: { "agent/pi-qol/qol.json": { other: [1] } } });
  const pi = new Rpc(world);
  await pi.response(pi.prompt("/qol off ask-questions"));
  const file = () => JSON.parse(readFileSync(join(world.dir, "agent/pi-qol/qol.json"), "utf8"));
  assert.deepEqual(file(), { other: [1], "ask-questions": false });
  await pi.response(pi.prompt("/qol on ask-questions"));
  assert.deepEqual(file(), { other: [1], "ask-questions": true });
  await pi.response(pi.prompt("/qol sideways"));
  assert.match(pi.notices().at(-1), /Usage: \/qol/);

  const names = async (settings, extensions) => {
    const other = await sandbox(t, [done], { settings, files: { "qol.ts": 'export default (pi) => pi.registerCommand("qol", { description: "theirs", handler: async () => {} });' } });
    const rpc = new Rpc(other, { extensions: extensions(other) });
    const { data } = await rpc.response(rpc.send({ type: "get_commands" }));
    return data.commands.filter((command) => /^qol/.test(command.name)).map((command) => [command.name, command.description]);
  };
  assert.deepEqual(await names(undefined, () => [EXTENSION]), []);
  assert.deepEqual(await names(settings, (other) => [EXTENSION, join(other.dir, "qol.ts")]), [["qol", "theirs"]]);
});
