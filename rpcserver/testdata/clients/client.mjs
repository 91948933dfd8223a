// Calls the wallet as Node programs do: client.mjs HTTP-URL WS-URL. One line for each way; a way that fails ends it.
import http from 'node:http';

const [rpc, ws] = process.argv.slice(2);
const call = (name) => JSON.stringify({ jsonrpc: '2.0', id: name, method: 'is_locked', params: [] });

function check(name, text) {
  const answer = typeof text === 'string' ? JSON.parse(text) : text;
  if (answer.result !== false || answer.id !== name) {
    console.error(`failed ${name}: ${JSON.stringify(answer)}`);
    process.exit(1);
  }
  console.log(`ok ${name}`);
}

const library = (name) => import(name).catch(() => console.log(`skip ${name} is not installed`));

const fetched = async (name, options) => check(name, await (await fetch(rpc, { method: 'POST', ...options })).text());
await fetched('node-fetch', { body: call('node-fetch') }); // text/plain
await fetched('node-fetch-json', { body: call('node-fetch-json'), headers: { 'Content-Type': 'application/json' } });
await fetched('node-fetch-bytes', { body: Buffer.from(call('node-fetch-bytes')) });
await fetched('node-fetch-stream', { body: new Blob([call('node-fetch-stream')]).stream(), duplex: 'half' });

const requested = (name, options, whole) => new Promise((done) => {
  const request = http.request(rpc, { method: 'POST', ...options }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => { check(name, text); done(); });
  });
  if (!whole) {
    request.write(call(name)); // chunked
  }
  request.end(whole ? call(name) : undefined);
});
await requested('node-http', {}, true);
await requested('node-http-chunked', { headers: { 'Content-Type': 'application/json' } }, false);
await requested('node-http-login', { auth: ':', agent: new http.Agent({ keepAlive: true }) }, true);

const axios = (await library('axios'))?.default;
if (axios) {
  check('node-axios', (await axios.post(rpc, JSON.parse(call('node-axios')))).data);
  check('node-axios-text', (await axios.post(rpc, call('node-axios-text'))).data);
  const auth = { username: '', password: '' };
  check('node-axios-empty-login', (await axios.post(rpc, JSON.parse(call('node-axios-empty-login')), { auth })).data);
}

const talk = (name, conn) => new Promise((done, failed) => {
  conn.onopen = () => conn.send(call(name));
  conn.onmessage = (message) => { check(name, message.data); conn.close(); done(); };
  conn.onerror = failed;
});
const { WebSocket: Library } = (await library('ws')) ?? {};
if (Library) {
  await talk('node-ws', new Library(ws));
  await talk('node-ws-origin', new Library(ws, { origin: ws.replace(/^ws/, 'http').replace(/\/$/, '') }));
}
if (globalThis.WebSocket) {
  await talk('node-websocket', new WebSocket(ws));
} else {
  console.log('skip this Node has no WebSocket');
}
process.exit(0);
