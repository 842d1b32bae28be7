import { readSettings, type SettingsTable, type SettingValues, type translation as proto } from '@parlance/contracts';
import { fieldErrors, hasProblem, isServiceError, type FieldProblem } from '@parlance/errors';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { idOf, idParam, readValues } from '../../bodies/input';
import { list } from '../../responses/lists';
import type { UploadedFile } from '../../bodies/uploaded-file';
import { presentMemoryEntry } from './present';
import { bytes, disposition, started } from '../../downloads/files';
import { pages } from '../shared';
import { memoryEntrySchema, memoryImportSchema, memoryListSchema } from './schema';
import { z } from 'zod';

/** Which part of the memory is wanted. */
const scopeFields = [
  { name: 'project', type: 'string', default: '', doc: 'Slug of the project whose memory it is.' },
  {
    name: 'scope',
    type: 'string',
    default: '',
    choices: ['', 'own', 'project', 'shared'],
    doc: 'Own entries, those of the project, or the shared ones; absent: all that the caller may list.',
  },
  { name: 'source_language', type: 'string', default: '', doc: 'Code or id of the language of the sources.' },
  { name: 'target_language', type: 'string', default: '', doc: 'Code or id of the language of the translations.' },
] as const satisfies SettingsTable;

const listFields = [
  ...scopeFields,
  { name: 'origin', type: 'string', default: '', maxLength: 500, doc: 'Where entries came from, exactly.' },
  {
    name: 'source',
    type: 'text',
    default: '',
    maxLength: 10_000,
    doc: 'Looks up entries whose source is similar to this; needs both languages.',
  },
  { name: 'threshold', type: 'integer', default: 75, min: 1, max: 100, doc: 'Lowest similarity, in percent.' },
] as const satisfies SettingsTable;

const fileFields = [
  ...scopeFields,
  { name: 'format', type: 'string', default: 'tmx', choices: ['tmx', 'json'], doc: 'Format of the file.' },
] as const satisfies SettingsTable;

/** Which memory something goes to. */
const destinationFields = [
  {
    name: 'project',
    type: 'string',
    default: '',
    maxLength: 100,
    doc: 'Slug or id of the project whose memory it goes to.',
  },
  { name: 'shared', type: 'boolean', default: false, doc: 'Whether other projects may use it.' },
] as const satisfies SettingsTable;

const newFields = [
  { name: 'source', type: 'text', required: true, filled: true, maxLength: 10_000, doc: 'Source text.' },
  { name: 'target', type: 'text', required: true, filled: true, maxLength: 10_000, doc: 'Its translation.' },
  {
    name: 'source_language',
    type: 'string',
    required: true,
    maxLength: 50,
    doc: 'Id or code of the language of the source.',
  },
  {
    name: 'target_language',
    type: 'string',
    required: true,
    maxLength: 50,
    doc: 'Id or code of the language of the translation.',
  },
  { name: 'origin', type: 'string', required: true, maxLength: 500, doc: 'Where it comes from.' },
  ...destinationFields,
] as const satisfies SettingsTable;

const uploadFields = [
  ...destinationFields,
  {
    name: 'source_language',
    type: 'string',
    default: '',
    maxLength: 50,
    doc: 'Code of the source language of a TMX file that does not say it.',
  },
] as const satisfies SettingsTable;

/** Query parameters by their table. @throws INVALID */
function readQuery(call: Call, table: SettingsTable): SettingValues {
  const given = Object.fromEntries(
    table.flatMap(({ name }) => (call.query.has(name) ? [[name, call.query.get(name)]] : [])),
  );
  return checked(table, given);
}

function checked(table: SettingsTable, given: Record<string, unknown>): SettingValues {
  const { values, problems } = readSettings(table, given, 'create');
  if (problems.length > 0) throw fieldErrors(problems);
  return values;
}

/** What is found; undefined when it is refused, whose reasons are added to the problems. */
async function noted<T>(problems: FieldProblem[], found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The project that a request names by slug or id; 0: it names none. What the caller may not see is not there. */
async function projectOf(call: Call, named: unknown): Promise<number> {
  const name = String(named ?? '');
  if (name === '') return 0;
  const missing = () =>
    fieldErrors([{ attr: 'project', code: 'does_not_exist', detail: `There is no project "${name.slice(0, 100)}".` }]);
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

/** The language that a field names by code or id; null: it names none. */
async function languageOf(call: Call, attr: string, named: unknown): Promise<{ id: number; code: string } | null> {
  const name = String(named ?? '');
  if (name === '') return null;
  const id = idOf(name);
  const { languages } = await call.clients.catalog.batchGetLanguages(
    id === undefined ? { codes: [name] } : { ids: [id] },
    call.options,
  );
  const [language] = languages;
  if (language) return language;
  throw fieldErrors([{ attr, code: 'does_not_exist', detail: `There is no language "${name.slice(0, 100)}".` }]);
}

async function filterOf(call: Call, values: SettingValues): Promise<proto.MemoryFilter> {
  const [projectId, source, target] = await Promise.all([
    projectOf(call, values['project']),
    languageOf(call, 'source_language', values['source_language']),
    languageOf(call, 'target_language', values['target_language']),
  ]);
  return {
    projectId,
    scope: String(values['scope']),
    sourceLanguageCode: source?.code ?? '',
    targetLanguageCode: target?.code ?? '',
    origin: String(values['origin'] ?? ''),
  };
}

/** Entries that are similar to a text: one page, each with its similarity. */
async function lookUp(call: Call, values: SettingValues, filter: proto.MemoryFilter): Promise<Reply> {
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
          source: String(values['source']),
          sourceLanguageCode: filter.sourceLanguageCode,
          targetLanguageCode: filter.targetLanguageCode,
          projectId: filter.projectId,
          threshold: Number(values['threshold']),
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
  if (values['source'] !== '') return lookUp(call, values, filter);
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

/** Takes one entry, or a file of a multipart form. */
async function addMemory(call: Call): Promise<Reply> {
  const body = await call.body();
  const file = body.files.get('file');
  if (file) return importFile(call, file);
  const { values, problems } = await readValues(call, newFields, 'create');
  const [projectId, source, target] = await Promise.all([
    noted(problems, projectOf(call, values['project'])),
    noted(problems, languageOf(call, 'source_language', values['source_language'])),
    noted(problems, languageOf(call, 'target_language', values['target_language'])),
  ]);
  for (const [attr, language] of Object.entries({ source_language: source, target_language: target }))
    if (!language && !hasProblem(problems, attr))
      problems.push({ attr, code: 'blank', detail: 'This field must not be empty.' });
  if (problems.length > 0) throw fieldErrors(problems);
  const { entry } = await call.clients.translation.addMemoryEntry(
    {
      entry: {
        source: String(values['source']),
        target: String(values['target']),
        sourceLanguageId: source!.id,
        sourceLanguageCode: source!.code,
        targetLanguageId: target!.id,
        targetLanguageCode: target!.code,
        origin: String(values['origin']),
        projectId: projectId!,
        shared: values['shared'] === true,
      },
    },
    call.options,
  );
  return created(presentMemoryEntry(entry!), call.links.api(`memory/${entry!.id}/`));
}

async function importFile(call: Call, file: UploadedFile): Promise<Reply> {
  const values = checked(uploadFields, (await call.body()).values);
  const header = {
    filename: file.filename,
    projectId: await projectOf(call, values['project']),
    shared: values['shared'] === true,
    sourceLanguageCode: (await languageOf(call, 'source_language', values['source_language']))?.code ?? '',
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
  const format = String(values['format']);
  const filter = await filterOf(call, values);
  const messages = await started(
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
  'Everything for memory.manage; a project’s memory for its memory.edit and memory.delete; own entries with scope=own.';

export const memoryEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/memory/',
    response: memoryListSchema,
    access: { ways: [site] },
    doc: `Lists the translation memory, or looks up what is similar to a source (needs machinery.view on the project). ${managers}`,
    query: listFields,
    handle: listMemory,
  },
  {
    method: 'POST',
    path: '/api/memory/',
    response: z.union([memoryEntrySchema, memoryImportSchema]),
    access: 'signed-in',
    doc: 'Adds an entry, or those of a TMX or JSON file: to a project with memory.edit, to the caller’s own, or to the shared memory with memory.manage.',
    body: { fields: newFields, files: ['file'] },
    handle: addMemory,
  },
  {
    method: 'GET',
    path: '/api/memory/file/',
    access: { ways: [site] },
    doc: `Downloads the translation memory as TMX or JSON. ${managers}`,
    query: fileFields,
    ownFormat: true,
    handle: exportFile,
  },
  {
    method: 'GET',
    path: '/api/memory/:memory/',
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
    doc: 'Removes an entry: with memory.delete on its project, memory.manage, or one’s own.',
    async handle(call) {
      await call.clients.translation.deleteMemoryEntry({ id: idParam(call, 'memory') }, call.options);
      return noContent;
    },
  },
];
