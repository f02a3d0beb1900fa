// How much later a dialog appears, and a result arrives, than with an extension that answers in-process.
// `node bench.mjs` prints medians in milliseconds; `--json` prints them as one object.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { call, done, single } from "./lib/forms.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { EXTENSION, Sandbox } from "./lib/sandbox.mjs";

const RUNS = 30;
const IN_PROCESS = `
export default (pi) => pi.registerTool({
  name: "ask_user", label: "ask", description: "asks", parameters: { type: "object", properties: {} }, executionMode: "sequential",
  async execute(_id, params, signal, _update, ctx) {
    const [question] = params.questions;
    const answer = await ctx.ui.select(question.prompt, question.options.map((option) => option.label), { signal });
    return { content: [{ type: "text", text: question.label + ": " + answer }], details: {} };
  },
});`;

/** Times of one Pi over several calls: until the dialog, and from the reply to the result. */
async function measure(world, extension, calls) {
  const pi = new Rpc(world, { extensions: [extension] });
  const at = new Map();
  const times = [];
  let replied;
  let started;
  const over = new Promise((resolve) => {
    pi.onRecord = (record) => {
      const now = performance.now();
      if (record.type === "tool_execution_start") started = now;
      if (record.method === "select") {
        at.set("dialog", now - started);
        replied = performance.now();
        pi.reply(record, { value: record.options[0] });
      }
      if (record.type === "tool_execution_end") times.push({ dialog: at.get("dialog"), result: now - replied });
      if (record.type === "agent_settled") resolve();
    };
  });
  // The first call must find the session started, as a person's first prompt does.
  await pi.response(pi.send({ type: "get_state" }));
  pi.prompt();
  await over;
  await pi.stop();
  if (times.length !== calls) throw new Error(`${times.length} of ${calls} calls were answered`);
  return times;
}

async function both(calls) {
  const world = new Sandbox();
  try {
    await world.start([]);
    writeFileSync(join(world.dir, "in-process.ts"), IN_PROCESS);
    const turns = [...Array.from({ length: calls }, (_, i) => call(single, `call_${i}`)), done];
    const of = async (extension) => {
      await world.script(turns);
      return measure(world, extension, calls);
    };
    return { askd: await of(EXTENSION), inProcess: await of(join(world.dir, "in-process.ts")) };
  } finally {
    await world.close();
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value) => Math.round(value * 100) / 100;

function summary(askd, inProcess) {
  const row = (name) => {
    const [ours, theirs] = [askd, inProcess].map((times) => median(times.map((time) => time[name])));
    return { askd: round(ours), inProcess: round(theirs), more: round(ours - theirs) };
  };
  return { toolStartToDialogMs: row("dialog"), replyToResultMs: row("result") };
}

const firsts = [];
for (let i = 0; i < RUNS; i++) firsts.push(await both(1));
const warm = await both(RUNS + 1);
const result = {
  first: summary(firsts.flatMap((run) => run.askd), firsts.flatMap((run) => run.inProcess)),
  warm: summary(warm.askd.slice(1), warm.inProcess.slice(1)),
};
if (process.argv.includes("--json")) console.log(JSON.stringify(result));
else for (const [when, rows] of Object.entries(result)) for (const [what, row] of Object.entries(rows)) console.log(when.padEnd(6), what.padEnd(20), JSON.stringify(row));
process.exit(0);
