// Sends the requests of tests and validates every JSON response against the published schema of its endpoint.
import { createRequire } from 'node:module';
import { exchangeByFetch } from './api.mjs';

const load = createRequire(import.meta.url);
const { endpoints } = load('../../gateway/dist/endpoints.js');
const { failuresOf, successesOf } = load('../../gateway/dist/openapi/statuses.js');
const { errorSchema } = load('../../gateway/dist/responses/schema.js');

const segmentsOf = (path) => path.split('/').filter(Boolean);

/** Specificity of a matching pattern: the number of its literal segments; undefined if it does not match. */
function fit(pattern, path) {
  const [wanted, given] = [segmentsOf(pattern), segmentsOf(path)];
  if (wanted.length !== given.length) return undefined;
  if (!wanted.every((segment, i) => segment.startsWith(':') || segment === given[i])) return undefined;
  return wanted.filter((segment) => !segment.startsWith(':')).length;
}

/** The endpoint of a request; paths with unencoded categories are not recognized. */
function endpointOf(method, path) {
  const candidates = endpoints
    .filter((endpoint) => endpoint.method === method)
    .flatMap((endpoint) => {
      const literals = fit(endpoint.path, path);
      return literals === undefined ? [] : [{ endpoint, literals }];
    });
  return candidates.sort((a, b) => b.literals - a.literals)[0]?.endpoint;
}

/** @throws Error if the status is missing from the endpoint's description; defects (500) and wrong methods (405) are not described */
function checkStatus(method, pathname, status) {
  if (status === 500 || status === 405) return;
  const endpoint = endpointOf(method, pathname);
  if (!endpoint || [...successesOf(endpoint), ...failuresOf(endpoint)].includes(status)) return;
  throw new Error(
    `${method} ${pathname} responded with the status ${status}, which ${endpoint.path} does not describe`,
  );
}

/** @throws Error if a response does not match its documented statuses and schema */
export function checkResponse(method, url, status, contentType, text) {
  const { pathname, searchParams } = new URL(url);
  checkStatus(method, pathname, status);
  // Other formats have their own schemas.
  if (!contentType.startsWith('application/json') || searchParams.has('format') || text === '') return;
  if (!/^\/(api|hooks)\//.test(pathname)) return;
  const schema = status >= 400 ? errorSchema : endpointOf(method, pathname)?.response;
  if (!schema) return;
  const { success, error } = schema.safeParse(JSON.parse(text));
  if (!success)
    throw new Error(
      `${method} ${pathname} responded with ${status} and a body that violates its schema: ${JSON.stringify(error.issues).slice(0, 2000)}`,
    );
}

/** Exchange of `makeApi` that validates responses. */
export async function checkedExchange(url, request) {
  const answer = await exchangeByFetch(url, request);
  checkResponse(
    request.method ?? 'GET',
    url,
    answer.status,
    answer.headers.get('content-type') ?? '',
    answer.bytes.toString('utf8'),
  );
  return answer;
}
