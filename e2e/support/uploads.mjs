// Uploads of translated files, and their results.
import { poHeader } from './repository.mjs';

/**
 * A PO file with these entries.
 * @param {readonly {source: string, text: string, fuzzy?: boolean}[]} entries
 */
export const po = (entries, header = poHeader('cs')) =>
  header + entries.map((e) => `${e.fuzzy ? '#, fuzzy\n' : ''}msgid "${e.source}"\nmsgstr "${e.text}"\n`).join('\n');

/**
 * Uploads a file to the translation at a path.
 * @param {{send: ReturnType<typeof import('./api.mjs').makeApi>['send']}} client
 * @param {string} path
 * @param {string | Buffer} content
 */
export function upload(client, path, content, fields = {}, filename = 'cs.po') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), filename);
  return client.send('POST', `${path}/file/`, form);
}

/**
 * @typedef {{action: number, target: string, old: string, author: string | null, user: string | null,
 *   details: Record<string, unknown>}} ChangeBody
 */

/** @param {ReturnType<typeof import('./api.mjs').makeApi>} api */
export function makeReading(api) {
  /** @type {(path: string) => Promise<import('./api.mjs').UnitBody[]>} */
  const units = async (path) => api.all(`${path}/units/`);
  return {
    units,
    /** Text and state of each string by source. */
    texts: async (path) => Object.fromEntries((await units(path)).map((u) => [u.source[0], [u.target[0], u.state]])),
    /** @type {(path: string) => Promise<ChangeBody[]>} */
    newest: async (path) => (await api.get(`${path}/changes/?page_size=100`)).results,
  };
}
