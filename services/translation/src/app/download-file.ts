import { can, type Principal } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { converterInfo, FormatError, formatInfo, isConverterAvailable } from '@parlance/formats';
import { eachInSlices } from '@parlance/workload';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { accessTarget, type Component } from '../domain/component';
import type { Translation } from '../domain/translation';
import { SizedCache } from './search/page-cache';
import { runSearch, type SearchCaller } from './search/search-budget';
import { isHeavy } from './search/unit-search';
import { loadTranslation } from './load-translation';
import type { Parts } from './parts';
import { removalsOf } from './commit/removals';
import { stateNames } from './commit/apply-edits';
import { baseOf, renderAll } from './commit/render-pending';

export interface DownloadedFile {
  filename: string;
  contentType: string;
  bytes: Buffer;
  lastChange: number;
  etag: string;
}

/** Bytes of rendered files that are kept in memory. */
const CACHED_BYTES = 64 * 1024 * 1024;

/** Answers translation files as the repository will hold them, with everything that waits for a commit. */
export class Downloader {
  private readonly files = new SizedCache<Buffer>(CACHED_BYTES);

  constructor(private readonly parts: Parts) {}

  /** @throws NOT_FOUND (no translation, no file), PERMISSION_DENIED, INVALID on field format, or file (what is in the repository cannot be read) */
  async download(
    principal: Principal,
    request: { translation: number; format: string; q: string },
    generation: string,
    caller: SearchCaller,
  ): Promise<DownloadedFile> {
    const { parts } = this;
    const { translation, component } = await loadTranslation(parts, request.translation, generation);
    if (!can(principal, 'translation.download', accessTarget(component, translation.language.code)))
      throw new ServiceError('PERMISSION_DENIED');
    if (request.q && !request.format)
      throw fieldErrors([
        { attr: 'q', code: 'invalid', detail: 'A query filters converted files only; name a format.' },
      ]);
    if (request.format) return this.converted(component, translation, request, generation, caller);
    const path = translation.filename || component.newBase;
    if (!path) throw new ServiceError('NOT_FOUND', { message: 'This translation has no file.' });
    const key = `${translation.id}:${translation.version}:${component.commitPolicy}`;
    let bytes = this.files.get(key);
    if (!bytes) {
      const stored = await parts.repository.readFile(component.id, path);
      if (!stored) throw new ServiceError('NOT_FOUND', { message: 'The file is not in the repository.' });
      const waiting = await parts.units.pendingOfTranslation(translation);
      const removals = await removalsOf(parts, component.id, waiting);
      const removed = removals.filter((r) => r.translation === translation.id);
      const readBase = baseOf(parts.repository, component, translation);
      bytes = await written('file', () =>
        renderAll(parts.files, component, translation, stored.bytes, waiting, removed, readBase),
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

  /** The strings in another format, those that the query finds, in the order of the file. */
  private async converted(
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
    const search = this.parts.search.parse(q);
    const chosen = search
      ? await runSearch(this.parts.searchBudget, caller, isHeavy(search, translation), async () => {
          const found = await this.parts.search.filter(search, { translation, projects: [], generation });
          return this.parts.units.all({ $and: [{ translation: translation.id }, found] });
        })
      : await this.parts.unitCache.ofTranslation(translation);
    const units = chosen.sort((one, other) => one.position - other.position);
    const { language } = translation;
    const bytes = await written('format', () =>
      this.parts.files.convert(
        format,
        units,
        (unit) => ({
          context: unit.context,
          source: unit.source,
          target: unit.target,
          state: stateNames[unit.state] ?? 'translated',
          note: unit.note,
          location: unit.location,
          flags: unit.flags ? unit.flags.split(', ') : [],
          previousSource: unit.previousSource[0] ?? '',
        }),
        {
          language: language.code,
          sourceLanguage: component.sourceLanguage.code,
          plural: { count: language.pluralNumber, formula: language.pluralFormula },
          name: `${component.projectSlug}/${component.path}`,
        },
      ),
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

/** What cannot be written is the caller's to know, with the reason. @throws INVALID on the field */
async function written(attr: string, write: () => Promise<Buffer>): Promise<Buffer> {
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

/** Bytes that are hashed between two looks at the clock. */
const HASHED_BYTES = 1024 * 1024;

function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += HASHED_BYTES) yield bytes.subarray(at, at + HASHED_BYTES);
}
