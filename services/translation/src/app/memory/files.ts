import type { Caller } from '@parlance/access';
import { textProblem } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { FormatError, TmxWriter } from '@parlance/formats';
import { flatMapInSlices } from '@parlance/workload';
import { MAX_MEMORY_TEXT, type MemoryEntry, type NewMemoryEntry } from '../../domain/memory/entry';
import { memoryFilter, permittedOwner, type MemoryOwner, type MemorySelection } from './entries';
import type { MemoryDeps } from './deps';
import { requireQuota } from './quota';
import type { MemoryFile, ParsedMemory, ReadEntry } from './read-file';

export const MAX_MEMORY_FILE_BYTES = 32 * 1024 * 1024;

export type MemoryImport = MemoryFile & MemoryOwner;

export interface MemoryImportResult {
  added: number;
  /** Entries that exist already. */
  known: number;
  /** Entries with an empty, too long or invalid text, or an unknown language. */
  skipped: number;
  total: number;
}

/**
 * Imports a TMX or JSON file. Idempotent: existing entries stay unchanged.
 * @throws INVALID on field file, project or shared; PERMISSION_DENIED; OVERLOADED
 */
export async function importMemory(
  deps: MemoryDeps,
  caller: Caller,
  request: MemoryImport,
): Promise<MemoryImportResult> {
  const owner = await permittedOwner(deps, caller, request);
  const parsed = await withFieldErrors(() => deps.files.memory(request));
  const languages = await deps.projects.languages(parsed.languages);
  const entryOf = (entry: ReadEntry): NewMemoryEntry[] => {
    const sourceLanguage = languages.get(entry.sourceLanguage);
    const targetLanguage = languages.get(entry.targetLanguage);
    const { source, target } = entry;
    if (!sourceLanguage || !targetLanguage || sourceLanguage.code === targetLanguage.code) return [];
    if (source.trim() === '' || target.trim() === '') return [];
    if (source.length > MAX_MEMORY_TEXT || target.length > MAX_MEMORY_TEXT) return [];
    const origin = entry.origin || request.filename;
    if ([source, target, origin].some((text) => textProblem(text, '') !== undefined)) return [];
    return [{ source, target, sourceLanguage, targetLanguage, origin, fromFile: true, ...owner }];
  };
  async function* entries(): AsyncGenerator<NewMemoryEntry[]> {
    for await (const batch of parsed.batches()) yield flatMapInSlices(batch, entryOf);
  }
  let usable = 0;
  for await (const batch of entries()) usable += batch.length;
  await requireQuota(deps, owner, usable, entries(), 'file');
  let added = 0;
  for await (const batch of entries()) added += await deps.store.add(batch, { now: deps.now(), confirm: false });
  return { added, known: usable - added, skipped: parsed.count - usable, total: parsed.count };
}

/** Converts parse errors and exceeded limits. @throws INVALID on field file */
async function withFieldErrors(read: () => Promise<ParsedMemory>): Promise<ParsedMemory> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FormatError) throw fieldErrors([{ attr: 'file', code: 'invalid', detail: error.describe() }]);
    throw error;
  }
}

/** Category of an entry in JSON files: shared (2), imported (1), of a project or of a user. */
function categoryOf(entry: MemoryEntry): number {
  if (entry.user) return 20_000_000 + entry.user;
  if (entry.project) return 10_000_000 + entry.project;
  return entry.fromFile ? 1 : 2;
}

/**
 * Exports entries as a file, streamed.
 * @throws INVALID on field format, scope or project; PERMISSION_DENIED
 */
export async function exportMemory(
  deps: MemoryDeps,
  caller: Caller,
  selection: MemorySelection,
  format: string,
): Promise<AsyncIterable<string>> {
  if (format !== 'tmx' && format !== 'json')
    throw fieldErrors([
      { attr: 'format', code: 'invalid_choice', detail: `"${format}" is not valid. Use tmx or json.` },
    ]);
  const filter = await memoryFilter(deps, caller, selection);
  const batches = deps.store.stream(filter);
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
