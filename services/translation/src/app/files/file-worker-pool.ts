import {
  convert,
  FormatError,
  formatOf,
  type ConvertOptions,
  type ConvertUnit,
  type ParseOptions,
} from '@parlance/formats';
import {
  flatMapInSlices,
  mapInSlices,
  TaskLimitError,
  toBatchesInSlices,
  WorkerPool,
  type Batches,
} from '@parlance/workload';
import { join } from 'node:path';
import type * as tasks from '../../worker';
import { applyEdits, type EditedFile, type FileEdit, type AppliedEdits } from '../commit/apply-edits';
import type { Conflict } from '../import/conflicts';
import { mergeFile, type FileVersions } from '../import/merge-file';
import { inlineMemory, unpackMemory, type MemoryFile, type ParsedMemory } from '../memory/read-file';
import { readUpload, type UploadedFile } from '../upload/read-upload';
import { valueOf, type Outcome } from './outcome';
import { inlineFile, unpackFile, type ParsedFile } from './parsed-file';

/** Time limit of a task in a worker thread, in milliseconds. */
const MAX_RUN_MS = 120_000;
/** Length of the queue for worker threads. */
const MAX_WAITING = 64;

/** Largest file that is processed inline, in bytes: about 10 ms, so that ordinary requests do not wait for a thread. */
const INLINE_BYTES = 192 * 1024;
/** The same for formats parsed at more than 20 MB/s, and for those that may take a second per megabyte; see libs/formats. */
const INLINE_BYTES_FAST = 512 * 1024;
const INLINE_BYTES_SLOW = 32 * 1024;
/** Maximum number of units converted inline. */
const INLINE_UNITS = 2_000;

const fastFormats = new Set([
  'po',
  'po-mono',
  'strings',
  'json',
  'webextension',
  'csv',
  'csv-utf-8',
  'srt',
  'ass',
  'txt',
]);
const slowFormats = new Set([
  ...['xlsx', 'idml', 'odf', 'appstore', 'php', 'laravel', 'yaml', 'ruby-yaml', 'rc', 'fluent', 'toml', 'tbx', 'tmx'],
  ...['html', 'markdown'],
]);

function isLarge(format: string, bytes: number): boolean {
  if (fastFormats.has(format)) return bytes > INLINE_BYTES_FAST;
  return bytes > (slowFormats.has(format) ? INLINE_BYTES_SLOW : INLINE_BYTES);
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const buffersOf = (batches: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer[] => batches.map(({ buffer }) => buffer);

/** Parses and renders files: small ones inline, large ones in worker threads, so that exhausted memory does not end the process. */
export class FileWorkerPool {
  private readonly pool: WorkerPool<typeof tasks>;

  /** @param limits number of worker threads, and the heap of each, in MB */
  constructor(limits: { threads: number; memoryMb: number }) {
    const worker = join(__dirname, '../../worker');
    this.pool = new WorkerPool(worker, { ...limits, maxRunMs: MAX_RUN_MS, maxWaiting: MAX_WAITING });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** @throws FormatError; OVERLOADED */
  async parse(format: string, bytes: Buffer, options: ParseOptions): Promise<ParsedFile> {
    if (!isLarge(format, bytes.length)) return inlineFile(formatOf(format).parse(bytes, options));
    return unpackFile(await this.runInWorker(this.pool.run('parse', { format, bytes, options })));
  }

  /** Parses an uploaded file; see `readUpload`. @throws INVALID on field file; OVERLOADED */
  async upload(file: UploadedFile, only?: 'component-format'): Promise<ParsedFile> {
    if (file.bytes.length <= INLINE_BYTES_SLOW || !isLarge(file.component.fileFormat, file.bytes.length))
      return inlineFile(readUpload(file, only));
    const { component, translation, filename, bytes } = file;
    const { code, name, pluralNumber, pluralFormula } = translation.language;
    const plain: UploadedFile = {
      component: { ...settingsOf(component), newBase: component.newBase },
      translation: { filename: translation.filename, language: { code, name, pluralNumber, pluralFormula } },
      filename,
      bytes,
    };
    return unpackFile(await this.runInWorker(this.pool.run('upload', { file: plain, only })));
  }

  /** Parses a file of the translation memory. @throws INVALID on field file; OVERLOADED */
  async memory(file: MemoryFile): Promise<ParsedMemory> {
    if (file.bytes.length <= INLINE_BYTES_SLOW) return inlineMemory(file);
    const { filename, sourceLanguage, bytes } = file;
    return unpackMemory(await this.runInWorker(this.pool.run('memory', { filename, sourceLanguage, bytes })));
  }

  /** Applies edits; see `applyEdits`. @throws FormatError; OVERLOADED */
  async applyEdits(file: EditedFile): Promise<AppliedEdits | 'needs-base'> {
    const { component, language, bytes, removals, base } = file;
    if (!isLarge(component.fileFormat, bytes.length) && file.edits.length <= INLINE_UNITS) return applyEdits(file);
    const edits: Batches<FileEdit> = await toBatchesInSlices(
      await mapInSlices(file.edits, ({ unit, edit }): FileEdit => {
        const { id, key, context, source, note, location, flags } = unit;
        return {
          unit: { id, key, context, source, note, location, flags },
          edit: { id: edit.id, target: edit.target, state: edit.state },
        };
      }),
    );
    const input = {
      component: settingsOf(component),
      language: { code: language.code, pluralNumber: language.pluralNumber, pluralFormula: language.pluralFormula },
      bytes,
      edits,
      removals: await mapInSlices(removals, ({ id, key, addedAgain }) => ({
        id,
        key,
        ...(addedAgain === undefined ? {} : { addedAgain }),
      })),
      ...(base === undefined ? {} : { base }),
    };
    const rendered = await this.runInWorker(this.pool.run('edit', input, buffersOf(edits)));
    return rendered === 'needs-base' ? rendered : { ...rendered, bytes: bufferOf(rendered.bytes) };
  }

  /** Merges three versions of a file; see `mergeFile`. @throws FormatError; OVERLOADED */
  async merge(versions: FileVersions): Promise<{ bytes: Buffer; conflicts: Conflict[] }> {
    const { component, translation, base, local, upstream } = versions;
    if (!isLarge(component.fileFormat, Math.max(base.length, local.length, upstream.length)))
      return mergeFile(versions);
    const { code, pluralNumber, pluralFormula } = translation.language;
    const merged = await this.runInWorker(
      this.pool.run('merge', {
        component: settingsOf(component),
        translation: { id: translation.id, language: { code, pluralNumber, pluralFormula } },
        base,
        local,
        upstream,
      }),
    );
    return { ...merged, bytes: bufferOf(merged.bytes) };
  }

  /** Renders strings in another format. @param unitOf maps an item to a unit of a format @throws FormatError; OVERLOADED */
  async convert<T>(
    format: string,
    items: readonly T[],
    unitOf: (item: T) => ConvertUnit,
    options: ConvertOptions,
  ): Promise<Buffer> {
    if (items.length <= INLINE_UNITS) return convert(format, items.map(unitOf), options);
    const units = await toBatchesInSlices(await flatMapInSlices(items, (item) => [unitOf(item)]));
    return bufferOf(await this.runInWorker(this.pool.run('write', { format, units, options }, buffersOf(units))));
  }

  /** Result of a worker thread; exceeded limits become a FormatError, because the file causes them. */
  private async runInWorker<T>(work: Promise<Outcome<T>>): Promise<T> {
    try {
      return valueOf(await work);
    } catch (error) {
      if (!(error instanceof TaskLimitError)) throw error;
      const needs = error.limit === 'memory' ? 'needs more memory' : 'takes longer';
      throw new FormatError('limit', `the file is too large to be processed: it ${needs} than is allowed; split it`);
    }
  }
}

function settingsOf(component: EditedFile['component']): EditedFile['component'] {
  const { fileFormat, fileFormatParams, template, sourceLanguage } = component;
  return { fileFormat, fileFormatParams, template, sourceLanguage: { code: sourceLanguage.code } };
}
