import { field, type translation as proto } from '@parlance/contracts';
import { fieldErrors, hasProblem, isServiceError, type FieldProblem } from '@parlance/errors';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { checkedValues, idOf, idParam, readQuery, readValues } from '../../bodies/input';
import { list } from '../../responses/lists';
import type { UploadedFile } from '../../bodies/uploaded-file';
import { presentMemoryEntry } from './present';
import { bytes, disposition, startStream } from '../../downloads/files';
import { pages } from '../shared';
import { exportedMemorySchema, memoryEntrySchema, memoryImportSchema, memoryListSchema } from './schema';
import { z } from 'zod';

/** Selects a scope of the memory. */
const scopeFields = z.object({
  project: field.line('Slug of the project that owns the memory.').default(''),
  scope: field
    .choice('Own entries, entries of the project, or shared entries; default: all that the caller may list.', [
      '',
      'own',
      'project',
      'shared',
    ])
    .default(''),
  source_language: field.line('Code or id of the source language.').default(''),
  target_language: field.line('Code or id of the target language.').default(''),
});

const listFields = z.object({
  ...scopeFields.shape,
  origin: field.line('Exact origin of the entries.', { maxLength: 500 }).default(''),
  source: field
    .text('Finds entries with a similar source; requires both languages.', { maxLength: 10_000 })
    .default(''),
  threshold: field.integer('Minimum similarity, in percent.', { min: 1, max: 100 }).default(75),
});

const fileFields = z.object({
  ...scopeFields.shape,
  format: field.choice('Format of the file.', ['tmx', 'json']).default('tmx'),
});

/** Selects the memory that entries are added to. */
const destinationFields = z.object({
  project: field.line('Slug or id of the project that owns the memory.', { maxLength: 100 }).default(''),
  shared: field.boolean('Whether other projects may use the entry.').default(false),
});

const newFields = z.object({
  source: field.text('Source text.', { filled: true, maxLength: 10_000 }),
  target: field.text('Its translation.', { filled: true, maxLength: 10_000 }),
  source_language: field.line('Id or code of the source language.', { maxLength: 50 }),
  target_language: field.line('Id or code of the target language.', { maxLength: 50 }),
  origin: field.line('Origin of the entry.', { maxLength: 500 }),
  ...destinationFields.shape,
});

const uploadFields = z.object({
  ...destinationFields.shape,
  source_language: field
    .line('Code of the source language, for TMX files that omit it.', { maxLength: 50 })
    .default(''),
});

/** The result, or undefined if the call rejects; its problems are added to `problems`. */
async function noted<T>(problems: FieldProblem[], found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The project that a request names by slug or id; 0: none. Hidden projects count as missing. */
async function projectOf(call: Call, name = ''): Promise<number> {
  if (name === '') return 0;
  const missing = () =>
    fieldErrors([
      { attr: 'project', code: 'does_not_exist', detail: `The project "${name.slice(0, 100)}" does not exist.` },
    ]);
  try {
    const id = idOf(name);
    const bySlug = await call.clients.catalog.getProject({ slug: name }, call.options).catch((error: unknown) => {
      if (id !== undefined && isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    });
    const { project } = bySlug ?? (await call.clients.catalog.getProject({ id: id! }, call.options));
    if (project) return project.id;
  } catch (error) {
    if (!isServiceError(error, 'NOT_FOUND')) throw error;
  }
  throw missing();
}

/** The language that a field names by code or id; null: none. */
async function languageOf(call: Call, attr: string, name = ''): Promise<{ id: number; code: string } | null> {
  if (name === '') return null;
  const id = idOf(name);
  const { languages } = await call.clients.catalog.batchGetLanguages(
    id === undefined ? { codes: [name] } : { ids: [id] },
    call.options,
  );
  const [language] = languages;
  if (language) return language;
  throw fieldErrors([{ attr, code: 'does_not_exist', detail: `The language "${name.slice(0, 100)}" does not exist.` }]);
}

async function filterOf(
  call: Call,
  values: z.output<typeof scopeFields> & { origin?: string },
): Promise<proto.MemoryFilter> {
  const [projectId, source, target] = await Promise.all([
    projectOf(call, values.project),
    languageOf(call, 'source_language', values.source_language),
    languageOf(call, 'target_language', values.target_language),
  ]);
  return {
    projectId,
    scope: values.scope,
    sourceLanguageCode: source?.code ?? '',
    targetLanguageCode: target?.code ?? '',
    origin: values.origin ?? '',
  };
}

/** One page of entries with similar sources, each with its similarity. */
async function lookUp(call: Call, values: z.output<typeof listFields>, filter: proto.MemoryFilter): Promise<Reply> {
  const problems = (['source_language', 'target_language'] as const)
    .filter((name) => values[name] === '')
    .map((attr) => ({ attr, code: 'required', detail: 'This field is required.' }));
  if (problems.length > 0) throw fieldErrors(problems);
  return list(
    call,
    { default: 20, max: 100 },
    async ({ page, pageSize }) => {
      const { matches } = await call.clients.translation.lookUpMemory(
        {
          source: values.source,
          sourceLanguageCode: filter.sourceLanguageCode,
          targetLanguageCode: filter.targetLanguageCode,
          projectId: filter.projectId,
          threshold: values.threshold,
          limit: 100,
        },
        call.options,
      );
      return { items: matches.slice((page - 1) * pageSize, page * pageSize), total: matches.length };
    },
    (items) => items.map((m) => ({ ...presentMemoryEntry(m.entry!), similarity: m.similarity })),
  );
}

async function listMemory(call: Call): Promise<Reply> {
  const values = readQuery(call, listFields);
  const filter = await filterOf(call, values);
  if (values.source !== '') return lookUp(call, values, filter);
  return list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.translation.listMemory({ page, filter }, call.options);
      return { items: answer.entries, total: answer.total };
    },
    (items) => items.map(presentMemoryEntry),
  );
}

/** Adds one entry, or the entries of a file in a multipart form. */
async function addMemory(call: Call): Promise<Reply> {
  const body = await call.body();
  const file = body.files.get('file');
  if (file) return importFile(call, file);
  const { values, problems } = await readValues(call, newFields, 'create');
  const [projectId, source, target] = await Promise.all([
    noted(problems, projectOf(call, values.project)),
    noted(problems, languageOf(call, 'source_language', values.source_language)),
    noted(problems, languageOf(call, 'target_language', values.target_language)),
  ]);
  for (const [attr, language] of Object.entries({ source_language: source, target_language: target }))
    if (!language && !hasProblem(problems, attr))
      problems.push({ attr, code: 'blank', detail: 'This field must not be empty.' });
  if (problems.length > 0) throw fieldErrors(problems);
  const { entry } = await call.clients.translation.addMemoryEntry(
    {
      entry: {
        source: values.source!,
        target: values.target!,
        sourceLanguageId: source!.id,
        sourceLanguageCode: source!.code,
        targetLanguageId: target!.id,
        targetLanguageCode: target!.code,
        origin: values.origin!,
        projectId: projectId!,
        shared: values.shared === true,
      },
    },
    call.options,
  );
  return created(presentMemoryEntry(entry!), call.links.api(`memory/${entry!.id}/`));
}

async function importFile(call: Call, file: UploadedFile): Promise<Reply> {
  const values = checkedValues(uploadFields, (await call.body()).values);
  const header = {
    filename: file.filename,
    projectId: await projectOf(call, values.project),
    shared: values.shared === true,
    sourceLanguageCode: (await languageOf(call, 'source_language', values.source_language))?.code ?? '',
  };
  async function* messages(): AsyncGenerator<proto.ImportMemoryRequest> {
    yield { header };
    for await (const chunk of file.chunks()) yield { chunk };
  }
  const { added, known, skipped, total } = await call.clients.translation.importMemory(messages(), {
    ...call.options,
    timeoutMs: 600_000,
  });
  return { status: 201, data: { accepted: added, known, skipped, total } };
}

async function exportFile(call: Call): Promise<Reply> {
  const values = readQuery(call, fileFields);
  const { format } = values;
  const filter = await filterOf(call, values);
  const messages = await startStream(
    call.clients.translation.exportMemory({ filter, format }, { ...call.options, timeoutMs: 600_000 }),
  );
  return {
    headers: { 'Content-Disposition': disposition(`memory.${format}`, false) },
    stream: { type: format === 'tmx' ? 'application/x-tmx' : 'application/json', chunks: bytes(messages) },
  };
}

const site = { permission: 'memory.manage', on: 'site' } as const;
const entryReaders = [
  site,
  { permission: 'memory.edit', on: 'object' },
  { permission: 'memory.delete', on: 'object' },
] as const;

const managers =
  'Requires memory.manage for all entries, memory.edit and memory.delete of a project for its entries; scope=own lists the caller’s own.';

export const memoryEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/memory/',
    shows: 'memory',
    response: memoryListSchema,
    access: { ways: [site] },
    doc: `Lists the translation memory, or finds similar sources (requires machinery.view on the project). ${managers}`,
    query: listFields,
    handle: listMemory,
  },
  {
    method: 'POST',
    path: '/api/memory/',
    success: [201],
    response: z.union([memoryEntrySchema, memoryImportSchema]),
    access: 'signed-in',
    doc: 'Adds an entry, or the entries of a TMX or JSON file: to a project with memory.edit, to the caller’s own memory, or to the shared memory with memory.manage.',
    body: { fields: newFields, files: ['file'] },
    handle: addMemory,
  },
  {
    method: 'GET',
    path: '/api/memory/file/',
    response: exportedMemorySchema,
    produces: ['application/json', 'application/x-tmx'],
    access: { ways: [site] },
    doc: `Downloads the translation memory as TMX or JSON. ${managers}`,
    query: fileFields,
    ownFormat: true,
    handle: exportFile,
  },
  {
    method: 'GET',
    path: '/api/memory/:memory/',
    shows: 'memory',
    response: memoryEntrySchema,
    access: { ways: entryReaders },
    doc: 'Shows an entry of the translation memory.',
    async handle(call) {
      const { entry } = await call.clients.translation.getMemoryEntry({ id: idParam(call, 'memory') }, call.options);
      return ok(presentMemoryEntry(entry!));
    },
  },
  {
    method: 'DELETE',
    path: '/api/memory/:memory/',
    access: { ways: [site, { permission: 'memory.delete', on: 'object' }] },
    doc: 'Deletes an entry; requires memory.delete on its project, memory.manage, or being its owner.',
    async handle(call) {
      await call.clients.translation.deleteMemoryEntry({ id: idParam(call, 'memory') }, call.options);
      return noContent;
    },
  },
];
