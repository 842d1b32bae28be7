import { isServiceError, ServiceError } from '@parlance/errors';
import type { ByteLease } from '@parlance/workload';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { tooLarge } from '../http/body-reader';
import type { Call, Reply } from '../http/call';
import type { Endpoint } from '../http/endpoint';
import { notFound } from '../http/errors';
import { bytes, started } from './files';

/** Largest request of a git client, before and after it is decompressed, in bytes: it lists commits that the client has. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** How long a clone may take, in milliseconds; the worker has a bound of its own. */
const TRANSFER_MS = 24 * 3600 * 1000;

/** How long a client may take nothing, in milliseconds: few are served at a time. */
const IDLE_MS = 120_000;

const SERVICE = 'git-upload-pack';

/** Version of git's protocol that the client asks for (gitprotocol-http, header Git-Protocol). */
function protocolOf(call: Call): 0 | 1 | 2 {
  const header = String(call.request.headers['git-protocol'] ?? '');
  if (/(^|:)version=2(:|$)/.test(header)) return 2;
  return /(^|:)version=1(:|$)/.test(header) ? 1 : 0;
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** What upload-pack answers; it is never to be kept by a proxy. */
async function exchange(call: Call, body: Buffer | null): Promise<Reply> {
  const { component } = call.component;
  if (component.linkedComponentId)
    throw notFound('This component works in the repository of another one, which can be cloned instead.');
  const protocol = protocolOf(call);
  const messages = await started(
    call.clients.vcsWorker.uploadPack(
      { componentId: component.id, protocol, advertise: body === null, ...(body ? { body } : {}) },
      { ...call.options, timeoutMs: TRANSFER_MS },
    ),
  );
  // Node ends a connection on which nothing has moved for so long, and with it goes what the answer holds.
  call.request.setTimeout(IDLE_MS);
  // Version 2 says by itself what answers.
  const first = body === null && protocol !== 2 ? `001e# service=${SERVICE}\n0000` : '';
  return {
    headers: { 'Cache-Control': 'no-cache, max-age=0, must-revalidate' },
    stream: {
      type: `application/x-${SERVICE}-${body === null ? 'advertisement' : 'result'}`,
      chunks: withFirst(Buffer.from(first), bytes(messages)),
    },
  };
}

function refs(call: Call): Promise<Reply> {
  const service = call.query.get('service');
  if (service === 'git-receive-pack')
    throw new ServiceError('PERMISSION_DENIED', {
      message:
        'This repository is read-only: nothing can be pushed to it. Push to the repository that it was made from.',
    });
  if (service !== SERVICE)
    throw new ServiceError('PERMISSION_DENIED', {
      message: `Only ${SERVICE} over git's smart protocol is answered here; a newer git speaks it.`,
    });
  return exchange(call, null);
}

async function pack(call: Call): Promise<Reply> {
  const type = (call.request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== `application/x-${SERVICE}-request`)
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: 'Only requests of git are answered here.' });
  const encoding = (call.request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const zipped = encoding === 'gzip' || encoding === 'x-gzip';
  if (!zipped && encoding !== 'identity')
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Bodies encoded as ${encoding.slice(0, 40)} are not supported.`,
    });
  const body = await call.bodyReader.bytes(MAX_REQUEST_BYTES);
  return exchange(call, zipped ? await unzipped(body, call.bodyReader.memory) : body);
}

/** @throws PARSE_ERROR, TOO_LARGE, UNAVAILABLE */
async function unzipped(body: Buffer, memory: ByteLease): Promise<Buffer> {
  const held: Buffer[] = [];
  let size = 0;
  const stream = Readable.from([body]).pipe(createGunzip());
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_REQUEST_BYTES) throw tooLarge(MAX_REQUEST_BYTES);
      memory.grow(chunk.length);
      held.push(chunk);
    }
  } catch (error) {
    if (isServiceError(error)) throw error;
    throw new ServiceError('PARSE_ERROR', { message: 'The body could not be decompressed.', cause: error });
  }
  return Buffer.concat(held);
}

export const gitEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/git/:project/:component/info/refs/',
    access: { any: ['vcs.access'] },
    doc: 'Tells git clients what the repository of a component has; the first step of a clone or fetch.',
    ownFormat: true,
    query: [
      {
        name: 'service',
        type: 'string',
        choices: [SERVICE],
        doc: 'What the client wants to do. Pushing is refused.',
      },
    ],
    handle: refs,
  },
  {
    method: 'POST',
    path: '/git/:project/:component/git-upload-pack/',
    access: { any: ['vcs.access'] },
    doc: 'Gives git clients the objects that they lack; the second step of a clone or fetch.',
    ownFormat: true,
    reads: true,
    handle: pack,
  },
];
