// The package as people install it, and Pi when something is missing or in the way.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { call, done, single } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { ASK, EXTENSION, NODE, PI, sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";

test("installed from its directory, the package brings tool and skill", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  execFileSync(NODE, [PI, "install", EXTENSION], { env: world.env, cwd: world.cwd, stdio: "pipe" });
  const pi = new Rpc(world, { extensions: [] });
  pi.prompt();
  const card = await pi.dialog("select");
  pi.reply(card, { value: card.options[1] });
  assert.equal((await pi.toolEnd()).result.content[0].text, "DB: SQLite");
  const prompt = JSON.stringify(world.requests()[0].messages[0]);
  assert.ok(prompt.includes("<name>ask-user</name>"));
});

test("the packed package holds what it needs and nothing else", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: EXTENSION, encoding: "utf8" }));
  const names = files.map((file) => file.path);
  for (const needed of ["package.json", "README.md", "src/index.ts", "src/askd.d.ts", "skills/ask-user/SKILL.md"]) assert.ok(names.includes(needed), needed);
  assert.deepEqual(names.filter((name) => !/^(src\/[\w-]+(\.d)?\.ts|skills\/ask-user\/SKILL\.md|README\.md|package\.json)$/.test(name)), []);
});

test("without `ask` the tool says how to install it, and Pi goes on", async (t) => {
  const world = await sandbox(t, [call(single), done], { env: { ASKD_BIN: "/nowhere/ask" } });
  const pi = new Rpc(world);
  pi.prompt();
  const { result, isError } = await pi.toolEnd();
  assert.equal(isError, true);
  for (const part of [/`ask` was not found/, /ASKD_BIN/, /Install askd/]) assert.match(result.content[0].text, part);
  await pi.settled();
  assert.equal(world.requests().length, 2);
});

test("after /reload the tool asks as before, and other settings apply", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  const pi = new Terminal(world);
  await pi.ready();
  assert.equal((await world.ask("settings", "set", "behaviour.showFooterHints", "false")).code, 0);
  await pi.type("/reload");
  await pi.press("Enter");
  await pi.shows(/reloaded/i);
  await pi.prompt();
  const screen = await pi.shows("Which database should we use?");
  assert.ok(!screen.includes("Enter choose"));
  assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
  await pi.shows("✓ DB: MySQL", "all done");
});

test("`ask` is found on PATH", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  symlinkSync(ASK, join(world.dir, "bin/ask"));
  delete world.env.ASKD_BIN;
  world.env.PATH = `${join(world.dir, "bin")}:${world.env.PATH}`;
  const pi = new Rpc(world);
  pi.prompt();
  await pi.dialog("select");
});

test("another package's ask_user is left alone, and Pi does not stop", async (t) => {
  const theirs = 'export default (pi) => pi.registerTool({ name: "ask_user", label: "theirs", description: "theirs", parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "theirs" }], details: {} }) });';
  const world = await sandbox(t, [call({}), done], { files: { "theirs.ts": theirs } });
  const pi = new Rpc(world, { extensions: [EXTENSION, join(world.dir, "theirs.ts")] });
  pi.prompt();
  assert.equal((await pi.toolEnd()).result.content[0].text, "theirs");
  assert.ok(pi.notices().some((text) => /already registered/.test(text)));
});

test("without its dependency the package loads all the same, and the tool says what to run", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  const copy = join(world.dir, "pi-askd");
  cpSync(EXTENSION, copy, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const pi = new Rpc(world, { extensions: [copy] });
  pi.prompt();
  const { result, isError } = await pi.toolEnd();
  assert.equal(isError, true);
  assert.ok(result.content[0].text.includes(`Run \`npm install --omit=peer\` in ${copy}`), result.content[0].text);
  await pi.settled();
});

test("`ask` installed while Pi runs is found at the next question", async (t) => {
  const world = await sandbox(t, [call(single, "a"), done, call(single, "b"), done]);
  const bin = join(world.dir, "bin");
  delete world.env.ASKD_BIN;
  world.env.PATH = `${bin}:${world.env.PATH}`;
  const pi = new Rpc(world);
  pi.prompt();
  assert.equal((await pi.toolEnd()).isError, true);
  await pi.settled();
  symlinkSync(ASK, join(bin, "ask"));
  pi.prompt();
  await pi.dialog("select");
});
