import { field } from '@parlance/contracts';
import { isServiceError, ServiceError } from '@parlance/errors';
import type { ByteLease } from '@parlance/workload';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { tooLarge } from '../../bodies/body-reader';
import type { Call, Reply } from '../../routing/call';
import type { Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { bytes, startStream } from '../../downloads/files';
import { z } from 'zod';

/** Maximum request of a git client in bytes, compressed and decompressed: it lists commits of the client. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** Timeout of a clone in milliseconds; the worker has its own. */
const TRANSFER_MS = 24 * 3600 * 1000;

/** Timeout of a client that reads nothing, in milliseconds, because the number of concurrent clones is limited. */
const IDLE_MS = 120_000;

const SERVICE = 'git-upload-pack';

/** Protocol version that the client requests (gitprotocol-http, header Git-Protocol). */
function protocolOf(call: Call): 0 | 1 | 2 {
  const header = String(call.request.headers['git-protocol'] ?? '');
  if (/(^|:)version=2(:|$)/.test(header)) return 2;
  return /(^|:)version=1(:|$)/.test(header) ? 1 : 0;
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** Response of upload-pack; must not be cached. */
async function exchange(call: Call, body: Buffer | null): Promise<Reply> {
  const { component } = call.component;
  if (component.linkedComponentId)
    throw notFound('This component works in the repository of another one, which can be cloned instead.');
  const protocol = protocolOf(call);
  const messages = await startStream(
    call.clients.vcsWorker.uploadPack(
      { componentId: component.id, protocol, advertise: body === null, ...(body ? { body } : {}) },
      { ...call.options, timeoutMs: TRANSFER_MS },
    ),
  );
  // Node closes a connection without traffic after this time, which releases the resources of the response.
  call.request.setTimeout(IDLE_MS);
  // Version 2 names the service itself.
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
      message: 'This repository is read-only. Push to the repository that it was cloned from.',
    });
  if (service !== SERVICE)
    throw new ServiceError('PERMISSION_DENIED', {
      message: `Only ${SERVICE} of the smart protocol is supported; use a newer git.`,
    });
  return exchange(call, null);
}

async function pack(call: Call): Promise<Reply> {
  const type = (call.request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== `application/x-${SERVICE}-request`)
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { message: 'Only requests of git clients are supported here.' });
  const encoding = (call.request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const zipped = encoding === 'gzip' || encoding === 'x-gzip';
  if (!zipped && encoding !== 'identity')
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported.`,
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
    produces: [`application/x-${SERVICE}-advertisement`],
    access: { any: ['vcs.access'] },
    doc: "Lists the refs of a component's repository for git clients; the first step of a clone or fetch.",
    ownFormat: true,
    query: z.object({
      service: field.choice('The service that the client requests. Pushing is rejected.', [SERVICE]).optional(),
    }),
    handle: refs,
  },
  {
    method: 'POST',
    path: '/git/:project/:component/git-upload-pack/',
    produces: [`application/x-${SERVICE}-result`],
    accepts: [`application/x-${SERVICE}-request`],
    access: { any: ['vcs.access'] },
    doc: 'Sends the missing objects to git clients; the second step of a clone or fetch.',
    ownFormat: true,
    reads: true,
    handle: pack,
  },
];
