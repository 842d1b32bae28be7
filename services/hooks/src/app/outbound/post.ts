import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from '../../domain/outbound/private-address';
import type { Post } from './sender';

/** How long an attempt may last, in milliseconds. */
const TIMEOUT_MS = 15_000;

const REFUSED = 'The address lies in a private network.';

/**
 * Resolves names to public addresses only. The check is made on the addresses that are connected to, so a name that changes its mind
 * between a check and the connection gains nothing.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new Error(REFUSED), '', 0);
    if (options.all) return callback(null, addresses);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};

/** Posts over HTTP. Redirections are not followed, answers are not read. */
export function poster({ allowPrivate }: { allowPrivate: boolean }): Post {
  return (url, headers, body) =>
    new Promise((done) => {
      const target = new URL(url);
      const host = target.hostname.replace(/^\[|\]$/g, '');
      if (!allowPrivate && isIP(host) && isPrivateAddress(host)) return done({ status: 0, error: REFUSED });
      const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
      const sent = request(
        target,
        {
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.timeout(TIMEOUT_MS),
          ...(allowPrivate ? {} : { lookup: publicLookup }),
        },
        (response) => {
          const status = response.statusCode ?? 0;
          response.destroy();
          done({ status, error: status >= 200 && status < 300 ? '' : `Answered with ${status}.` });
        },
      );
      sent.on('error', (error) =>
        done({
          status: 0,
          error:
            error.name === 'AbortError' || error.name === 'TimeoutError'
              ? `No answer within ${TIMEOUT_MS / 1000} s.`
              : error.message,
        }),
      );
      sent.end(body);
    });
}
