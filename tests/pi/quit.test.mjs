// Quitting and aborting with a form open: which of the two it was decides what becomes of the form.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, packages, single } from "./lib/forms.mjs";
import { sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

async function shown(t, { args = [], settings, payload = single, env } = {}) {
  const world = await sandbox(t, [call(payload), done], { settings, env });
  const pi = new Terminal(world, { args });
  await pi.prompt();
  await pi.shows(/Which (database|packages) should/);
  return { world, pi };
}

for (const signal of ["SIGTERM", "SIGHUP"]) {
  test(`${signal}: Pi ends in well under a second, the form stays open and opens again with its draft`, async (t) => {
    const { world, pi } = await shown(t);
    await pi.press("Down", "Space");
    await until("the draft", async () => (await world.openForms())[0].drafted);
    pi.signal(signal);
    const took = await pi.ended(5_000);
    assert.ok(took < 800, `took ${took} ms`);
    await until("no frontend", () => world.frontends().length === 0, 1_000);
    const [form] = await world.openForms();
    assert.equal(world.custom("askd:interrupted")[0].data.formId, form.formId);
    assert.equal(world.toolResults()[0].details.cancelled, true);
    pi.kill();

    const again = new Terminal(world, { args: ["-c"] });
    await again.shows("Which database should we use?", /❯ 2\..*SQLite/);
    await again.press("Enter");
    await again.shows("Review");
    await again.type("1");
    await again.type("1");
    await again.shows("DB: SQLite");
    await until("the answer at the model", () => world.userTexts().at(-1) === "DB: SQLite");
    assert.equal(world.custom("ask:pending-dismissed").length, 1);
    assert.equal(world.sessionFiles().length, 1);
  });
}

test("Ctrl+C twice at Pi's prompt while the form is put away quits and keeps it", async (t) => {
  const { world, pi } = await shown(t);
  await pi.press("C-q");
  await pi.shows("A question waits");
  pi.signal("SIGTERM");
  await pi.ended(5_000);
  assert.equal((await world.openForms()).length, 1);
});

test("Esc of the run while the form is put away cancels it, aborted", async (t) => {
  const { world, pi } = await shown(t);
  await pi.press("C-q");
  await pi.shows("A question waits");
  await pi.press("Escape");
  const form = await until("the form's end", async () => (await world.askJson("history"))[0]);
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "aborted"]);
  await pi.hides("A question waits");
  assert.equal(world.custom("askd:interrupted").length, 0);
});

test("a session switch keeps the form for the session it belongs to", async (t) => {
  const { world, pi } = await shown(t);
  await pi.press("C-q");
  await pi.shows("A question waits");
  await pi.type("/new");
  await pi.press("Enter");
  await until("the entry", () => world.custom("askd:interrupted").length === 1);
  await pi.hides("A question waits");
  const [form] = await world.openForms();
  const [file] = world.sessionFiles();
  await until("the form to be let go", async () => !(await world.openForms())[0].owner.attached);
  pi.kill();
  const again = new Terminal(world, { args: ["--session", file] });
  await again.shows("Which database should we use?");
  assert.deepEqual((await world.openForms()).map(({ formId }) => formId), [form.formId]);
});

test("without a session file nothing reopens: SIGTERM cancels, aborted", async (t) => {
  const { world, pi } = await shown(t, { args: ["--no-session"] });
  pi.signal("SIGTERM");
  await pi.ended(5_000);
  const [form] = await world.askJson("history");
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "aborted"]);
  await until("no frontend", () => world.frontends().length === 0, 1_000);
});

test("an urgent questionnaire ends with the session", async (t) => {
  const { world, pi } = await shown(t, { settings: { tool: { contract: "questionnaire" } }, payload: { ...packages, mode: "urgent" } });
  pi.signal("SIGTERM");
  await pi.ended(5_000);
  const [form] = await world.askJson("history");
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "session_closed"]);
});

test("a background questionnaire ends with the session and steers nothing", async (t) => {
  const { world, pi } = await shown(t, { settings: { tool: { contract: "questionnaire" } }, payload: packages });
  pi.signal("SIGHUP");
  await pi.ended(5_000);
  const [form] = await world.askJson("history");
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "session_closed"]);
  pi.kill();
  const again = new Terminal(world, { args: ["-c"] });
  await again.ready();
  assert.deepEqual(world.userMessages(), ["go"]);
});

test("kill -9 of Pi leaves no frontend and the form open", async (t) => {
  const { world, pi } = await shown(t);
  pi.signal("SIGKILL");
  await until("no frontend", () => world.frontends().length === 0, 2_000);
  assert.equal((await world.openForms()).length, 1);
});
