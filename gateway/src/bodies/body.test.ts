import { isServiceError } from '@parlance/errors';
import { EventEmitter, once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readBody } from './body';
import { BodyBudgets } from './body-reader';

const MIB = 1024 * 1024;
const DISK = 4 * MIB;
const budgets = new BodyBudgets(16 * MIB, DISK, { maxBody: MIB, maxUpload: 64 * MIB, patienceMs: 60_000 });
let server: Server;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    readBody(budgets.reader(incoming, response, 'ana', false)).then(
      ({ files }) => response.end(String(files.get('file')?.size)),
      (error: unknown) => {
        incoming.resume();
        response.end(isServiceError(error) ? error.reason : String(error));
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Uploads a file. @returns its size as the server saw it, or the reason of the error */
async function upload(bytes: number): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent = request({
    port,
    agent: false,
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', () => undefined);
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n');
  sent.write(Buffer.alloc(bytes, 'x'));
  sent.end('\r\n--b--\r\n');
  const [response] = await answer;
  const body = await text(response);
  sent.destroy();
  return body;
}

it('A file beyond the budget for temporary files is rejected while it arrives', async () => {
  expect(await upload(2 * DISK)).toBe('TOO_LARGE');
});

it('A file is rejected while another request uses the budget for temporary files, and accepted afterwards', async () => {
  const response = new EventEmitter() as ServerResponse;
  budgets.reader({} as IncomingMessage, response, 'ana', false).disk.grow(0.75 * DISK);
  expect(await upload(DISK / 2)).toBe('UNAVAILABLE');
  response.emit('close');
  expect(await upload(DISK / 2)).toBe(String(DISK / 2));
});

it('The announced size of an upload is reserved before its file arrives', async () => {
  const { port } = server.address() as AddressInfo;
  const [start, end] = ['--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n', '\r\n--b--\r\n'];
  const file = 'x'.repeat(DISK / 2);
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': start.length + file.length + end.length,
    expect: '100-continue',
  };
  const sent = request({ port, agent: false, method: 'POST', headers });
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await once(sent, 'continue');
  expect(await upload(0.75 * DISK)).toBe('UNAVAILABLE');
  sent.end(start + file + end);
  expect(await text((await answer)[0])).toBe(String(file.length));
});
