import { can, type Caller } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { converterInfo, FormatError, formatInfo, isConverterAvailable, type ConvertUnit } from '@parlance/formats';
import { countLookup } from '@parlance/telemetry';
import { eachInSlices } from '@parlance/workload';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { accessTarget, type Component } from '../domain/component';
import type { Translation } from '../domain/translation';
import type { Unit } from '../domain/unit';
import { allOf, inTranslation } from '../domain/unit-query';
import { PendingUnitCache } from './caches/pending-unit-cache';
import { SizedCache } from './caches/sized-cache';
import { runSearch, type SearchBudget, type SearchCaller } from './search/search-budget';
import { isHeavy, type UnitSearch } from './search/unit-search';
import { loadTranslation, type LoadTranslationDeps } from './load-translation';
import { removalsOf, type RemovalsDeps } from './commit/removals';
import { stateNames } from './commit/apply-edits';
import { makeBaseReader, renderAll } from './commit/render-pending';
import type { PendingUnits, RepositoryFile, RepositoryFiles, UnitQueries } from '../domain/ports';
import type { UnitCache } from './caches/unit-cache';
import { EntryCache } from './files/entry-cache';
import type { FileWorkerPool } from './files/file-worker-pool';

export interface DownloadDeps extends LoadTranslationDeps, RemovalsDeps {
  units: RemovalsDeps['units'] &
    Pick<PendingUnits, 'pendingOfTranslation' | 'pendingVersions'> &
    Pick<UnitQueries, 'all'>;
  unitCache: Pick<UnitCache, 'ofTranslation'>;
  files: Pick<FileWorkerPool, 'applyEdits' | 'convert'>;
  repositoryFiles: Pick<RepositoryFiles, 'readFile'>;
  search: Pick<UnitSearch, 'parse' | 'query'>;
  searchBudget: SearchBudget;
}

export interface DownloadedFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
  lastChange: number;
  etag: string;
}

/** Capacity of the cache of rendered files. */
const CACHED_BYTES = 64 * 1024 * 1024;
/** Capacity of the cache of files as the repository has them. */
const STORED_BYTES = 32 * 1024 * 1024;

/** Renders translation files with all committable edits. */
export class Downloader {
  private readonly files = new SizedCache<Buffer>(CACHED_BYTES);
  private readonly stored = new SizedCache<RepositoryFile>(STORED_BYTES);
  private readonly entries = new EntryCache(convertUnit);
  private readonly pendingUnits: PendingUnitCache;

  constructor(private readonly deps: DownloadDeps) {
    this.pendingUnits = new PendingUnitCache(deps.units);
  }

  /** @throws NOT_FOUND (translation or file missing), PERMISSION_DENIED, INVALID on field q, format or file (invalid file) */
  async download(
    caller: Caller,
    request: { translation: number; format: string; q: string },
    generation: string,
    searcher: SearchCaller,
  ): Promise<DownloadedFile> {
    const { deps } = this;
    const { translation, component } = await loadTranslation(deps, request.translation, generation);
    if (!can(caller, 'translation.download', accessTarget(component, translation.language.code)))
      throw new ServiceError('PERMISSION_DENIED');
    if (request.q && !request.format)
      throw fieldErrors([
        { attr: 'q', code: 'invalid', detail: 'A query requires a format: only converted files can be filtered.' },
      ]);
    if (request.format) return this.convert(component, translation, request, generation, searcher);
    const path = translation.filename || component.newBase;
    if (!path) throw new ServiceError('NOT_FOUND', { message: 'This translation has no file.' });
    const key = `${translation.id}:${translation.version}:${component.commitPolicy}`;
    let bytes = countLookup('downloads', this.files.get(key));
    if (!bytes) {
      // The file is read last: it then contains the edits that a commit takes meanwhile.
      const waiting = await this.pendingUnits.ofTranslation(translation);
      const removals = await removalsOf(deps, component.id, waiting);
      const removed = removals.filter((r) => r.translation === translation.id);
      const stored = await this.readFile(component.id, path);
      if (!stored) throw new ServiceError('NOT_FOUND', { message: 'The file is not in the repository.' });
      const readBase = makeBaseReader(deps.repositoryFiles, component, translation);
      bytes = await renderFile('file', () =>
        renderAll(deps.files, component, translation, stored.bytes, waiting, removed, readBase),
      );
      this.files.set(key, bytes, bytes.length);
    }
    return {
      filename: `${nameOf(component, translation)}${extname(path)}`,
      contentType: formatInfo(component.fileFormat)?.mediaType ?? 'application/octet-stream',
      bytes,
      lastChange: translation.counters.lastChange,
      etag: await etagOf(bytes),
    };
  }

  private async readFile(component: number, path: string): Promise<RepositoryFile | null> {
    const key = `${component}:${path}`;
    const file = await this.deps.repositoryFiles.readFile(component, path, this.stored.get(key));
    if (file) this.stored.set(key, file, file.bytes.length);
    return file;
  }

  /** The strings that match the query, in another format and in file order. */
  private async convert(
    component: Component,
    translation: Translation,
    { format, q }: { format: string; q: string },
    generation: string,
    caller: SearchCaller,
  ): Promise<DownloadedFile> {
    const info = converterInfo(format);
    if (!info || !isConverterAvailable(format, component.fileFormat, component.template !== '')) {
      throw fieldErrors([
        { attr: 'format', code: 'invalid_choice', detail: `"${format}" is not available for this file.` },
      ]);
    }
    const search = this.deps.search.parse(q);
    const chosen = search
      ? await runSearch(this.deps.searchBudget, caller, isHeavy(search, translation), async () => {
          const found = await this.deps.search.query(search, { translation, projects: [], generation });
          return this.deps.units.all(allOf(inTranslation(translation.id), found));
        })
      : await this.deps.unitCache.ofTranslation(translation);
    const units = chosen.sort((one, other) => one.position - other.position);
    const { language } = translation;
    const options = {
      language: language.code,
      sourceLanguage: component.sourceLanguage.code,
      plural: { count: language.pluralNumber, formula: language.pluralFormula },
      name: `${component.projectSlug}/${component.path}`,
    };
    const bytes = await renderFile(
      'format',
      async () =>
        (search ? undefined : await this.entries.convert(translation.id, format, units, options)) ??
        (await this.deps.files.convert(format, units, convertUnit, options)),
    );
    return {
      filename: `${nameOf(component, translation)}.${info.extension}`,
      contentType: `${info.mediaType}; charset=utf-8`,
      bytes,
      lastChange: translation.counters.lastChange,
      etag: await etagOf(bytes),
    };
  }
}

const convertUnit = (unit: Unit): ConvertUnit => ({
  context: unit.context,
  source: unit.source,
  target: unit.target,
  state: stateNames[unit.state] ?? 'translated',
  note: unit.note,
  location: unit.location,
  flags: unit.flags ? unit.flags.split(', ') : [],
  previousSource: unit.previousSource[0] ?? '',
});

/** Turns format errors into field errors. @throws INVALID on the field */
async function renderFile(attr: string, write: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof FormatError) throw fieldErrors([{ attr, code: 'invalid', detail: error.describe() }]);
    throw error;
  }
}

function nameOf(component: Component, translation: Translation): string {
  return `${component.projectSlug}-${component.path.replaceAll('/', '-')}-${translation.fileLanguageCode}`;
}

async function etagOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  await eachInSlices(chunks(bytes), (chunk) => hash.update(chunk));
  return hash.digest('hex').slice(0, 32);
}

/** Bytes hashed between two yields to the event loop. */
const HASHED_BYTES = 1024 * 1024;

function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += HASHED_BYTES) yield bytes.subarray(at, at + HASHED_BYTES);
}
