import type { SettingsTable, translation as proto } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { converterInfo } from '@parlance/formats';
import { views } from '../directory/directory';
import { seesRepositoryOwner } from '../access/access';
import type { Call, ComponentView, Reply } from '../http/call';
import type { Endpoint } from '../http/endpoint';
import { notFound } from '../http/errors';
import { zipStream, type ZipMember } from '../http/zip';
import { bytes, disposition, started } from './files';

/** Items that are asked for at once while an archive is made. */
const PAGE = 1000;

/** How long the whole archive may take, in milliseconds. */
const ARCHIVE_TIMEOUT_MS = 1_800_000;

/** Everything of a list that comes in pages. */
async function* all<T>(fetch: (page: { page: number; pageSize: number }) => Promise<{ items: T[]; total: number }>) {
  for (let page = 1, seen = 0; ; page++) {
    const { items, total } = await fetch({ page, pageSize: PAGE });
    yield* items;
    seen += items.length;
    if (items.length === 0 || seen >= total) return;
  }
}

function translationsOf(call: Call, componentId: number, languageCode: string) {
  return all<proto.Translation__Output>(async (page) => {
    const request = { page, componentIds: [componentId], languageCode };
    const answer = await call.clients.translation.listTranslations(request, call.options);
    return { items: answer.translations, total: answer.total };
  });
}

async function* componentsOf(call: Call): AsyncGenerator<ComponentView> {
  if (call.params['component'] !== undefined) return yield call.component;
  yield* all<ComponentView>(async (page) => {
    const answer = await call.clients.catalog.listComponents({ page, projectId: call.project.id }, call.options);
    return { items: views(answer), total: answer.total };
  });
}

interface Download {
  header: proto.FileHeader__Output;
  chunks: AsyncIterable<Buffer>;
}

/** A translation's file; undefined where there is none. */
async function download(call: Call, translationId: number, format: string): Promise<Download | undefined> {
  const options = { ...call.options, timeoutMs: ARCHIVE_TIMEOUT_MS };
  try {
    const messages = await started(call.clients.translation.downloadFile({ translationId, format, q: '' }, options));
    const iterator = messages[Symbol.asyncIterator]();
    const first = await iterator.next();
    const header = first.done ? null : first.value.header;
    return header ? { header, chunks: bytes({ [Symbol.asyncIterator]: () => iterator }) } : undefined;
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Files as the repository has them, edits that wait for a commit included. */
async function* storedFiles(call: Call, view: ComponentView, language: string): AsyncGenerator<ZipMember> {
  const { component, project } = view;
  // The repository of a linked component is another's, and so is the folder where its name may be told.
  const owner = seesRepositoryOwner(call.principal, view) ? component.linkedComponentPath : '';
  const folder = owner || `${project.slug}/${component.path}`;
  const seen = new Set<string>();
  for await (const t of translationsOf(call, component.id, language)) {
    if (!t.filename || seen.has(t.filename)) continue;
    const file = await download(call, t.id, '');
    if (!file) continue;
    seen.add(t.filename);
    yield { name: `${folder}/${t.filename}`, modifiedMs: file.header.lastChangeMs, chunks: file.chunks };
  }
  if (language) return;
  for (const path of [component.template, component.intermediate, component.newBase]) {
    if (!path || seen.has(path)) continue;
    seen.add(path);
    try {
      const options = { ...call.options, timeoutMs: ARCHIVE_TIMEOUT_MS };
      const chunks = await started(call.clients.vcsWorker.readFile({ componentId: component.id, path }, options));
      yield { name: `${folder}/${path}`, modifiedMs: 0, chunks: bytes(chunks) };
    } catch (error) {
      if (!isServiceError(error, 'NOT_FOUND')) throw error;
    }
  }
}

/** Translations written by a converter; where it cannot write one, a note stands in its place. */
async function* convertedFiles(
  call: Call,
  view: ComponentView,
  language: string,
  id: string,
): AsyncGenerator<ZipMember> {
  const { component, project } = view;
  for await (const t of translationsOf(call, component.id, language)) {
    try {
      const file = await download(call, t.id, id);
      if (file) yield { name: file.header.filename, modifiedMs: file.header.lastChangeMs, chunks: file.chunks };
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      const name = `${project.slug}-${component.path.replaceAll('/', '-')}-${t.languageCode}`;
      const note = Buffer.from(`${error.message}\n`);
      yield { name: `${name}.${converterInfo(id)!.extension}.skipped`, modifiedMs: 0, chunks: once(note) };
    }
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* members(call: Call, converter: string): AsyncGenerator<ZipMember> {
  const asked = call.query.get('language_code') ?? '';
  const language = asked && ((await call.directory.language(asked))?.code ?? undefined);
  if (language === undefined) return;
  const names = new Set<string>();
  for await (const view of componentsOf(call)) {
    const files = converter ? convertedFiles(call, view, language, converter) : storedFiles(call, view, language);
    for await (const file of files) {
      // Components that share a repository have files in common.
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
      throw notFound(`There is no converter called ${converter.slice(0, 40)}.`);
    const headers = { 'Content-Disposition': disposition(`${name(call)}.zip`, true) };
    if (call.request.method === 'HEAD')
      return { headers, stream: { type: 'application/zip', chunks: once(Buffer.alloc(0)) } };
    return { headers, stream: { type: 'application/zip', chunks: await started(zipStream(members(call, converter))) } };
  };

const query = [
  {
    name: 'format',
    type: 'string',
    default: 'zip',
    doc: 'zip for the files as stored, zip:CONVERTER for converted ones.',
  },
  { name: 'language_code', type: 'string', default: '', doc: 'Only this language; all when absent.' },
] as const satisfies SettingsTable;

export const archiveEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/projects/:project/file/',
    access: { any: ['translation.download'] },
    doc: 'Downloads the translation files of a project as an archive.',
    ownFormat: true,
    query,
    handle: archive((call) => call.project.slug),
  },
  {
    method: 'GET',
    path: '/api/components/:project/:component/file/',
    access: { any: ['translation.download'] },
    doc: 'Downloads the translation files of a component as an archive.',
    ownFormat: true,
    query,
    handle: archive((call) => `${call.project.slug}-${call.component.component.path.replaceAll('/', '-')}`),
  },
];
