import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses';
import { OutgoingError } from './errors';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
const REFUSED = 'The address lies in a private network.';

/** Resolves a host name to all its addresses, as `node:dns` does with `all`. */
type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface OutgoingRequest {
  /** http or https. */
  url: string;
  /** Default GET. */
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** The operator allows requests to private addresses. */
  allowPrivate: boolean;
  /** Timeout of the whole exchange, redirects included, in milliseconds; default 15 s. */
  timeoutMs?: number;
  /** Size limit of the response body, in bytes; default 4 MiB. 0: the body is not read. */
  maxBytes?: number;
  /** Maximum number of redirects; default 0. Only redirects that keep the method are followed (307, 308; any for GET). */
  redirects?: number;
  /** Cancels the exchange. */
  signal?: AbortSignal;
  /** Replaces the system's resolver. */
  resolve?: Resolve;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done);

/** Rejects names with a private address. Node connects to the addresses that this lookup returned, so the check cannot be bypassed. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      if (error) return callback(error, '', 0);
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new OutgoingError('refused', REFUSED), '', 0);
      if (options.all) return callback(null, [...addresses]);
      callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

/** @throws OutgoingError refused */
function checked(text: string, allowPrivate: boolean): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new OutgoingError('refused', 'This is no web address.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingError('refused', 'Only http and https addresses can be reached.');
  // The resolver is not called for IP addresses.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) && !isPublicAddress(host)) throw new OutgoingError('refused', REFUSED);
  return url;
}

/** Whether the redirect keeps method and body. */
function isFollowed(status: number, method: string): boolean {
  return status === 307 || status === 308 || (method === 'GET' && [301, 302, 303].includes(status));
}

/**
 * Sends an HTTP request to an address that a user gave. Any status counts as a response.
 * @throws OutgoingError
 */
export async function send(request: OutgoingRequest): Promise<Answer> {
  const method = request.method ?? 'GET';
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
  let url = checked(request.url, request.allowPrivate);
  let { headers = {} } = request;
  try {
    for (let left = request.redirects ?? 0; ; left--) {
      const answer = await exchange(url, method, headers, request, signal);
      const { location } = answer.headers;
      if (left <= 0 || location === undefined || !isFollowed(answer.status, method)) return answer;
      const next = checked(new URL(location, url).href, request.allowPrivate);
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw new OutgoingError('refused', 'The host redirects to an address that is not https.');
      // Credentials must not reach another host.
      if (next.origin !== url.origin) headers = {};
      url = next;
    }
  } catch (error) {
    if (error instanceof OutgoingError) throw error;
    if (timeout.aborted) throw new OutgoingError('timeout', `No answer within ${timeoutMs / 1000} s.`);
    throw new OutgoingError('unreachable', `The host ${url.host} cannot be reached.`, { cause: error });
  }
}

function exchange(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  { body, allowPrivate, resolve = resolveBySystem, maxBytes = DEFAULT_MAX_BYTES }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((done, failed) => {
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        signal,
        // No connection reuse: each request connects to an address that was checked.
        agent: false,
        ...(allowPrivate ? {} : { lookup: publicLookup(resolve) }),
      },
      (response) => {
        read(response, maxBytes).then(
          (bytes) => done({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          failed,
        );
      },
    );
    call.on('error', failed);
    call.end(body);
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (maxBytes === 0) {
    response.destroy();
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      response.destroy();
      throw new OutgoingError('too-large', `The answer is longer than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
