// Sends hostile requests from a separate thread, so that the client does not block the event loop under test.
import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** Bodies that can block the event loop; built in this thread because some are large. */
const bodies = {
  'a list of millions of lists': () => `{"labels":[${'[],'.repeat(3_300_000)}[]]}`,
  'a list of numbers up to the limit of bytes': () => `{"groups":[${'1,'.repeat(1_000_000)}1]}`,
  'many wrong values up to the limit of values': () => `{"groups":[${'{},'.repeat(19_990)}{}]}`,
  'one long text': () =>
    JSON.stringify({ full_name: '\ud83d\ude00'.repeat(400_000), username: 'é'.repeat(100_000), is_bot: 'perhaps' }),
  'one long text of escapes': () => `{"username":"${'\\u0041'.repeat(340_000)}"}`,
  'a thousand names': () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`k${i}`, 'x'.repeat(100)]))),
  'a form of empty pairs': () => 'a&'.repeat(1_000_000),
  'a form of escapes': () => `username=${'%41'.repeat(690_000)}`,
  'a multipart form of line ends': () =>
    `--b\r\nContent-Disposition: form-data; name="username"\r\n\r\n${'\r\n--'.repeat(500_000)}\r\n--b--\r\n`,
  'a multipart form of empty parts': () => `${'--b\r\n\r\n\r\n'.repeat(200_000)}--b--\r\n`,
};

const types = { form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data; boundary=b' };
const typeOf = (name) =>
  name.startsWith('a multipart') ? types.multipart : name.startsWith('a form') ? types.form : 'application/json';

const { port, token, name } = workerData;
const body = Buffer.from(bodies[name]());
const headers = { Authorization: `Token ${token}`, 'Content-Type': typeOf(name), 'Content-Length': body.length };

const send = () =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/api/users/', method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end(body);
  });

parentPort.once('message', async () => parentPort.postMessage(await send()));
parentPort.postMessage('ready');
