import { fieldsOf, type RequestField } from '@parlance/contracts';
import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import { accessText } from '../../access/rule';
import type { Endpoint, ResourceRoute } from '../../routing/endpoint';
import { toJson } from '../../responses/render';
import { pagingFields } from '../../responses/schema';
import type { Site } from '../../responses/site';
import { curlForm, curlLine, exampleBody, wlcLine } from './commands';
import { bodyOfForm, formFields, type BrowserForm } from '../../bodies/browser-form';
import { formOf, textOf, type FormState } from './forms';
import type { ErrorBody } from '../../responses/errors';
import { jsonMarkup } from '../rendering/json-markup';
import { CSRF_FIELD } from '../../sessions/csrf';
import { renderPage } from '../rendering/render-page';

/** A response of the API, and the request that it answers. */
export interface ApiExchange {
  route: ResourceRoute;
  method: string;
  /** Path as the client sent it. */
  path: string;
  query: URLSearchParams;
  status: number;
  headers: OutgoingHttpHeaders;
  site: Site;
  username: string;
  /** The form of a page that the request came from. */
  form: BrowserForm | undefined;
  csrfToken: string | undefined;
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** A segment of a path as text; malformed percent-encoding stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** Field of the form with filters, and row of the list of fields. */
interface Field {
  name: string;
  type: string;
  required: boolean;
  doc: string;
  choices: readonly string[];
  default: string;
  value: string;
}

const fieldOf = (setting: RequestField, value = ''): Field => ({
  name: setting.name,
  type: setting.type,
  required: setting.required,
  doc: setting.doc,
  choices: (setting.choices ?? []).map(String),
  default: textOf(setting.default),
  value,
});

/** Query parameters of a read. */
function filtersOf({ query }: ApiExchange, endpoint: Endpoint | undefined, isList: boolean): Field[] {
  if (endpoint?.method !== 'GET') return [];
  const settings = [endpoint.query, isList ? pagingFields : undefined].flatMap((schema) =>
    schema ? fieldsOf(schema) : [],
  );
  return settings.map((setting) => fieldOf(setting, query.get(setting.name) ?? ''));
}

function methodOf(
  { path, query, route, site, method: answered }: ApiExchange,
  endpoint: Endpoint,
  state: FormState,
  sentBody: Record<string, unknown> | undefined,
) {
  const { method, doc, body } = endpoint;
  const asked = new URLSearchParams(method === 'GET' && answered === 'GET' ? query : []);
  // A program wants the data, not this page.
  asked.delete('format', 'api');
  const search = asked.size > 0 ? `?${asked.toString()}` : '';
  const url = `${site.base}${path}${search}`;
  const example = body ? ((method === answered ? sentBody : undefined) ?? exampleBody(endpoint, site.base)) : undefined;
  const files = body?.files ?? [];
  const fields = body ? fieldsOf(body.fields) : [];
  const given = segmentsOf(path);
  const names = segmentsOf(route.pattern).flatMap((segment, i) => (segment.startsWith(':') ? [given[i] ?? ''] : []));
  return {
    method,
    doc,
    access: accessText(endpoint),
    form: method === 'GET' ? undefined : formOf(endpoint, state, site.base),
    curl:
      files.length > 0 && fields.every(({ required }) => !required)
        ? curlForm(method, url, files, {})
        : curlLine(method, url, example),
    upload: files.length > 0 ? curlForm(method, url, files, example ?? {}) : undefined,
    wlc: wlcLine({ method, path: route.pattern }, names, site.base),
  };
}

/** Links to the resources above. */
function trailOf({ path, route, site }: ApiExchange) {
  const segments = segmentsOf(path);
  return segments.slice(0, -1).map((segment, i) => {
    const pattern = `/${segmentsOf(route.pattern)
      .slice(0, i + 1)
      .join('/')}/`;
    const href = `${site.root}/${segments.slice(0, i + 1).join('/')}/`;
    return { text: decoded(segment), ...(route.ancestors.includes(pattern) ? { href } : {}) };
  });
}

/** Addresses of the response in other representations. */
function formatsOf({ query }: ApiExchange, endpoint: Endpoint | undefined) {
  if (endpoint?.method !== 'GET') return [];
  return ['json', 'csv', ...(endpoint.renderers ?? [])].map((format) => {
    const changed = new URLSearchParams(query);
    changed.set('format', format);
    return { text: format, href: `?${changed.toString()}` };
  });
}

/** Headers that explain the response. */
const shownHeaders = ['allow', 'vary', 'location', 'retry-after', 'www-authenticate', 'x-request-id'];

const headersOf = (headers: OutgoingHttpHeaders) =>
  shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [{ name, value: String(headers[name]) }]));

/** Address of a neighbouring page, if the response is a page of a list. */
function neighbour(data: unknown, key: 'next' | 'previous', { base }: Site): string | undefined {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && value.startsWith(`${base}/`) ? value : undefined;
}

const isPage = (data: unknown): data is { count: number } =>
  typeof data === 'object' && data !== null && 'count' in data && 'results' in data;

/** Contents of the forms of the page. */
function formState(data: unknown, { method, status, form }: ApiExchange): FormState {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  if (status >= 400) return { current: undefined, sent: form, problems: (data as ErrorBody).errors };
  const shows = isObject && !isPage(data) && (method === 'GET' || method === 'PUT' || method === 'PATCH');
  return { current: shows ? (data as Record<string, unknown>) : undefined, sent: form, problems: [] };
}

/** The body that a form sent, without the token of the session; undefined without a form, and if it is malformed. */
async function bodySent({ form }: ApiExchange, endpoint: Endpoint | undefined) {
  if (!form || !endpoint) return undefined;
  return bodyOfForm(form, endpoint).then(
    ({ values: { [CSRF_FIELD]: _token, ...values } }) => values,
    () => undefined,
  );
}

/** A response of the API as a page for people. */
export async function renderApiPage(data: unknown, exchange: ApiExchange): Promise<string> {
  const { route, method, path, status, headers, site, username, form, csrfToken } = exchange;
  const endpoint = route.methods.get(method === 'HEAD' ? 'GET' : method);
  const json = data === undefined ? '' : await toJson(data, 2);
  const limit = headers['x-ratelimit-limit'];
  const state = formState(data, exchange);
  const sent = await bodySent(exchange, endpoint);
  // The token of a form is forgotten, and the browser has no other credentials without a session.
  const needsToken = csrfToken === undefined && (username === '' || (form?.token ?? '') !== '');
  return renderPage('api', {
    title: `${method} ${decoded(path)}`,
    site,
    username,
    csrfToken,
    hidden: true,
    trail: trailOf(exchange),
    method,
    path: segmentsOf(path).map(decoded),
    doc: endpoint?.doc ?? '',
    access: endpoint ? accessText(endpoint) : '',
    status,
    reason: STATUS_CODES[status] ?? '',
    isError: status >= 400,
    headers: headersOf(headers),
    limit:
      limit === undefined
        ? undefined
        : { limit, remaining: headers['x-ratelimit-remaining'], reset: headers['x-ratelimit-reset'] },
    formats: formatsOf(exchange, endpoint),
    filters: filtersOf(exchange, endpoint, isPage(data)),
    pages: isPage(data)
      ? { count: data.count, next: neighbour(data, 'next', site), previous: neighbour(data, 'previous', site) }
      : { count: 0 },
    body: jsonMarkup(json, site.base),
    methods: [...route.methods.values()].map((each) => methodOf(exchange, each, state, sent)),
    isFile: endpoint?.ownFormat === true && status < 400,
    action: `${site.root}${path}`,
    needsToken,
    csrf: csrfToken === undefined ? undefined : { name: CSRF_FIELD, value: csrfToken },
    names: formFields,
    canRead: route.methods.has('GET'),
    schema: `${site.root}/api/schema/`,
    docs: `${site.root}/api/docs/`,
  });
}
