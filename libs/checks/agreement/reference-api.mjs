// HTTP client of the peer (a Weblate server) and builders of the files that it imports.
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { PLURALS } from './verdict.mjs';

const { PEER_URL, PEER_TOKEN } = process.env;
if (!PEER_URL || !PEER_TOKEN)
  throw new Error('Set PEER_URL (for example http://127.0.0.1:8099) and PEER_TOKEN (an administrator).');

/** Sends one request and returns the parsed body; throws for a status that is not expected. */
export async function ask(method, path, body, expected = [200, 201, 204]) {
  const headers = { authorization: `Token ${PEER_TOKEN}` };
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  const url = path.startsWith('http') ? path : `${PEER_URL}/api/${path}`;
  const send = () => fetch(url, { method, headers, body: isForm ? body : body && JSON.stringify(body) });
  // The server closes idle connections. All methods except POST are idempotent and retried.
  const response = await send().catch((error) => {
    if (method === 'POST') throw error;
    return send();
  });
  const text = await response.text();
  if (!expected.includes(response.status))
    throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** All results of a paginated list. */
export async function list(path) {
  const found = [];
  for (let next = path; next;) {
    const page = await ask('GET', next);
    found.push(...page.results);
    next = page.next;
  }
  return found;
}

/** Deletes the project if it exists and creates it again. */
export async function freshProject(slug, settings = {}) {
  await ask('DELETE', `projects/${slug}/`, undefined, [204, 404]);
  for (let left = 120; left > 0; left--) {
    if (
      (await fetch(`${PEER_URL}/api/projects/${slug}/`, { headers: { authorization: `Token ${PEER_TOKEN}` } }))
        .status === 404
    )
      break;
    await pause(1000);
  }
  await ask('POST', 'projects/', { name: slug, slug, web: 'https://example.com/', ...settings });
}

/** A ZIP file of uncompressed text files. */
function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(33, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), fields, path, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, path);
    offset += 30 + path.length + data.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, index, end]);
}

/** Creates a component of gettext files from a ZIP file and waits until it is imported. */
export async function createComponent(project, slug, files, settings = {}) {
  const form = new FormData();
  form.set('zipfile', new Blob([zip(files)]), 'files.zip');
  const fields = {
    name: slug,
    slug,
    file_format: 'po',
    filemask: '*.po',
    new_lang: 'none',
    source_language: 'en',
    allow_translation_propagation: true,
    ...settings,
  };
  for (const [key, value] of Object.entries(fields)) form.set(key, String(value));
  await ask('POST', `projects/${project}/components/`, form);
  // The import runs in the background and names no task once the component exists.
  const query = encodeURIComponent(`path:${project}/${slug} AND NOT language:en`);
  const wanted = Object.values(files).reduce((sum, text) => sum + text.split('msgctxt ').length - 1, 0);
  let count = -1;
  for (let left = 300; count < wanted && left > 0; left--) {
    await pause(1000);
    ({ count } = await ask('GET', `units/?q=${query}&page_size=1`));
  }
  if (count < wanted) throw new Error(`${project}/${slug}: ${count} of ${wanted} strings were imported`);
}

const quote = (text) =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`;

/** A gettext file of `{ context, flags, state, source, target }`. */
export function gettextFile(language, units) {
  const [count, formula] = PLURALS[language] ?? [2, 'n != 1'];
  const header = `Content-Type: text/plain; charset=UTF-8\\nContent-Transfer-Encoding: 8bit\\nLanguage: ${language}\\nPlural-Forms: nplurals=${count}; plural=${formula};\\n`;
  const entries = units.map(({ context, flags, state, source, target }) =>
    [
      ...(state === 10 ? ['#, fuzzy'] : []),
      ...(flags ? [`#, ${flags}`] : []),
      `msgctxt ${quote(context)}`,
      `msgid ${quote(source[0])}`,
      ...(source.length > 1
        ? [
            `msgid_plural ${quote(source[1])}`,
            ...Array.from({ length: count }, (_, index) => `msgstr[${index}] ${quote(target[index] ?? '')}`),
          ]
        : [`msgstr ${quote(target[0])}`]),
    ].join('\n'),
  );
  return [`msgid ""\nmsgstr "${header}"`, ...entries].join('\n\n') + '\n';
}
