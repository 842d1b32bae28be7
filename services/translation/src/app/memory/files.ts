import type { Principal } from '@parlance/access';
import { textProblem } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { FormatError, readTmx, TmxWriter, type MemoryFileEntry } from '@parlance/formats';
import { MAX_MEMORY_TEXT, type MemoryEntry, type NewMemoryEntry } from '../../domain/memory/entry';
import { memoryFilter, permittedOwner, type MemoryOwner, type WantedMemory } from './entries';
import type { MemoryParts } from './parts';

/** Largest file that is taken, in bytes, and the most entries that it may hold. */
export const MAX_MEMORY_FILE_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 500_000;
const MAX_LANGUAGES = 1_000;

export interface MemoryImport extends MemoryOwner {
  filename: string;
  /** Of a TMX file that does not say it; '' when unknown. */
  sourceLanguage: string;
  bytes: Buffer;
}

export interface MemoryImportResult {
  added: number;
  /** Those that were there already. */
  known: number;
  /** Those that lack a text, have one that is too long or no valid text, or name a language that is not known here. */
  skipped: number;
  total: number;
}

function refuse(detail: string): never {
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail }]);
}

/** The entries of an exported JSON file: a list of objects with source, target, source_language and target_language. */
function readJson(bytes: Buffer): (MemoryFileEntry & { origin: string })[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    refuse(`The file is no valid JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(parsed)) refuse('A list of entries is expected.');
  return parsed.map((item: unknown, i) => {
    const fields = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    const text = (name: string): string => {
      const value = fields[name];
      return typeof value === 'string' ? value : refuse(`Entry ${i + 1}: ${name} must be a text.`);
    };
    return {
      source: text('source'),
      target: text('target'),
      sourceLanguage: text('source_language'),
      targetLanguage: text('target_language'),
      origin: fields['origin'] === undefined ? '' : text('origin').slice(0, 500),
    };
  });
}

function read(request: MemoryImport): (MemoryFileEntry & { origin?: string })[] {
  const isJson = /\.json$/i.test(request.filename) || /^\s*\[/.test(request.bytes.subarray(0, 200).toString('latin1'));
  if (isJson) return readJson(request.bytes);
  try {
    const { sourceLanguage } = request;
    return readTmx(request.bytes, { ...(sourceLanguage ? { sourceLanguage } : {}), limits: { maxUnits: MAX_ENTRIES } });
  } catch (error) {
    if (error instanceof FormatError) refuse(error.describe());
    throw error;
  }
}

/**
 * Takes a TMX or JSON file in. What is there already is left as it is, so a file can be taken again.
 * @throws INVALID on field file, project or shared; PERMISSION_DENIED
 */
export async function importMemory(
  parts: MemoryParts,
  principal: Principal,
  request: MemoryImport,
): Promise<MemoryImportResult> {
  const owner = await permittedOwner(parts, principal, request);
  const found = read(request);
  if (found.length > MAX_ENTRIES) refuse(`The file holds more than ${MAX_ENTRIES} entries.`);
  const codes = [...new Set(found.flatMap((entry) => [entry.sourceLanguage, entry.targetLanguage]))].filter(Boolean);
  if (codes.length > MAX_LANGUAGES) refuse(`The file names more than ${MAX_LANGUAGES} languages.`);
  const languages = await parts.projects.languages(codes);
  const entries = found.flatMap((entry): NewMemoryEntry[] => {
    const sourceLanguage = languages.get(entry.sourceLanguage);
    const targetLanguage = languages.get(entry.targetLanguage);
    const { source, target } = entry;
    if (!sourceLanguage || !targetLanguage || sourceLanguage.code === targetLanguage.code) return [];
    if (source.trim() === '' || target.trim() === '') return [];
    if (source.length > MAX_MEMORY_TEXT || target.length > MAX_MEMORY_TEXT) return [];
    const origin = entry.origin || request.filename;
    if ([source, target, origin].some((text) => textProblem(text, '') !== undefined)) return [];
    return [{ source, target, sourceLanguage, targetLanguage, origin, fromFile: true, ...owner }];
  });
  const added = await parts.store.add(entries, { now: parts.now(), confirm: false });
  return {
    added,
    known: entries.length - added,
    skipped: found.length - entries.length,
    total: found.length,
  };
}

/** Number that files of this kind of memory use for where an entry belongs. */
function categoryOf(entry: MemoryEntry): number {
  if (entry.user) return 20_000_000 + entry.user;
  if (entry.project) return 10_000_000 + entry.project;
  return entry.fromFile ? 1 : 2;
}

/**
 * Entries as a file, in pieces.
 * @throws INVALID on field format, scope or project; PERMISSION_DENIED
 */
export async function exportMemory(
  parts: MemoryParts,
  principal: Principal,
  wanted: WantedMemory,
  format: string,
): Promise<AsyncIterable<string>> {
  if (format !== 'tmx' && format !== 'json')
    throw fieldErrors([{ attr: 'format', code: 'invalid_choice', detail: `"${format}" is not tmx or json.` }]);
  const filter = await memoryFilter(parts, principal, wanted);
  const batches = parts.store.stream(filter);
  return format === 'tmx' ? tmxOf(batches) : jsonOf(batches);
}

async function* tmxOf(batches: AsyncIterable<MemoryEntry[]>): AsyncGenerator<string> {
  const writer = new TmxWriter();
  yield writer.head;
  for await (const batch of batches) {
    yield batch
      .map((entry) =>
        writer.entry({
          source: entry.source,
          target: entry.target,
          sourceLanguage: entry.sourceLanguage.code,
          targetLanguage: entry.targetLanguage.code,
        }),
      )
      .join('');
  }
  yield writer.tail;
}

async function* jsonOf(batches: AsyncIterable<MemoryEntry[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of batches) {
    const lines = batch.map((entry) =>
      JSON.stringify({
        source: entry.source,
        target: entry.target,
        source_language: entry.sourceLanguage.code,
        target_language: entry.targetLanguage.code,
        origin: entry.origin,
        category: categoryOf(entry),
      }),
    );
    yield separator + lines.join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
