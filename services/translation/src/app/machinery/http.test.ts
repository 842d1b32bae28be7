import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EngineError, type EngineRequest } from '../../domain/machinery/engine';
import { engineHttp, type EngineHttpOptions } from './http';

interface Received {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let url: string;
let respond: (response: ServerResponse) => void;
const received: Received[] = [];
const pauses: number[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body });
      respond(response);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received.length = 0;
  pauses.length = 0;
});

const answer = (response: ServerResponse) => response.end('{"text":"Ahoj"}');
const status = (code: number, headers: Record<string, string> = {}) =>
  void (respond = (response) => response.writeHead(code, headers).end());

const send = (options: Partial<EngineHttpOptions> = {}, request: Partial<EngineRequest> = {}) =>
  engineHttp({ allowPrivate: true, pause: async (ms) => void pauses.push(ms), ...options })({ url, ...request });
const failureOf = (call: Promise<unknown>): Promise<EngineError> =>
  call.then(
    () => Promise.reject(new Error('The request succeeded.')),
    (error: unknown) => error as EngineError,
  );

describe('a request to an engine', () => {
  it('a request to an engine sends JSON and returns the parsed response', async () => {
    respond = answer;
    expect(await send({}, { method: 'POST', headers: { authorization: 'key' }, json: ['Hello'] })).toEqual({
      text: 'Ahoj',
    });
    const headers = { authorization: 'key', accept: 'application/json', 'content-type': 'application/json' };
    expect(received).toMatchObject([{ method: 'POST', headers, body: '["Hello"]' }]);
  });

  it('a request to an engine without a body has no content type', async () => {
    respond = answer;
    await send();
    expect(received).toMatchObject([{ method: 'GET', body: '' }]);
    expect(received[0]!.headers).not.toHaveProperty('content-type');
  });

  it('a request to an engine fails over plain http and to private addresses unless the operator allows them', async () => {
    respond = answer;
    await expect(send({ allowPrivate: false })).rejects.toThrow('must start with https://');
    const secure = url.replace('http:', 'https:');
    await expect(send({ allowPrivate: false }, { url: secure })).rejects.toThrow('private network');
    expect(received).toEqual([]);
    expect(pauses).toEqual([]);
  });

  it.each([
    [401, 'rejected the key', false],
    [403, 'rejected the key', false],
    [429, 'request limit', true],
    [456, 'quota', false],
    [404, 'status 404', false],
    [302, 'status 302', false],
    [500, 'status 500', true],
  ])(
    'a request to an engine that is answered with status %i fails with the reason "%s"; temporary: %s',
    async (code, reason, temporary) => {
      status(code);
      const failure = await failureOf(send());
      expect(failure).toBeInstanceOf(EngineError);
      expect(failure.message).toContain(reason);
      expect(failure.temporary).toBe(temporary);
      expect(received).toHaveLength(temporary ? 3 : 1);
    },
  );

  it('a request to an engine fails when the response is too late, too long or not JSON', async () => {
    respond = () => undefined;
    const late = await failureOf(send({ timeoutMs: 30 }));
    expect([late.message, late.temporary]).toEqual([expect.stringContaining('No answer within'), true]);
    respond = (response) => response.end('x'.repeat(5_000));
    await expect(send({ maxBytes: 1_000 })).rejects.toThrow('longer than');
    respond = (response) => response.end('<html>');
    await expect(send()).rejects.toThrow('not valid JSON');
  });
});

describe('retries of a request to an engine', () => {
  it('retries of a request to an engine happen twice, with growing delays, for temporary failures', async () => {
    status(503);
    await expect(send()).rejects.toThrow('503');
    expect(pauses).toEqual([1_000, 4_000]);
  });

  it('retries of a request to an engine end with the first success', async () => {
    respond = (response) => (received.length > 1 ? answer(response) : response.writeHead(500).end());
    expect(await send()).toEqual({ text: 'Ahoj' });
    expect(pauses).toEqual([1_000]);
  });

  it('retries of a request to an engine follow an engine that cannot be reached', async () => {
    const closed = createServer();
    await new Promise<void>((ready) => closed.listen(0, '127.0.0.1', ready));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    expect(await failureOf(send({}, { url: `http://127.0.0.1:${port}` }))).toMatchObject({ temporary: true });
    expect(pauses).toHaveLength(2);
  });

  it('retries of a request to an engine wait for the time of Retry-After, in seconds or as a date', async () => {
    status(429, { 'retry-after': '7' });
    await expect(send()).rejects.toThrow('429');
    expect(pauses).toEqual([7_000, 7_000]);
    pauses.length = 0;
    status(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' });
    await expect(send()).rejects.toThrow('429');
    expect(pauses).toEqual([0, 0]);
  });

  it('an invalid Retry-After is ignored', async () => {
    status(429, { 'retry-after': 'soon' });
    await expect(send()).rejects.toThrow('429');
    expect(pauses).toEqual([1_000, 4_000]);
  });

  it('retries of a request to an engine are not made when Retry-After is longer than a minute', async () => {
    status(429, { 'retry-after': '61' });
    await expect(send()).rejects.toThrow('429');
    expect(pauses).toEqual([]);
  });

  it('retries of a request to an engine are not made after the request was cancelled', async () => {
    const cancelled = new AbortController();
    respond = (response) => {
      cancelled.abort();
      response.writeHead(503).end();
    };
    await expect(send({ signal: cancelled.signal })).rejects.toBeInstanceOf(EngineError);
    expect(received).toHaveLength(1);
    expect(pauses).toEqual([]);
  });
});
