import { fieldErrors } from '@parlance/errors';
import { FormatError, readTmx, type MemoryFileEntry } from '@parlance/formats';
import { readBatches, toBatches, type Batches } from '@parlance/workload';

/** Limits of one file. */
const MAX_ENTRIES = 500_000;
const MAX_LANGUAGES = 1_000;

/** An uploaded file of the memory. */
export interface MemoryFile {
  filename: string;
  /** Source language of a TMX file that does not declare one; '': unknown. */
  sourceLanguage: string;
  bytes: Buffer;
}

/** An entry of a file; JSON files may name its origin. */
export type ReadEntry = MemoryFileEntry & { origin?: string };

interface Summary {
  count: number;
  /** Language codes, as spelled in the file. */
  languages: string[];
}

/** A parsed file. Entries are deserialized batch by batch. */
export interface ParsedMemory extends Summary {
  batches(): AsyncIterable<readonly ReadEntry[]>;
}

/** A parsed file, serialized for the transfer from a worker thread. */
export interface PackedMemory extends Summary {
  entries: Batches<ReadEntry>;
}

export function inlineMemory(file: MemoryFile): ParsedMemory {
  const entries = read(file);
  return {
    ...summaryOf(entries),
    async *batches() {
      yield entries;
    },
  };
}

export function packMemory(file: MemoryFile): PackedMemory {
  const entries = read(file);
  return { ...summaryOf(entries), entries: toBatches(entries) };
}

export function unpackMemory({ entries, ...summary }: PackedMemory): ParsedMemory {
  return { ...summary, batches: () => readBatches(entries) };
}

/** @throws INVALID on field file */
function summaryOf(entries: readonly ReadEntry[]): Summary {
  const languages = new Set<string>();
  for (const { sourceLanguage, targetLanguage } of entries) {
    if (sourceLanguage) languages.add(sourceLanguage);
    if (targetLanguage) languages.add(targetLanguage);
  }
  if (languages.size > MAX_LANGUAGES) throwInvalid(`The file must not contain more than ${MAX_LANGUAGES} languages.`);
  return { count: entries.length, languages: [...languages] };
}

function throwInvalid(detail: string): never {
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail }]);
}

function read({ filename, sourceLanguage, bytes }: MemoryFile): ReadEntry[] {
  const isJson = /\.json$/i.test(filename) || /^\s*\[/.test(bytes.subarray(0, 200).toString('latin1'));
  if (isJson) return readJson(bytes);
  try {
    return readTmx(bytes, { ...(sourceLanguage ? { sourceLanguage } : {}), limits: { maxUnits: MAX_ENTRIES } });
  } catch (error) {
    if (error instanceof FormatError) throwInvalid(error.describe());
    throw error;
  }
}

/** The entries of an exported JSON file: a list of objects with source, target, source_language and target_language. */
function readJson(bytes: Buffer): ReadEntry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throwInvalid(`The file is not valid JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(parsed)) throwInvalid('The JSON file must contain an array of entries.');
  if (parsed.length > MAX_ENTRIES) throwInvalid(`The file must not contain more than ${MAX_ENTRIES} entries.`);
  return parsed.map((item: unknown, i) => {
    const fields = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    const text = (name: string): string => {
      const value = fields[name];
      return typeof value === 'string' ? value : throwInvalid(`Entry ${i + 1}: ${name} must be a text.`);
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
