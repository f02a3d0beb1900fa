// The settings list, hosted in the real Pi: over an open form, and by its command.
import assert from "node:assert/strict";
import test from "node:test";
import { call, done, three } from "./lib/forms.mjs";
import { sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

const hints = async (world) => (await world.ask("settings", "get", "behaviour.showFooterHints")).stdout.trim();

test("a toggle in the list over a form changes the form at once", async (t) => {
  const world = await sandbox(t, [call(three), done]);
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("Which database should we use?", "F1 keys");
  await pi.type("?");
  await pi.shows(/❯ \[ \] Auto-submit/);
  await pi.press("Down", "Down", "Down", "Space");
  await pi.shows(/❯ \[ \] Show footer hints/);
  await until("the setting saved", async () => (await hints(world)) === "false");
  await pi.press("Escape");
  await until("the form without its footer", async () => {
    const screen = await pi.screen();
    return screen.includes("Which database should we use?") && !screen.includes("F1 keys");
  });
  await world.ask("settings", "set", "behaviour.showFooterHints", "true");
  await pi.shows("Which database should we use?", "F1 keys");
});

test("/ask-settings saves each change and gives the screen back", async (t) => {
  const world = await sandbox(t, [{ text: "called?" }]);
  const pi = new Terminal(world);
  await pi.prompt("Paint it");
  await pi.shows("called?");
  await pi.type("/ask-settings");
  await pi.shows("/ask-settings");
  await pi.press("Escape");
  await pi.press("Enter");
  await pi.shows(/❯ \[ \] Auto-submit/, "config.json");
  await pi.press("Down", "Down", "Down", "Enter");
  await until("the setting saved", async () => (await hints(world)) === "false");
  await pi.press("Escape");
  await until("no frontend", () => world.frontends().length === 0);
  assert.ok(!(await pi.screen()).includes("Show footer hints"));
});
