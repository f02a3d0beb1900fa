// Pi's own screen, through a pseudo-terminal.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, one, single, tall, three } from "./lib/forms.mjs";
import { sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

const SIZES = [[80, 24], [120, 40]];
const MODES = ["fullscreen", "regular"];

async function shown(t, args, options, more) {
  const world = await sandbox(t, [call(args), done], more);
  const pi = new Terminal(world, options);
  await pi.prompt();
  return { world, pi };
}

const toolResult = (world) => until("the result on record", () => world.toolResults()[0]);

for (const [columns, rows] of SIZES) {
  for (const mode of MODES) {
    const where = `${columns}×${rows}, ${mode}`;

    test(`three questions by keys, ${where}`, async (t) => {
      const { world, pi } = await shown(t, three, { columns, rows, mode });
      await pi.shows("Project setup", "Which database should we use?", "PostgreSQL");
      await pi.press("Down", "Enter");
      await pi.shows("Which features should be in v1?");
      await pi.type("2");
      await pi.type("1");
      await pi.press("Enter");
      await pi.shows("Which layout?", "+--+------+");
      await pi.press("Enter");
      await pi.shows("Review", "Search");
      await pi.type("1");
      await pi.type("1");
      await pi.shows("all done", "✓ DB: SQLite");
      const { content, details } = await toolResult(world);
      assert.equal(content[0].text, "DB: SQLite\nFeatures: Search, Auth\nLayout: Sidebar");
      assert.deepEqual(details.answers.feats, { values: ["search", "auth"], labels: ["Search", "Auth"], indices: [2, 1] });
      assert.deepEqual(world.toolTexts(), [content[0].text]);
      await until("no frontend", () => world.frontends().length === 0);
    });

    test(`a form taller than the screen scrolls inside, ${where}`, async (t) => {
      const { world, pi } = await shown(t, tall, { columns, rows, mode });
      await pi.shows("Pick the right number.", "Number 1");
      for (let i = 0; i < 29; i++) await pi.press("Down");
      const screen = await pi.shows(/❯.*Number 30/);
      assert.ok(screen.includes("Pick the right number."), "the prompt stays in sight");
      assert.ok(screen.includes("mock-1"), "Pi's footer stays in sight");
      await pi.press("Enter");
      await pi.shows("Submit");
      await pi.type("1");
      await pi.type("1");
      await toolResult(world).then(({ content }) => assert.equal(content[0].text, "Number: Number 30"));
    });

    test(`answered elsewhere, ${where}`, async (t) => {
      const { world, pi } = await shown(t, single, { columns, rows, mode });
      await pi.shows("Which database should we use?");
      assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
      await pi.shows("✓ DB: MySQL", "all done");
      assert.equal((await toolResult(world)).content[0].text, "DB: MySQL");
      await until("no frontend", () => world.frontends().length === 0);
    });
  }
}

test("notes, a typed answer, elaborate", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Down");
  await pi.type("n");
  await pi.type("why sqlite?");
  await pi.press("Enter");
  await pi.shows("Note: why sqlite?");
  await pi.press("Tab");
  await pi.shows("Elaborate");
  await pi.type("2");
  await pi.type("2");
  await pi.shows("all done");
  const { content, details } = await toolResult(world);
  assert.equal(details.mode, "elaborate");
  assert.match(content[0].text, /^User asked to elaborate on question "Which database should we use\?" option "SQLite" with note "why sqlite\?"$/);
});

test("a paste is one edit, and keys inside it do nothing", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Down", "Down", "Down");
  await pi.paste("Duck 1?\nDB");
  await pi.shows("Duck 1?");
  await pi.press("Enter");
  await pi.shows("Review");
  await pi.type("1");
  await pi.type("1");
  const { details } = await toolResult(world);
  assert.equal(details.answers.db.customText, "Duck 1?\nDB");
});

test("Esc dismisses: cancelled, and the run goes on", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Escape");
  await pi.shows("all done");
  const { details } = await toolResult(world);
  assert.equal(details.cancelled, true);
  const [form] = await world.askJson("history");
  assert.equal(form.outcome.reason, "dismissed");
});

test("resizing while the form is open", async (t) => {
  const { pi } = await shown(t, three);
  await pi.shows("Which database should we use?");
  await pi.resize(50, 16);
  await pi.shows("PostgreSQL");
  await pi.resize(110, 36);
  await pi.shows("Which database should we use?", "MySQL", /^─{110}$/m);
});

test("the form takes Pi's theme colours", async (t) => {
  const { pi } = await shown(t, single, {}, { piSettings: { theme: "dark" } });
  await pi.shows("Which database should we use?");
  const [row] = (await pi.colours()).split("\n").filter((line) => line.includes("❯"));
  // The accent of that theme, computed by Pi; the terminal's own colours would be an index.
  assert.match(row, /\x1b\[[\d;]*38;2;167;152;215m❯/);
});

test("typed text of every script reaches the editor", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Down", "Down", "Down");
  await pi.type("héllo 你好 🙂");
  await pi.shows("héllo 你好 🙂");
  await pi.press("Enter");
  await pi.shows("Submit");
  await pi.type("1");
  await pi.type("1");
  assert.equal((await toolResult(world)).details.answers.db.customText, "héllo 你好 🙂");
});

test("Pi reports itself blocked while the form is on the screen, and no longer afterwards", async (t) => {
  const world = await sandbox(t, [call(single), done], { env: { PI_PROGRAM_STATUS: "1" } });
  const pi = new Terminal(world);
  await pi.ready();
  const written = await pi.record();
  await pi.prompt();
  await pi.shows("Which database should we use?");
  const reports = () => written().match(/\x1b\]7501;[^\x07\x1b]*/g) ?? [];
  await until("the report", () => reports().some((report) => /blocked/.test(report) && /question/.test(report)));
  await pi.press("Escape");
  await pi.shows("all done");
  await until("the last report", () => !/blocked/.test(reports().at(-1)));
});

test("put away, talked on, opened again, answered", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Down", "Space", "C-q");
  await pi.shows("A question waits");
  await until("no frontend", () => world.frontends().length === 0);
  assert.equal((await world.openForms()).length, 1);
  await pi.press("M-a");
  await pi.shows(/❯ 2\..*SQLite/);
  await pi.press("Enter");
  await pi.shows("Review");
  await pi.type("1");
  await pi.type("1");
  await pi.shows("all done");
  assert.equal((await toolResult(world)).content[0].text, "DB: SQLite");
});

test("two calls in one message come one after the other", async (t) => {
  const two = { toolCalls: ["First", "Second"].map((label, i) => ({ id: `call_${i}`, name: "ask_user", args: one(label) })) };
  const world = await sandbox(t, [two, done]);
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("First, please?");
  await pi.press("Escape");
  await pi.shows("Second, please?");
  await pi.press("Escape");
  await pi.shows("all done");
  assert.deepEqual(world.toolResults().map((result) => result.toolCallId), ["call_0", "call_1"]);
});

test("an invalid payload opens nothing and shows as such", async (t) => {
  const world = await sandbox(t, [call({ questions: [{ id: "a", prompt: "P?", options: [] }] }), done]);
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("Invalid tool payload", "all done");
  const { content, details } = await toolResult(world);
  assert.match(content[0].text, /^Invalid ask_user payload:\n- questions\[0\]\.options: /);
  assert.equal(details.error.kind, "invalid_input");
  assert.equal(world.custom("ask:payload").length, 0);
});

test("derived labels and hostile text in the transcript", async (t) => {
  const world = await sandbox(t, [call({ questions: [{ id: "a", label: "La\u001b[31mbel\u202e", prompt: "P?", options: [{ value: "use-rust" }] }] }), done]);
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("1. ( ) Use rust");
  await pi.press("Enter");
  await pi.shows("Submit");
  await pi.type("1");
  await pi.type("1");
  await pi.shows("ask_user 1 question (Label)", "✓ Label: Use rust", "all done");
});

test("results of the earlier extension show their text", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await pi.press("Escape");
  await pi.shows("all done");
  pi.signal("SIGTERM");
  await pi.ended();
  const [file] = world.sessionFiles();
  const entries = world.log().map((entry) => (entry.message?.role === "toolResult" ? { ...entry, message: { ...entry.message, content: [{ type: "text", text: "DB: Oracle" }], details: {} } } : entry));
  world.write(file.slice(world.dir.length), entries.map((entry) => JSON.stringify(entry)).join("\n") + "\n");
  await new Terminal(world, { args: ["-c"] }).shows("DB: Oracle");
});

test("what is typed before the form has been in sight answers nothing", async (t) => {
  const { world, pi } = await shown(t, single, {}, { settings: { frontends: { armingDelayMs: 600_000 } } });
  await pi.shows("Which database should we use?");
  await pi.type("1");
  await pi.press("Enter", "Enter");
  await pi.resize(90, 24);
  await pi.shows(/^─{90}$/m);
  assert.equal((await world.openForms())[0].drafted, false);
  assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
  await pi.shows("✓ DB: MySQL");
});

test("kill -9 of the daemon with the form on the screen", async (t) => {
  const { world, pi } = await shown(t, single);
  await pi.shows("Which database should we use?");
  await world.killDaemon();
  await pi.press("Down", "Enter");
  await pi.shows("Review");
  await pi.type("1");
  await pi.type("1");
  await pi.shows("all done");
  assert.equal((await toolResult(world)).content[0].text, "DB: SQLite");
});
