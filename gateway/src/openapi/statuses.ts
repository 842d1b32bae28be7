import { reasons } from '@parlance/errors';
import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '../routing/endpoint';

/** Statuses of the endpoint's successes. */
export function successesOf({ success, response, produces }: Endpoint): readonly number[] {
  return success ?? [response || produces ? 200 : 204];
}

/** Statuses that every endpoint may answer: Host, token, path, rate limit, capacity and the time limit of calls. */
const everywhere = [400, 401, 404, 429, 503, 504];

/** Whether all callers may send the request, so that no permission is missing. */
const isPublic = ({ method, path, access }: Endpoint): boolean =>
  access === 'anyone' && method === 'GET' && path.startsWith('/api/');

/** Statuses of the endpoint's failures, ascending. */
export function failuresOf(endpoint: Endpoint): readonly number[] {
  const { method, body, accepts, ownFormat, failures = [] } = endpoint;
  const found = [
    ...everywhere,
    ...(isPublic(endpoint) ? [] : [403]),
    ...(ownFormat ? [] : [406]),
    ...(method === 'GET' ? [] : [409]),
    ...(body || accepts ? [408, 413, 415] : []),
    ...failures,
  ];
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Texts of statuses that no reason of `libs/errors` has. */
const others: Readonly<Record<number, string>> = { 416: 'The range is outside of the file.' };

/** When an endpoint answers with a status: the messages of the reasons with that status. */
export function failureText(status: number): string {
  const messages = Object.values(reasons).flatMap(({ http, message }) => (http === status ? [message] : []));
  return messages.join(' Or: ') || others[status]!;
}

/** Name of a status in the components of the document. */
export const failureName = (status: number): string => STATUS_CODES[status]!.replace(/\W/g, '');

/** Whether responses with the status tell when to retry. */
export const hasRetryAfter = (status: number): boolean => status === 429 || status === 503;
