// What the extension does with a frontend that rings, misbehaves or dies: a stand-in takes the real one's place.
import assert from "node:assert/strict";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { call, done, single } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { ASK, NODE, sandbox } from "./lib/sandbox.mjs";
import { Terminal } from "./lib/terminal.mjs";
import { until } from "./lib/until.mjs";

/** A world whose hosted frontends run `body`; every other command is the real `ask`. */
async function standIn(t, body) {
  const world = await sandbox(t, [call(single), done]);
  const script = world.write("frontend.mjs", `const out = (method, params) => console.log(JSON.stringify({ jsonrpc: "2.0", method, params }));\n${body}`);
  const ask = world.write("bin/ask", `#!/bin/sh\ncase "$2" in --host) case "$*" in *--form*) echo "$1" >> ${world.dir}/started;; esac; exec ${NODE} ${script} "$@";; *) exec ${ASK} "$@";; esac\n`);
  chmodSync(ask, 0o755);
  world.env.ASKD_BIN = ask;
  return world;
}

const started = (world) => readFileSync(join(world.dir, "started"), "utf8").trim().split("\n");

test("bells and notification sequences reach the terminal, other sequences do not", async (t) => {
  const world = await standIn(
    t,
    `out("hello", { protocol: 1 });
     process.stdin.once("data", () => {
       out("terminal", { sequence: "\\u001b]52;c;aGk=\\u0007" });
       out("terminal", { sequence: "\\u001b[2J" });
       out("terminal", { sequence: "\\u001b]9;a\\u0007\\u001b]52;c;aGk=\\u0007" });
       out("terminal", { sequence: "\\u001b]9;Question waiting\\u0007" });
       out("bell", {});
       out("frame", { columns: 20, rows: 3, lines: ["stand-in", "a line that is longer than its frame should be, by far, and wider than any screen of eighty columns"] });
     });
     process.stdin.on("end", () => process.exit(0));`,
  );
  const pi = new Terminal(world);
  await pi.ready();
  const written = await pi.record();
  await pi.prompt();
  await pi.shows("stand-in");
  await until("the sequence", () => written().includes("\x1b]9;Question waiting\x07\x07"));
  assert.ok(!written().includes("\x1b]52"), "the clipboard is not theirs");
  assert.ok(pi.alive(), "a line that is too wide does no harm");
});

test("a frontend that dies: the person is told why, the form stays and can be opened again", async (t) => {
  const world = await standIn(t, 'console.error("no display for this test"); process.exit(3);');
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("could not be shown: no display for this test", "A question waits");
  assert.equal((await world.openForms()).length, 1);
  await pi.press("M-a");
  await until("the second try", () => started(world).length === 2);
  assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
  await pi.shows("✓ DB: MySQL", "all done");
  await pi.hides("A question waits");
});

test("lines that are no messages are passed over", async (t) => {
  const world = await standIn(t, `console.log("warning: not JSON"); console.log("[1]"); console.log('{"method":"surprise"}'); console.log("null"); out("frame", { columns: 20, rows: 1, lines: ["stand-in"] }); process.stdin.on("data", () => {});`);
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("stand-in");
});

test("a dialog frontend that dies is started again, but not for ever", async (t) => {
  const world = await standIn(t, "process.exit(1);");
  const pi = new Rpc(world);
  pi.prompt();
  await until("the notice", () => pi.notices().some((text) => /could not be shown/.test(text)));
  assert.deepEqual(started(world), ["dialog", "dialog", "dialog"]);
  assert.equal((await world.ask("answer", "--values", "db=mysql")).code, 0);
  assert.equal((await pi.toolEnd()).result.content[0].text, "DB: MySQL");
});

test("a frontend that does not heed the end of its stdin is killed", async (t) => {
  const world = await standIn(t, 'out("frame", { columns: 20, rows: 1, lines: ["stand-in"] }); process.stdin.on("data", () => {}); setInterval(() => {}, 1000);');
  const pi = new Terminal(world);
  await pi.prompt();
  await pi.shows("stand-in");
  pi.signal("SIGTERM");
  const took = await pi.ended(5_000);
  assert.ok(took < 900, `took ${took} ms`);
  await until("no frontend", () => world.frontends().length === 0, 2_000);
});
