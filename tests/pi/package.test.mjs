// The package as people install it, and Pi when something is missing or in the way.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";
import { call, done, single } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { EXTENSION, NODE, PI, sandbox } from "./lib/sandbox.mjs";

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

test("`ask` is found on PATH", async (t) => {
  const world = await sandbox(t, [call(single), done]);
  execFileSync("ln", ["-s", world.env.ASKD_BIN, join(world.dir, "bin/ask")]);
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
