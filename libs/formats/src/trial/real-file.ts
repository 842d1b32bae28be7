import { opendirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError, type FileFormat, type FormatFile } from '../format';
import { sameTexts } from '../core/same-texts';

/** Result of a format with a real file. */
export interface FileTrial {
  /** `refused`: not a file of the format. `blank`: no editable strings. */
  outcome: 'kept' | 'refused' | 'blank' | 'rewritten' | 'widened';
  /** The problem, for `refused`, `rewritten` and `widened`. */
  reason: string;
}

/** Compressed formats, or formats that append new texts: an edit changes other bytes too. */
const BINARY: ReadonlySet<string> = new Set(['mo', 'xlsx', 'odf', 'idml', 'appstore']);

/** Bytes around a text that may change with it: quotes, escapes, wrapping. */
const SLACK = 80;

/**
 * Writes a file without a change, which must return the same bytes (else `rewritten`), and with one changed string, which must keep
 * the other strings and the bytes around it (else `widened`).
 */
export function tryFile(format: FileFormat, bytes: Buffer): FileTrial {
  let file: FormatFile;
  try {
    file = format.parse(bytes);
  } catch (error) {
    if (error instanceof FormatError) return { outcome: 'refused', reason: error.describe() };
    throw error;
  }
  if (!file.apply([]).equals(bytes))
    return { outcome: 'rewritten', reason: 'a write without a change gives other bytes' };
  const { length } = file.units;
  for (const at of new Set([length >> 1, 0, length - 1, length >> 2])) {
    const reason = tryEdit(format, file, bytes, at);
    if (reason !== undefined) return reason === '' ? { outcome: 'kept', reason } : { outcome: 'widened', reason };
  }
  return { outcome: 'blank', reason: '' };
}

/** '' for a correct edit, else the problem; undefined if the string cannot be edited. */
function tryEdit(format: FileFormat, file: FormatFile, bytes: Buffer, at: number): string | undefined {
  const unit = file.units[at];
  if (!unit || unit.state === 'readonly' || unit.target.length === 0) return undefined;
  const target = unit.target.with(0, 'Changed 7 text');
  let written: Buffer;
  try {
    written = file.apply([{ op: 'set', index: at, target }]);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  const after = format.parse(written).units;
  if (after.length !== file.units.length) return `${after.length} strings instead of ${file.units.length}`;
  for (const { index, context, source, target: old } of file.units) {
    const found = after[index];
    const expected = index === at ? target : old;
    const same = found && sameTexts(found.target, expected) && (sameTexts(found.source, source) || index === at);
    if (!same || found.context !== context) return `string ${index} became another one by an edit of ${at}`;
  }
  if (BINARY.has(format.id)) return '';
  const replaced = bytes.length - commonBytes(bytes, written);
  // An untranslated string may show its source.
  const replacedText = unit.target[0] || (unit.source[0] ?? '');
  const allowed = 6 * Buffer.byteLength(replacedText, 'utf16le') + SLACK;
  return replaced > allowed ? `${replaced} bytes were replaced for a text of ${unit.target[0]?.length ?? 0}` : '';
}

/** Length of the common prefix and suffix of two files. */
export function commonBytes(a: Buffer, b: Buffer): number {
  const max = Math.min(a.length, b.length);
  let head = 0;
  while (head < max && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < max - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return head + tail;
}

/** Formats to try for a file name. */
export function formatsFor(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  for (const [pattern, ids] of BY_NAME) if (pattern.test(name) || pattern.test(path)) return ids;
  return [];
}

const BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.pot?$/, ['po', 'po-mono']],
  [/\.g?mo$/, ['mo']],
  [/^messages(?:\.gotext)?\.json$|\.gotext\.json$/, ['webextension', 'gotext', 'json-nested']],
  [/\.arb$/, ['arb']],
  [/\.xcstrings$/, ['xcstrings']],
  [/\.json$/, ['json', 'json-nested', 'i18next', 'i18nextv4', 'go-i18n-json', 'go-i18n-json-v2', 'formatjs', 'arb']],
  [/\.ya?ml$/, ['yaml', 'ruby-yaml']],
  [/\.(?:md|markdown)$/, ['markdown']],
  [/\.x?html?$/, ['html']],
  [/\.properties$/, ['properties', 'properties-utf8', 'gwt', 'mi18n-lang', 'xwiki-java-properties']],
  [/\.(?:ini|desktop)$/, ['ini', 'joomla', 'islu']],
  [/\.(?:php|inc)$/, ['php', 'laravel']],
  [/\.xl(?:f|iff)$/, ['xliff', 'plainxliff', 'poxliff', 'xliff2']],
  [/\.ts$/, ['ts']],
  [/\.strings$/, ['strings', 'strings-utf8']],
  [/\.stringsdict$/, ['stringsdict']],
  [/\.resx$/, ['resx']],
  [/\.xaml$/, ['resourcedictionary']],
  [/\/values[^/]*\/[^/]*\.xml$/, ['aresource', 'moko-resource', 'cmp-resource']],
  [/\.xml$/, ['flatxml']],
  [/\.[ct]sv$/, ['csv', 'csv-utf-8', 'csv-simple', 'csv-simple-utf-8', 'csv-multi-utf-8']],
  [/\.srt$/, ['srt']],
  [/\.sub$/, ['sub']],
  [/\.ass$/, ['ass']],
  [/\.ssa$/, ['ssa']],
  [/\.dtd$/, ['dtd']],
  [/\.toml$/, ['toml']],
  [/\.ftl$/, ['fluent']],
  [/\.tbx$/, ['tbx']],
  [/\.tmx$/, ['tmx']],
  [/\.rc$/, ['rc']],
  [/\.catkeys$/, ['catkeys']],
  [/\.lang$/, ['lang']],
  [/\.xlsx$/, ['xlsx']],
  [/\.(?:od[tspgf]|ot[tspg]|sxw)$/, ['odf']],
  [/\.idml$/, ['idml']],
  [/\/(?:dokuwiki|data\/pages|inc\/lang)\/.*\.txt$/, ['dokuwiki']],
  [/(?:\.txt|^licen[cs]e|^readme|^copying|^notice)$/, ['txt', 'dokuwiki', 'mediawiki']],
];

/** Paths of files below a folder, in a fixed order; at most `perFolder` of a kind per folder, to cover many packages. */
export function* filesBelow(root: string, perFolder = 3): Generator<string> {
  const queue = [root];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const names: string[] = [];
    try {
      const open = opendirSync(folder);
      for (let entry = open.readSync(); entry; entry = open.readSync()) {
        if (entry.isDirectory() && entry.name !== '.bin' && entry.name !== '.git') queue.push(join(folder, entry.name));
        else if (entry.isFile()) names.push(entry.name);
      }
      open.closeSync();
    } catch {
      // Skips folders without read permission.
      continue;
    }
    const seen = new Map<string, number>();
    for (const name of names.sort()) {
      const kind = formatsFor(join(folder, name))[0];
      if (kind === undefined) continue;
      const count = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, count);
      if (count <= perFolder) yield join(folder, name);
    }
  }
}

/** A file's bytes; undefined if it is too large or cannot be read. */
export function readReal(path: string, maxBytes = 150_000): Buffer | undefined {
  try {
    return statSync(path).size <= maxBytes ? readFileSync(realpathSync(path)) : undefined;
  } catch {
    return undefined;
  }
}
