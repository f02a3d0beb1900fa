// Asks one question through askd from Node and prints what the person chose.
//   npm install ws && node ask.mjs
// docs/protocol.md explains every call. Exit status: 0 answered, 3 cancelled, 7 no daemon.
import { readFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

const form = {
  title: 'Release',
  questions: [{
    id: 'target',
    label: 'Target',
    prompt: 'Where should this go?',
    options: [
      { value: 'staging', label: 'Staging', description: 'for the testers', recommended: true },
      { value: 'production', label: 'Production' },
    ],
  }],
};

// Protocol §1: the usual path first, then the one that the running daemon has written down.
const absolute = (path) => (path?.startsWith('/') ? path : undefined);
const state = join(absolute(process.env.XDG_STATE_HOME) ?? join(homedir(), '.local/state'), 'askd');
function usualPath() {
  if (process.env.ASKD_SOCKET) return process.env.ASKD_SOCKET;
  const runtime = absolute(process.env.XDG_RUNTIME_DIR);
  const path = runtime ? join(runtime, 'askd/v1/askd.sock') : join(state, 'run/v1/askd.sock');
  return Buffer.byteLength(path) <= 103 ? path : join(tmpdir(), `askd-${userInfo().uid}/v1/askd.sock`);
}
function writtenPath() {
  try { return JSON.parse(readFileSync(join(state, 'daemon.lock'), 'utf8')).socket; } catch { return undefined; }
}

function open(path) {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(`ws+unix:${path}:/`);
    ws.once('open', () => resolve(ws));
    ws.once('error', reject);
  });
}

class Connection {
  #ws; #next = 1; #waiting = new Map();
  constructor(ws) {
    this.#ws = ws;
    ws.on('message', (data) => {
      const { id, result, error } = JSON.parse(data);
      const call = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) call?.reject(Object.assign(new Error(error.message), { kind: error.data?.kind }));
      else call?.resolve(result);
    });
    ws.on('close', () => this.#waiting.forEach((call) => call.reject(new Error('the daemon closed the connection'))));
  }
  call(method, params = {}) {
    const id = this.#next++;
    this.#ws.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
  close() { this.#ws.close(); }
}

async function connect() {
  for (const path of [usualPath(), writtenPath()]) {
    if (path) try { return new Connection(await open(path)); } catch { /* the next one */ }
  }
  console.error('no askd daemon is running; start one with `ask daemon`');
  process.exit(7);
}

const askd = await connect();
await askd.call('initialize', { client: { name: 'ask.mjs', version: '1' }, roles: ['agent'], protocol: 1 });
const { formId } = await askd.call('form/create', { params: form, origin: { agent: 'ask.mjs', cwd: process.cwd() } });

// People take their time: each call waits up to four minutes, and is made again while the form is open.
let waited;
do waited = await askd.call('form/wait', { formId, timeoutMs: 240_000 }); while (waited.state === 'open');
await askd.call('form/ack', { formId });
askd.close();

console.log(waited.toolResult.content[0].text);
if (waited.outcome.kind === 'cancelled') process.exit(3);
console.log(`target=${waited.outcome.answers.target?.values?.[0] ?? ''}`);
