// Pi without a person in front of it: print and JSON mode get the questions as text, in both contracts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import test from "node:test";
import { call, done, packages, three } from "./lib/forms.mjs";
import { EXTENSION, NODE, PI, sandbox } from "./lib/sandbox.mjs";

/** Runs Pi to its end. */
function run(world, ...args) {
  const child = world.own(spawn(NODE, [PI, "--no-session", "-e", EXTENSION, ...args, "go"], { env: world.env, cwd: world.cwd, stdio: ["ignore", "pipe", "pipe"] }));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

test("print mode: the fallback text, and Pi ends by itself", async (t) => {
  const world = await sandbox(t, [call(three), done]);
  const { code, stdout } = await run(world, "-p");
  assert.equal(code, 0);
  assert.equal(stdout.trim(), "all done");
  const [text] = world.toolTexts();
  assert.match(text, /^Needs user input: ask_user requires interactive TUI mode\.\n/);
  for (const part of ["1. DB: Which database should we use?", "PostgreSQL", "postgres", "Features", "Top bar"]) assert.ok(text.includes(part), part);
  assert.deepEqual(await world.openForms(), []);
});

test("JSON mode: cancelled details with the questions", async (t) => {
  const world = await sandbox(t, [call(three), done]);
  const { code, stdout } = await run(world, "--mode", "json");
  assert.equal(code, 0);
  const end = stdout.split("\n").filter(Boolean).map(JSON.parse).find((record) => record.type === "tool_execution_end");
  assert.equal(end.isError, false);
  assert.equal(end.result.details.cancelled, true);
  assert.deepEqual(end.result.details.answers, {});
  assert.deepEqual(end.result.details.questions.map((question) => question.id), ["db", "feats", "layout"]);
});

test("print mode, invalid payload: the issues", async (t) => {
  const world = await sandbox(t, [call({ questions: [{ id: " ", prompt: "P", options: [{ value: "a", label: "A" }] }] }), done]);
  assert.equal((await run(world, "-p")).code, 0);
  assert.match(world.toolTexts()[0], /^Invalid ask_user payload:\n- questions\[0\]\.id: /);
});

test("print mode, questionnaire: the questions for the parent to ask", async (t) => {
  const world = await sandbox(t, [call(packages), done], { settings: { tool: { contract: "questionnaire" } } });
  assert.equal((await run(world, "-p")).code, 0);
  const [text] = world.toolTexts();
  for (const part of ["Which packages should change?", "Core", "CLI"]) assert.ok(text.includes(part), part);
  assert.deepEqual(await world.openForms(), []);
});
