import { can } from '@parlance/access';
import { field, type translation as proto, type vcsWorker as worker } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { converterInfo } from '@parlance/formats';
import { createHash } from 'node:crypto';
import { toComponentViews } from '../../directory/component-view';
import { componentTarget, denied, projectTarget, seesRepositoryOwner } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import type { ComponentView } from '../../directory/component-view';
import type { Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { isKnown } from '../../downloads/conditional-requests';
import { zipStream, type ZipMember } from '../../downloads/zip';
import { bytes, disposition, startStream } from '../../downloads/files';
import { z } from 'zod';

/** Page size of requests while an archive is created. */
const PAGE = 1000;

/** Timeout of a whole archive, in milliseconds. */
const ARCHIVE_TIMEOUT_MS = 1_800_000;

/** All items of a paginated list. */
async function* all<T>(fetch: (page: { page: number; pageSize: number }) => Promise<{ items: T[]; total: number }>) {
  for (let page = 1, seen = 0; ; page++) {
    const { items, total } = await fetch({ page, pageSize: PAGE });
    yield* items;
    seen += items.length;
    if (items.length === 0 || seen >= total) return;
  }
}

/** Translations that the caller may download, because teams may be limited to some languages. */
async function* translationsOf(
  call: Call,
  view: ComponentView,
  languageCode: string,
): AsyncGenerator<proto.Translation__Output> {
  const every = all<proto.Translation__Output>(async (page) => {
    const request = { page, componentIds: [view.component.id], languageCode };
    const answer = await call.clients.translation.listTranslations(request, call.options);
    return { items: answer.translations, total: answer.total };
  });
  for await (const translation of every)
    if (can(call.caller, 'translation.download', componentTarget(view, translation.languageCode))) yield translation;
}

async function* componentsOf(call: Call): AsyncGenerator<ComponentView> {
  if (call.params['component'] !== undefined) return yield call.component;
  yield* all<ComponentView>(async (page) => {
    const answer = await call.clients.catalog.listComponents({ page, projectId: call.project.id }, call.options);
    return { items: toComponentViews(answer), total: answer.total };
  });
}

interface Download {
  header: proto.FileHeader__Output;
  chunks: AsyncIterable<Buffer>;
}

/** A translation's file; undefined if it has none. */
async function download(call: Call, translationId: number, format: string): Promise<Download | undefined> {
  const options = { ...call.options, timeoutMs: ARCHIVE_TIMEOUT_MS };
  try {
    const messages = await startStream(
      call.clients.translation.downloadFile({ translationId, format, q: '' }, options),
    );
    const iterator = messages[Symbol.asyncIterator]();
    const first = await iterator.next();
    const header = first.done ? null : first.value.header;
    return header ? { header, chunks: bytes({ [Symbol.asyncIterator]: () => iterator }) } : undefined;
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Files of the repository, including pending edits. */
async function* storedFiles(call: Call, view: ComponentView, language: string): AsyncGenerator<ZipMember> {
  const { component, project } = view;
  // A linked component uses another component's repository; its folder is named after the owner if the caller can see the owner.
  const owner = seesRepositoryOwner(call.caller, view) ? component.linkedComponentPath : '';
  const folder = owner || `${project.slug}/${component.path}`;
  const seen = new Set<string>();
  for await (const t of translationsOf(call, view, language)) {
    if (!t.filename || seen.has(t.filename)) continue;
    const name = `${folder}/${t.filename}`;
    try {
      const file = await download(call, t.id, '');
      if (!file) continue;
      seen.add(t.filename);
      yield { name, modifiedMs: file.header.lastChangeMs, chunks: file.chunks };
    } catch (error) {
      yield skipped(name, error);
    }
  }
  if (language) return;
  for (const path of baseFiles(view)) {
    if (seen.has(path)) continue;
    seen.add(path);
    const messages = await baseFile(call, component.id, path);
    if (messages) yield { name: `${folder}/${path}`, modifiedMs: 0, chunks: bytes(messages) };
  }
}

/** Base files of a component, without duplicates. */
function baseFiles({ component }: ComponentView): string[] {
  const paths = [component.template, component.intermediate, component.newBase];
  return [...new Set(paths.filter((path) => path !== ''))];
}

/** A file of a component's repository; undefined if it does not exist. */
async function baseFile(
  call: Call,
  componentId: number,
  path: string,
): Promise<AsyncIterable<worker.ReadFileResponse__Output> | undefined> {
  try {
    const options = { ...call.options, timeoutMs: ARCHIVE_TIMEOUT_MS };
    return await startStream(call.clients.vcsWorker.readFile({ componentId, path }, options));
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Converted translations; if a conversion fails, a note takes the place of the file. */
async function* convertedFiles(
  call: Call,
  view: ComponentView,
  language: string,
  id: string,
): AsyncGenerator<ZipMember> {
  const { component, project } = view;
  for await (const t of translationsOf(call, view, language)) {
    try {
      const file = await download(call, t.id, id);
      if (file) yield { name: file.header.filename, modifiedMs: file.header.lastChangeMs, chunks: file.chunks };
    } catch (error) {
      const name = `${project.slug}-${component.path.replaceAll('/', '-')}-${t.languageCode}`;
      yield skipped(`${name}.${converterInfo(id)!.extension}`, error);
    }
  }
}

/** Replaces a file that cannot be converted: a note with the reason. */
function skipped(name: string, error: unknown): ZipMember {
  if (!isServiceError(error, 'INVALID')) throw error;
  const reasons = error.problems.map(({ detail }) => detail);
  const note = Buffer.from(`${reasons.length > 0 ? reasons.join('\n') : error.message}\n`);
  return { name: `${name}.skipped`, modifiedMs: 0, chunks: once(note) };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The requested language; '': all languages, undefined: unknown language. */
async function askedLanguage(call: Call): Promise<string | undefined> {
  const asked = call.query.get('language_code') ?? '';
  return asked && (await call.directory.language(asked))?.code;
}

/** ETag of everything that an archive depends on: settings, versions of strings, and of files in the repositories. */
async function tagOf(call: Call, converter: string, language: string | undefined): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([converter, language]));
  if (language !== undefined)
    for await (const view of componentsOf(call)) {
      hash.update(JSON.stringify([view.component, view.project.slug]));
      for await (const { id, version, revision, filename, language: forms } of translationsOf(call, view, language))
        hash.update(JSON.stringify([id, version, revision, filename, forms]));
      if (converter || language) continue;
      for (const path of baseFiles(view)) hash.update(await revisionOf(call, view.component.id, path));
    }
  // Weak, because repacking the same files may yield different bytes.
  return `W/"${hash.digest('hex').slice(0, 32)}"`;
}

/** Revision of a file in the repository; '' if it does not exist. */
async function revisionOf(call: Call, componentId: number, path: string): Promise<string> {
  const messages = (await baseFile(call, componentId, path))?.[Symbol.asyncIterator]();
  const first = await messages?.next();
  await messages?.return?.(undefined);
  return first?.done ? '' : (first?.value.revision ?? '');
}

async function* members(call: Call, converter: string, language: string | undefined): AsyncGenerator<ZipMember> {
  if (language === undefined) return;
  const names = new Set<string>();
  for await (const view of componentsOf(call)) {
    const files = converter ? convertedFiles(call, view, language, converter) : storedFiles(call, view, language);
    for await (const file of files) {
      // Components with a shared repository may have common files.
      if (names.has(file.name)) continue;
      names.add(file.name);
      yield file;
    }
  }
}

const archive =
  (name: (call: Call) => string) =>
  async (call: Call): Promise<Reply> => {
    const format = call.query.get('format') ?? 'zip';
    const converter = /^zip:(.*)$/s.exec(format)?.[1] ?? '';
    if (converter && !converterInfo(converter))
      throw notFound(`The converter "${converter.slice(0, 40)}" does not exist.`);
    const language = await askedLanguage(call);
    const place =
      call.params['component'] === undefined ? projectTarget(call.project) : componentTarget(call.component);
    if (language && !can(call.caller, 'translation.download', { ...place, languageCode: language })) throw denied(call);
    const etag = await tagOf(call, converter, language);
    const headers = { 'Content-Disposition': disposition(`${name(call)}.zip`, true), ETag: etag };
    if (isKnown(call.request.headers, etag)) return { status: 304, headers };
    if (call.request.method === 'HEAD')
      return { headers, stream: { type: 'application/zip', chunks: once(Buffer.alloc(0)) } };
    return {
      headers,
      stream: { type: 'application/zip', chunks: await startStream(zipStream(members(call, converter, language))) },
    };
  };

const query = z.object({
  format: field.line('zip for stored files, zip:CONVERTER for converted ones.').default('zip'),
  language_code: field.line('Only this language; default: all.').default(''),
});

export const archiveEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/projects/:project/file/',
    success: [200, 304],
    produces: ['application/zip'],
    access: { any: ['translation.download'] },
    doc: 'Downloads the translation files of a project as an archive.',
    ownFormat: true,
    query,
    handle: archive((call) => call.project.slug),
  },
  {
    method: 'GET',
    path: '/api/components/:project/:component/file/',
    success: [200, 304],
    produces: ['application/zip'],
    access: { any: ['translation.download'] },
    doc: 'Downloads the translation files of a component as an archive.',
    ownFormat: true,
    query,
    handle: archive((call) => `${call.project.slug}-${call.component.component.path.replaceAll('/', '-')}`),
  },
];
