// What can be checked without Pi: prompt fields, labels, keys, the reading of logs, harmless text.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { themeColours } from "../../frontends/pi/src/colours.ts";
import { faceOf } from "../../frontends/pi/src/contracts.ts";
import { isNested, isRecorded, readLog, unanswered } from "../../frontends/pi/src/entries.ts";
import { fitted } from "../../frontends/pi/src/fit.ts";
import { Keys } from "../../frontends/pi/src/keys.ts";
import { deriveLabels } from "../../frontends/pi/src/labels.ts";
import { socketCandidates } from "../../frontends/pi/src/place.ts";
import { lines, oneLine, throughTmux } from "../../frontends/pi/src/text.ts";

const root = new URL("../../", import.meta.url);

test("labels are derived as the daemon derives them", () => {
  const cases = JSON.parse(readFileSync(new URL("tests/cases/ask-prepare.json", root), "utf8"));
  assert.ok(cases.length >= 11);
  for (const { id, params, expect } of cases) assert.deepEqual(deriveLabels(params), expect.params, id);
});

test("deriving changes neither its input nor odd keys", () => {
  const args = JSON.parse('{"questions":[{"id":"__proto__","prompt":"P","options":[{"value":"a-b"}],"constructor":1}]}');
  const before = JSON.stringify(args);
  const derived = deriveLabels(args);
  assert.equal(JSON.stringify(args), before);
  assert.deepEqual(derived.questions[0].options, [{ value: "a-b", label: "A b" }]);
  assert.equal(derived.questions[0].id, "__proto__");
});

for (const contract of ["ask", "questionnaire"]) {
  const face = faceOf(contract);
  const all = [face.description, face.promptSnippet, ...face.promptGuidelines].join("\n");

  test(`${contract}: the prompt fields carry the context-first policy`, () => {
    assert.ok(!face.promptSnippet.includes("\n"), "one line");
    for (const line of face.promptGuidelines) assert.match(line, /ask_user/, `each bullet names the tool: ${line}`);
    for (const idea of [/read what is there/i, /missing or contradict/i, /preference/i, /hard-to-(reverse|undo)/i, /interview/i, /already (answers|allowed)/i, /reversible steps/i, /assumptions/i, /comparison/i, /no approval/i, /autonomous/i, /required/i, /materially new/i]) {
      assert.match(all, idea);
    }
  });

  test(`${contract}: no blanket triggers`, () => {
    for (const trigger of [/always (use|ask|call)/i, /whenever (there are|you see) (multiple|several)/i, /before (every|each|any) (change|decision|step)/i, /if (in doubt|unsure|you are unsure)/i, /use ask_user (liberally|often)/i]) {
      assert.doesNotMatch(all, trigger);
    }
  });

  test(`${contract}: the schema is plain, without unions`, () => {
    assert.doesNotMatch(JSON.stringify(face.parameters), /anyOf|oneOf|allOf|\$ref|"const"|additionalProperties/);
  });
}

test("the ask contract's schema asks for what the contract requires, and keeps the guidance on payloads and RPC", () => {
  const face = faceOf("ask");
  assert.equal(face.exposure, "model-only");
  const { items } = face.parameters.properties.questions;
  assert.deepEqual(items.required, ["id", "prompt", "options"]);
  assert.deepEqual(items.properties.type.enum, ["single", "multi", "preview"]);
  assert.deepEqual(items.properties.options.items.required, ["value", "label"]);
  assert.ok(!JSON.stringify(face.parameters).includes("freeform"), "the marker is internal");
  const text = face.promptGuidelines.join("\n");
  for (const part of [/preview text on every option/, /RPC/, /recommended/, /elaborate/, /unique id/]) assert.match(text, part);
});

test("the questionnaire keeps Pi's default exposure and speaks of no elaboration", () => {
  const face = faceOf("questionnaire");
  assert.equal(face.exposure, undefined);
  assert.equal(face.prepareArguments, undefined);
  assert.doesNotMatch(JSON.stringify(face), /elaborat/i);
  assert.deepEqual(face.parameters.properties.questions.items.required, ["question"]);
});

test("keys are named for the hosted frontend", () => {
  const toInput = (data) => new Keys().read(data);
  const cases = [
    ["\r", { id: "enter" }],
    ["\x1b[13;2u", { id: "shift+enter" }],
    ["\x1b", { id: "escape" }],
    ["\x1b[27u", { id: "escape" }],
    ["\x03", { id: "ctrl+c" }],
    ["\x1b[Z", { id: "shift+tab" }],
    ["\x1b[A", { id: "up" }],
    ["a", { id: "a", text: "a" }],
    ["\x1b[97u", { id: "a", text: "a" }],
    ["\x1b[110:78;2u", { id: "shift+n", text: "N" }],
    [" ", { id: "space", text: " " }],
    ["é", { text: "é" }],
    ["你好", { text: "你好" }],
    ["\x1b[1;1:2B", { id: "down", repeat: true }],
  ];
  for (const [data, params] of cases) assert.deepEqual(toInput(data), { method: "key", params }, JSON.stringify(data));
  assert.deepEqual(toInput("N").params.text, "N");
  assert.equal(toInput("\x1b[97;1:3u"), undefined, "releases are not sent");
  assert.deepEqual(toInput("\x1b[200~p1\np2:3u\x1b[201~"), { method: "paste", params: { text: "p1\np2:3u" } });
});

test("a character that Pi hands over in two pieces arrives whole", () => {
  const keys = new Keys();
  assert.equal(keys.read("\ud83d"), undefined);
  assert.deepEqual(keys.read("\ude42"), { method: "key", params: { text: "🙂" } });
  assert.deepEqual(keys.read("a").params, { id: "a", text: "a" });
});

test("a notification sequence is wrapped for tmux, its escapes doubled", () => {
  assert.equal(throughTmux("\x1b]9;hi\x1b\\"), "\x1bPtmux;\x1b\x1b]9;hi\x1b\x1b\\\x1b\\");
});

test("theme colours are what Pi writes", () => {
  const sequences = { accent: "\x1b[38;2;1;2;255m", muted: "\x1b[38;5;244m", warning: "\x1b[93m", success: "\x1b[32m", error: "\x1b[39m" };
  assert.deepEqual(themeColours({ getFgAnsi: (name) => sequences[name] }), { accent: "#0102ff", muted: 244, warning: 11, success: 2 });
});

test("a frame gives up the blank rows that only fill it, and does not shrink while it is shown", () => {
  const frame = { columns: 9, rows: 8, lines: ["title", "\x1b[2m─────\x1b[0m", "row", "", "\x1b[0m  ", "", "─────", "footer"] };
  const short = fitted(frame, 0);
  assert.deepEqual(short.lines, ["title", "\x1b[2m─────\x1b[0m", "row", "", "─────", "footer"]);
  assert.equal(fitted(frame, 7).lines.length, 7);
  assert.equal(fitted(frame, 8), frame);
  assert.deepEqual(fitted({ ...frame, cursor: { row: 7, column: 1 } }, 0).cursor, { row: 5, column: 1 });
  const typing = fitted({ ...frame, cursor: { row: 4, column: 0 } }, 0);
  assert.deepEqual([typing.lines.length, typing.cursor], [8, { row: 4, column: 0 }]);
  const bare = { columns: 9, rows: 3, lines: ["a", "", ""] };
  assert.equal(fitted(bare, 0), bare);
});

const assistant = (...ids) => ({ type: "message", message: { role: "assistant", content: ids.map((id) => ({ type: "toolCall", id, name: "ask_user", arguments: {} })) } });
const result = (toolCallId) => ({ type: "message", message: { role: "toolResult", toolCallId, content: [] } });
const custom = (customType, data) => ({ type: "custom", customType, data });
const payload = (id, formId) => custom("ask:payload", { version: 1, params: {}, source: "tool", sourceEntryId: id, formId });
const user = (text) => ({ type: "message", message: { role: "user", content: text } });

test("the newest call without a result is the unanswered one; interrupted results count as none", () => {
  const branch = [assistant("a"), payload("a", "fa"), result("a"), assistant("b"), payload("b", "fb")];
  assert.equal(unanswered(readLog(branch)).toolCallId, "b");
  branch.push(result("b"));
  assert.equal(unanswered(readLog(branch)), undefined);
  assert.ok(isRecorded(readLog(branch), "fb"));
  branch.push(custom("askd:interrupted", { toolCallId: "b", formId: "fb" }));
  assert.equal(unanswered(readLog(branch)).payload.formId, "fb");
  assert.ok(!isRecorded(readLog(branch), "fb"));
  branch.push(custom("ask:pending-dismissed", { toolCallId: "b" }));
  assert.equal(unanswered(readLog(branch)), undefined);
});

test("a call id that a provider uses again is a call of its own", () => {
  const branch = [assistant("a"), payload("a", "f1"), result("a"), assistant("a"), payload("a", "f2")];
  assert.equal(unanswered(readLog(branch)).payload.formId, "f2");
  assert.ok(isRecorded(readLog(branch), "f1"));
});

test("a delivery has arrived when its message follows it, each message counting once", () => {
  const branch = [user("DB: MySQL"), custom("askd:delivery", { formId: "f1", text: "DB: MySQL" }), custom("askd:delivery", { formId: "f2", text: "DB: MySQL" })];
  assert.ok(!isRecorded(readLog(branch), "f1"));
  branch.push(user("DB: MySQL"));
  assert.deepEqual([isRecorded(readLog(branch), "f1"), isRecorded(readLog(branch), "f2")], [true, false]);
});

test("a call inside another tool's call has no result of its own in the log", () => {
  const branch = [assistant("a"), payload("a/1", "f1"), payload("a", "f2")];
  assert.deepEqual([isNested(readLog(branch), "f1"), isNested(readLog(branch), "f2")], [true, false]);
});

test("the client's version is the package's", () => {
  const { version } = JSON.parse(readFileSync(new URL("frontends/pi/package.json", root), "utf8"));
  const source = readFileSync(new URL("frontends/pi/src/session.ts", root), "utf8");
  assert.ok(source.includes(`version: "${version}"`));
});

test("entries of unknown shape are passed over", () => {
  const branch = [custom("ask:payload", null), custom("ask:payload", { params: 3 }), custom("askd:delivery", {}), custom("askd:interrupted", 1), custom("other")];
  assert.deepEqual(readLog(branch), { calls: [], payloads: [], deliveries: [] });
});

test("agent text is harmless where the extension draws it itself", () => {
  const hostile = "a\x1b[31mb\x1b]0;title\x07c\u202ed\u009b2Je\u200bf\x00g\x1bPq\x1b\\h";
  assert.equal(oneLine(hostile), "abcdefgh");
  assert.equal(oneLine(" a\n\t b "), "a b");
  assert.deepEqual(lines("  x\r\ny\x1b[2J"), ["  x", "y"]);
});

test("sockets are tried in the protocol's order, the lock file's last", () => {
  const dir = mkdtempSync(join(tmpdir(), "askpi-place-"));
  mkdirSync(join(dir, "askd"));
  writeFileSync(join(dir, "askd/daemon.lock"), JSON.stringify({ socket: "/somewhere/askd.sock" }));
  const from = (env) => socketCandidates({ HOME: "/h", XDG_STATE_HOME: dir, ...env });
  assert.deepEqual(from({ ASKD_SOCKET: "/x.sock", XDG_RUNTIME_DIR: "/run/user/7" }), ["/x.sock", "/somewhere/askd.sock"]);
  assert.equal(from({ XDG_RUNTIME_DIR: "/run/user/7" })[0], "/run/user/7/askd/v1/askd.sock");
  assert.equal(from({ XDG_RUNTIME_DIR: "relative" })[0], join(dir, "askd/run/v1/askd.sock"));
  assert.equal(from({}).at(-1), "/somewhere/askd.sock");
  rmSync(dir, { recursive: true });
});

test("the extension's types check against the real Pi's", () => {
  const tsc = new URL("node_modules/typescript/bin/tsc", import.meta.url).pathname;
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", new URL(".", import.meta.url).pathname], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
