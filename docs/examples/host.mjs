#!/usr/bin/env node
// A complete dialog host: shows a form of askd with plain prompts. Usage: host.mjs FORM [PATH OF ask]
// A number picks a row, an empty line dismisses the dialog. The end of input leaves the form open.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [form, ask = 'ask'] = process.argv.slice(2);
const frontend = spawn(ask, ['dialog', '--host', '--form', form], { stdio: ['pipe', 'pipe', 'inherit'] });
frontend.on('error', (error) => { console.error(`${ask} cannot be started: ${error.message}`); process.exit(1); });
frontend.stdin.on('error', () => {}); // it has ended, and says so on its stdout
const send = (message) => frontend.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
// Who has created the form has its view key, which says that a person sees it here.
if (process.env.VIEW_KEY) send({ method: 'viewKey', params: { key: process.env.VIEW_KEY } });

let request; // the dialog that is open
let over = false; // the person's input has ended
const typed = []; // lines that no dialog has taken yet

function work() {
  while (request && typed.length) {
    const { id, method, params } = request;
    const line = typed.shift();
    const value = method === 'input' ? line : params.options[Number(line) - 1];
    if (line && value === undefined) { console.log('Type the number of a row.'); continue; }
    request = undefined; // one answer for one request
    send({ id, result: line ? { value } : { cancelled: true } });
  }
  if (request && over) frontend.stdin.end();
}

const on = {
  select(message) { console.log([message.params.title, ...message.params.options.map((row, n) => `${n + 1}) ${row}`)].join('\n')); request = message; },
  input(message) { console.log(`${message.params.title} (${message.params.placeholder ?? ''})`); request = message; },
  close() { request = undefined; }, // answered elsewhere: take the dialog away
  closed({ params }) { console.log([params.reason, params.message].filter(Boolean).join(': ')); },
};
createInterface({ input: frontend.stdout }).on('line', (line) => { const message = JSON.parse(line); on[message.method]?.(message); work(); });
createInterface({ input: process.stdin }).on('line', (line) => { typed.push(line); work(); }).on('close', () => { over = true; work(); });
frontend.on('close', (code) => process.exit(code ?? 1));
