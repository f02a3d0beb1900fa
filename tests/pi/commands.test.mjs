// The slash commands, in the terminal interface.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, one, single } from "./lib/forms.mjs";
import { sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

const prose = { text: "Two things: red or blue? And what should it be called?" };
const extracted = {
  questions: [
    { id: "colour", label: "Colour", prompt: "Red or blue?", options: [{ value: "red", label: "Red" }, { value: "blue" }] },
    { id: "name", label: "Name", prompt: "What should it be called?", options: [{ value: "answer", label: "Answer", freeform: true }] },
  ],
};

async function after(t, turns, options) {
  const world = await sandbox(t, turns, options);
  const pi = new Terminal(world);
  await pi.prompt("Paint it");
  return { world, pi };
}

async function command(pi, name) {
  await pi.type(name);
  await pi.shows(name);
  await pi.press("Escape");
  await pi.press("Enter");
}

async function fill(pi) {
  await pi.shows("Red or blue?");
  await pi.press("Down", "Enter");
  await pi.shows("Type your answer:");
  await pi.type("Zoë 2");
  await pi.press("Enter");
  await pi.shows("Review");
  await pi.type("1");
  await pi.type("1");
}

test("/answer: one model call, a form with a typed question, the answers as the user's message", async (t) => {
  const { world, pi } = await after(t, [prose, call(extracted, "x"), done]);
  await pi.shows("called?");
  await command(pi, "/answer");
  await fill(pi);
  await pi.shows("all done");
  await until("the message", () => world.userMessages().at(-1) === "Colour: Blue\nName: Zoë 2");
  const [, extraction] = world.requests();
  assert.deepEqual(extraction.tools.map((tool) => tool.function.name), ["ask_user"]);
  const asked = JSON.stringify(extraction.messages);
  assert.ok(asked.includes("Paint it") && asked.includes("red or blue?"));
  assert.equal(world.custom("ask:payload")[0].data.source, "answer");
  await until("the acknowledgement", async () => (await world.askJson("history"))[0]?.delivery === "acknowledged");
});

test("/answer retries an invalid call; /answer:again opens the same form without a model call", async (t) => {
  const { world, pi } = await after(t, [prose, call({ questions: [{ id: "a", prompt: "", options: [] }] }, "x"), call(extracted, "y"), done, done]);
  await pi.shows("called?");
  await command(pi, "/answer");
  await pi.shows("Red or blue?");
  await pi.press("Escape");
  await until("no frontend", () => world.frontends().length === 0);
  assert.equal(world.requests().length, 3);
  assert.deepEqual(world.userMessages(), ["Paint it"]);
  await command(pi, "/answer:again");
  await fill(pi);
  await pi.shows("all done");
  assert.equal(world.requests().length, 4);
  assert.deepEqual((await world.askJson("history")).map(({ source }) => source), ["answer:again", "answer"]);
});

test("/answer: JSON text as the last resort", async (t) => {
  const json = { text: `Here you are:\n\`\`\`json\n${JSON.stringify(extracted)}\n\`\`\`` };
  const { pi } = await after(t, [prose, json, json, done]);
  await pi.shows("called?");
  await command(pi, "/answer");
  await pi.shows("Red or blue?");
});

test("/answer: nothing asked, nothing opened; an unfinished message is refused", async (t) => {
  const { world, pi } = await after(t, [prose, call({ questions: [] }, "x"), { text: "cut", finish: "length" }, done]);
  await pi.shows("called?");
  await command(pi, "/answer");
  await pi.shows("asks nothing");
  await pi.prompt("go on");
  await until("the cut message", () => world.log().some((entry) => entry.message?.stopReason === "length"));
  await command(pi, "/answer");
  await pi.shows("is not finished");
  assert.deepEqual(await world.openForms(), []);
});

test("/answer gives up after its time, and says so", async (t) => {
  const { world, pi } = await after(t, [prose, { hang: true }], { settings: { answer: { extractionTimeoutMs: 1000, extractionRetries: 0 } } });
  await pi.shows("called?");
  await command(pi, "/answer");
  await pi.shows("no reply within 1 s");
  assert.equal(world.requests().length, 2);
});

test("/answer reads with the first configured model that has credentials", async (t) => {
  const extractionModels = [{ provider: "nobody", id: "none" }, { provider: "anthropic", id: "claude-haiku-4-5" }, { provider: "mock", id: "mock-2" }];
  const { world, pi } = await after(t, [prose, call(extracted, "x"), done], { settings: { answer: { extractionModels } } });
  await pi.shows("called?");
  await command(pi, "/answer");
  await pi.shows("Red or blue?");
  assert.equal(world.requests()[1].model, "mock-2");
});

test("/ask:replay opens the last ask_user form of the branch; its answers are the user's message", async (t) => {
  const { world, pi } = await after(t, [call(single), done, { text: "thanks" }]);
  await pi.shows("Which database should we use?");
  await pi.press("Escape");
  await pi.shows("all done");
  await command(pi, "/ask:replay");
  await pi.shows("Which database should we use?");
  await pi.type("3");
  await pi.shows("Review");
  await pi.type("1");
  await pi.type("1");
  await pi.shows("thanks");
  await until("the message", () => world.userMessages().at(-1) === "DB: MySQL");
  const [form] = await world.askJson("history");
  assert.equal(form.source, "ask:replay");
  assert.equal(form.toolCallId ?? undefined, undefined);
});

test("replay commands with nothing to replay say so", async (t) => {
  const { pi } = await after(t, [prose]);
  await pi.shows("called?");
  await command(pi, "/ask:replay");
  await pi.shows("no ask_user form to replay");
  await command(pi, "/answer:again");
  await pi.shows("no form made by /answer");
});

test("/ask-settings hosts the settings", async (t) => {
  const { world, pi } = await after(t, [prose]);
  await pi.shows("called?");
  await command(pi, "/ask-settings");
  await pi.shows(/Notifications/);
  await pi.press("Escape");
  await until("no frontend", () => world.frontends().length === 0);
});

test("a command's form ends with its session", async (t) => {
  const { world, pi } = await after(t, [call(one()), done]);
  await pi.shows("Colour, please?");
  await pi.press("Escape");
  await pi.shows("all done");
  await command(pi, "/ask:replay");
  await pi.shows("Colour, please?");
  pi.signal("SIGTERM");
  await pi.ended(5_000);
  const [form] = await world.askJson("history");
  assert.deepEqual([form.outcome.kind, form.outcome.reason], ["cancelled", "session_closed"]);
});
