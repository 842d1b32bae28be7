import { fieldsOf, type RequestField, type Shape } from '@parlance/contracts';
import type { Endpoint } from '../../routing/endpoint';

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Joins the parts of a command, one on each line. */
const command = (parts: readonly string[]): string => parts.join(' \\\n  ');

function curlParts(method: string): string[] {
  const token = 'curl -H "Authorization: Token $TOKEN"';
  return [method === 'GET' ? token : `${token} -X ${method}`];
}

/** A curl command with a JSON body; the token comes from the environment. */
export function curlLine(method: string, url: string, body?: unknown): string {
  const data = body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`];
  return command([...curlParts(method), ...data, quoted(url)]);
}

/** A curl command with a multipart form. */
export function curlForm(method: string, url: string, files: readonly string[], fields: object): string {
  const parts = files.map((name) => `-F ${name}=@FILE`);
  const values = Object.entries(fields).map(([name, value]) => `-F ${quoted(`${name}=${String(value)}`)}`);
  return command([...curlParts(method), ...parts, ...values, quoted(url)]);
}

const shapes: Partial<Record<Shape, string>> = {
  slug: 'example',
  'language-code': 'cs',
  'http-url': 'https://example.com/',
  email: 'ann@example.com',
  'date-time': '2026-01-31T00:00:00Z',
};

function exampleValue(setting: RequestField, base: string): unknown {
  if (setting.choices) return setting.choices[0];
  if (setting.default !== undefined && setting.default !== '' && setting.default !== null) return setting.default;
  switch (setting.type) {
    case 'integer':
    case 'number':
    case 'id':
      return Math.max(1, setting.min ?? 1);
    case 'boolean':
      return true;
    case 'list':
      return ['…'];
    case 'integers':
      return [1];
    case 'object':
      return {};
    case 'objects':
      return [{}];
    case 'language':
      return 'cs';
    case 'time':
      return '2026-01-31T00:00:00Z';
    case 'relation':
      return `${base}/api/…/`;
    case 'relations':
      return [`${base}/api/…/`];
    default:
      return (setting.shape && shapes[setting.shape]) ?? '…';
  }
}

/** Fields of an example without required fields. */
const FEW = 2;

/** A body with the required fields of an endpoint or, if it has none, a few of its fields. */
export function exampleBody({ method, body }: Endpoint, base: string): Record<string, unknown> {
  const writable = (body ? fieldsOf(body.fields) : []).filter(({ access }) => access !== 'read-only');
  const required = method === 'PATCH' ? [] : writable.filter((setting) => setting.required);
  const shown = required.length > 0 ? required : writable.slice(0, FEW);
  return Object.fromEntries(shown.map((setting) => [setting.name, exampleValue(setting, base)]));
}

/** Commands of wlc by endpoint; OBJECT is the object in the path. */
const wlcCommands: Readonly<Record<string, string>> = {
  'GET /api/projects/': 'list-projects',
  'GET /api/components/': 'list-components',
  'GET /api/projects/:project/components/': 'list-components OBJECT',
  'GET /api/translations/': 'list-translations',
  'GET /api/components/:project/:component/translations/': 'list-translations OBJECT',
  'GET /api/languages/': 'list-languages',
};
/** The same for objects that a project, component or translation has. */
const objectCommands: Readonly<Record<string, string>> = {
  'GET ': 'show OBJECT',
  'DELETE ': 'delete OBJECT',
  'GET statistics/': 'stats OBJECT',
  'GET changes/': 'changes OBJECT',
  'GET repository/': 'repo OBJECT',
  'POST repository/': 'pull OBJECT',
  'GET lock/': 'lock-status OBJECT',
  'POST lock/': 'lock OBJECT',
  'GET file/': 'download OBJECT',
  'POST file/': 'upload OBJECT --input FILE',
  'GET units/': 'list-units OBJECT',
};
const objectPattern =
  /^\/api\/(?:projects\/:project|components\/:project\/:component|translations\/:project\/:component\/:language)\/(.*)$/;

/**
 * The wlc command that sends a request.
 * @param names values of the path's parameters, as they are in the path
 * @returns undefined if wlc has none
 */
export function wlcLine(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  names: readonly string[],
  base: string,
): string | undefined {
  const own = wlcCommands[`${method} ${path}`];
  const [, rest] = objectPattern.exec(path) ?? [];
  const found = own ?? (rest === undefined ? undefined : objectCommands[`${method} ${rest}`]);
  if (found === undefined) return undefined;
  // wlc reads and downloads units of translations only, and locks components.
  const kind = path.split('/')[2]!;
  if (kind !== 'translations' && /^(?:list-units|upload)/.test(found)) return undefined;
  if (kind === 'translations' && found.includes('lock')) return undefined;
  const object = names.join('/');
  return `wlc --url ${quoted(`${base}/api/`)} --key "$TOKEN" ${found.replace('OBJECT', () => quoted(object))}`;
}
