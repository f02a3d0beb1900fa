// A dialog host with one fault. Usage: broken.mjs FAULT PATH-OF-ask FORM
// It picks the second row of each dialog where its fault does not hinder it, and prints why the frontend ended.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [fault, ask, form] = process.argv.slice(2);
const frontend = spawn(ask, ['dialog', '--host', '--form', form], { stdio: ['pipe', 'pipe', 'inherit'] });
frontend.stdin.on('error', () => {});
const write = (text) => frontend.stdin.write(`${text}\n`);
const answer = (id, value) => write(JSON.stringify({ jsonrpc: '2.0', id, result: { value } }));

const FAULTS = {
  'answers twice': ({ id, params: { options } }) => { answer(id, options[1]); answer(id, options[0]); },
  'answers out of order': ({ id, params: { options } }) => { answer(id + 1, options[0]); answer(id - 1, options[0]); answer(id, options[1]); },
  'answers with a value never offered': ({ id }) => answer(id, 'Something else'),
  'writes broken JSON': ({ id, params: { options } }) => {
    if (id === 1) return answer(id, options[1]);
    write('{"jsonrpc":"2.0","id":2,"result":{"value":');
    write('[1]');
    write('\u0000\ufffd');
    frontend.stdin.end(`{"id":${id},"result":`);
  },
  'dies between two dialogs': ({ id, params: { options } }) => {
    if (id > 1) process.kill(process.pid, 'SIGKILL');
    answer(id, options[1]);
  },
};

createInterface({ input: frontend.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'select') FAULTS[fault](message);
  if (message.method === 'closed') console.log(message.params.reason);
});
frontend.on('close', (code) => process.exit(code ?? 1));
