// A reader on `ws` with its default limits that sleeps until it is told to read.
//   node lagging.mjs SOCKET
// Each line on stdin is a `seq`: it reads on until its mirror has come that far, prints it, and stops reading;
// `Infinity` makes it read until the next line.
import { createInterface } from 'node:readline';
import WebSocket from 'ws';

const ws = new WebSocket(`ws+unix:${process.argv[2]}:/`);
const open = new Set();
let lagged = 0, seq = -1, whole = false, between = true, until;

const send = (id, method, params) => ws.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));

// docs/protocol.md, "Keeping a mirror": a snapshot comes in parts and replaces what was there.
function fold(event) {
  if (event.kind === 'lagged') {
    lagged += 1;
    whole = false;
    between = true;
  } else if (event.kind === 'snapshot') {
    if (between) open.clear();
    for (const form of event.forms) open.add(form.formId);
    whole = between = event.last === true;
  } else if (event.kind === 'started') open.add(event.formId);
  else if (event.kind === 'completed') open.delete(event.formId);
  seq = event.seq;
}

function report() {
  if (until === undefined || !whole || seq < until) return;
  until = undefined;
  ws.pause();
  console.log(JSON.stringify({ lagged, open: [...open], seq }));
}

ws.on('open', () => {
  send(1, 'initialize', { client: { name: 'lagging.mjs', version: '1' }, roles: ['frontend'], protocol: 1, frontend: { kind: 'test', human: false } });
  send(2, 'events/subscribe', {});
  if (until === undefined) ws.pause();
});
ws.on('message', (data) => {
  const { error, method, params } = JSON.parse(data);
  if (error) throw new Error(error.message);
  if (method !== 'events/event') return;
  fold(params.result);
  report();
});
ws.on('close', (code) => { throw new Error(`the connection was closed with ${code}`); });

createInterface({ input: process.stdin })
  .on('line', (line) => { until = Number(line); ws.resume(); report(); })
  .on('close', () => process.exit(0));
