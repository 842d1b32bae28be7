import { linkingPermissions } from '@parlance/access';
import { componentSettings, componentFromFile, toMessage, type RequestMode } from '@parlance/contracts';
import type { catalog } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { formatInfo } from '@parlance/formats';
import type { Named } from '../../access/definition';
import { toComponentView, toComponentViews } from '../../directory/component-view';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { translationFileTypes } from '../../downloads/file-types';
import { addressed, idOf, readValues, readFields, relationProblem } from '../../bodies/input';
import { list } from '../../responses/lists';
import { unitPages } from '../../responses/paging';
import { presentAgreement } from './present-agreement';
import { presentComponent } from './present';
import { fileReply } from '../../downloads/files';
import { operationAccess, repositoryStatus, repositoryViewers, runOperation } from './repository';
import { agreementFields, changeFields, languageFields, lockFields, operationFields } from '../shared-fields';
import { listChanges, pages, presentTranslations } from '../shared';
import { componentTranslationKeys, componentTranslations, translationStatistics } from '../statistics/routes';
import { pageSchema } from '../../responses/schema';
import { agreementSchema, componentSchema, operationSchema, repositorySchema } from './schema';
import { lockSchema } from '../projects/schema';
import { changeSchema } from '../site/schema';
import { statisticsSchema } from '../statistics/schema';
import { componentTranslationSchema, newTranslationSchema } from '../translations/schema';
import { z } from 'zod';

/** Timeout of cloning a repository, in milliseconds. */
const CLONE_TIMEOUT_MS = 600_000;

/** Objects that the settings of a component may name: `repo`, the owner of a repository (`parlance://project/component`). */
export const componentNames = [
  { field: 'repo', needs: linkingPermissions },
  { field: 'category', needs: 'same project' },
] as const satisfies readonly Named[];

/** Settings of a component; fewer are required if a file is uploaded. */
type ComponentSchema = typeof componentSettings | (typeof componentFromFile)[keyof typeof componentFromFile];

/** Settings of the body, and the category that its address names. */
async function readComponent(
  call: Call,
  mode: RequestMode,
  schema: ComponentSchema = componentSettings,
): Promise<{ component: catalog.ComponentInput; disableAutoshare: boolean }> {
  const { values, problems } = await readValues(call, schema, mode);
  const component: catalog.ComponentInput = toMessage(schema, values);
  const { category } = values;
  if (category !== undefined) {
    const id = category === null ? 0 : idOf(addressed(category, 'categories'));
    if (id === undefined) problems.push(relationProblem('category', category, 'categories', 'category'));
    else component.categoryId = id;
  }
  call.problems.push(...problems);
  return { component, disableAutoshare: values.disable_autoshare ?? false };
}

/** Creates a component from JSON or form settings, an archive or a document. */
export async function createComponent(call: Call): Promise<Reply> {
  const { files, values } = await call.body();
  for (const attr of ['zipfile', 'docfile'])
    if (values[attr] !== undefined && values[attr] !== null && values[attr] !== '')
      call.problems.push({ attr, code: 'invalid', detail: 'A file in a multipart form is required.' });
  const file = files.get('zipfile') ?? files.get('docfile');
  const kind = files.has('zipfile') ? 'zipfile' : 'docfile';
  const { component, disableAutoshare } = await readComponent(
    call,
    'create',
    file ? componentFromFile[kind] : componentSettings,
  );
  const request = { projectId: call.project.id, component, disableAutoshare };
  const options = { ...call.options, timeoutMs: CLONE_TIMEOUT_MS };
  let answer: Parameters<typeof toComponentView>[0];
  if (file) {
    async function* messages(): AsyncGenerator<catalog.CreateComponentFromFileRequest> {
      yield {
        header: {
          request,
          kind: kind === 'zipfile' ? 'FILE_KIND_ZIP' : 'FILE_KIND_DOCUMENT',
          filename: file!.filename,
        },
      };
      for await (const chunk of file!.chunks()) yield { chunk };
    }
    answer = await call.clients.catalog.createComponentFromFile(messages(), options);
  } else answer = await call.clients.catalog.createComponent(request, options);
  const data = presentComponent(toComponentView(answer)!, call.links, call.caller);
  return created(data, String(data['url']));
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const { component } = await readComponent(call, mode);
    const answer = await call.clients.catalog.updateComponent(
      { id: call.component.component.id, component, replace: mode === 'replace' },
      { ...call.options, timeoutMs: CLONE_TIMEOUT_MS },
    );
    return ok(presentComponent(toComponentView(answer)!, call.links, call.caller));
  };

/** The base file has the format of the translations; the template of new translations may have another one. */
async function baseFile(call: Call): Promise<Reply> {
  const { id, template, fileFormat } = call.component.component;
  return fileReply(call, id, template, formatInfo(fileFormat)?.mediaType ?? 'application/octet-stream');
}
const newTemplate = (call: Call): Promise<Reply> =>
  fileReply(call, call.component.component.id, call.component.component.newBase, 'application/binary');

const COMPONENT_PATH = '/api/components/:project/:component/';

export const componentEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/components/',
    response: pageSchema(componentSchema),
    access: 'anyone',
    doc: 'Lists the components that the caller may see.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listComponents({ page }, call.options);
          return { items: toComponentViews(answer), total: answer.total };
        },
        (items) => items.map((item) => presentComponent(item, call.links, call.caller)),
      ),
  },
  {
    method: 'GET',
    path: COMPONENT_PATH,
    response: componentSchema,
    access: 'anyone',
    doc: 'Shows a component.',
    handle: async (call) => ok(presentComponent(call.component, call.links, call.caller)),
  },
  {
    method: 'PUT',
    path: COMPONENT_PATH,
    response: componentSchema,
    access: { any: ['component.edit'] },
    named: componentNames,
    doc: 'Replaces the settings of a component.',
    body: { fields: componentSettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: COMPONENT_PATH,
    response: componentSchema,
    access: { any: ['component.edit'] },
    named: componentNames,
    doc: 'Changes settings of a component.',
    body: { fields: componentSettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: COMPONENT_PATH,
    access: { any: ['component.edit'] },
    doc: 'Removes a component.',
    async handle(call) {
      await call.clients.catalog.deleteComponent({ id: call.component.component.id }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}changes/`,
    shows: 'component',
    response: pageSchema(changeSchema),
    access: 'anyone',
    doc: 'Lists the history of a component.',
    query: changeFields,
    handle: (call) => listChanges(call, { componentId: call.component.component.id }),
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}lock/`,
    response: lockSchema,
    access: 'anyone',
    doc: 'Shows whether a component is locked.',
    handle: async (call) => ok({ locked: call.component.component.locked }),
  },
  {
    method: 'POST',
    path: `${COMPONENT_PATH}lock/`,
    response: lockSchema,
    access: { any: ['component.lock'] },
    doc: 'Locks or unlocks a component.',
    body: { fields: lockFields },
    async handle(call) {
      const locked = (await readFields(call, lockFields, 'create')).lock === true;
      const answer = await call.clients.catalog.setLock(
        { componentId: call.component.component.id, locked },
        call.options,
      );
      return ok({ locked: answer.locked });
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}agreement/`,
    response: agreementSchema,
    access: 'signed-in',
    doc: 'Shows the agreement of a component and whether the caller accepted its current text.',
    handle: async (call) =>
      ok(
        presentAgreement(
          await call.clients.catalog.getAgreement(
            { componentId: call.component.component.id, userId: 0 },
            call.options,
          ),
        ),
      ),
  },
  {
    method: 'POST',
    path: `${COMPONENT_PATH}agreement/`,
    response: agreementSchema,
    access: 'signed-in',
    doc: 'Accepts the current agreement of a component; required to edit its strings, except for bots.',
    body: { fields: agreementFields },
    async handle(call) {
      const fields = await readFields(call, agreementFields, 'create');
      const answer = await call.clients.catalog.acceptAgreement(
        { ...fields, componentId: call.component.component.id },
        call.options,
      );
      return ok(presentAgreement(answer));
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}repository/`,
    shows: 'component',
    response: repositorySchema,
    access: { any: repositoryViewers, anonymousForbidden: true },
    doc: 'Shows the state of the repository.',
    handle: (call) => repositoryStatus(call, [call.component.component.id], true),
  },
  {
    method: 'POST',
    path: `${COMPONENT_PATH}repository/`,
    response: operationSchema,
    access: operationAccess,
    doc: 'Runs an operation on the repository.',
    body: { fields: operationFields },
    handle: (call) => runOperation(call, [call.component.component.id]),
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}monolingual_base/`,
    produces: translationFileTypes,
    access: { any: ['translation.download'] },
    doc: 'Downloads the monolingual base file.',
    ownFormat: true,
    handle: baseFile,
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}new_template/`,
    produces: ['application/binary'],
    access: { any: ['translation.download'] },
    doc: 'Downloads the file that new translations start from.',
    ownFormat: true,
    handle: newTemplate,
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}translations/`,
    shows: 'component',
    response: pageSchema(componentTranslationSchema),
    access: 'anyone',
    doc: 'Lists the translations of a component.',
    handle: (call) =>
      list(
        call,
        pages,
        (page) => componentTranslations(call, page),
        (items) => presentTranslations(call, items, false),
      ),
  },
  {
    method: 'POST',
    path: `${COMPONENT_PATH}translations/`,
    success: [201],
    response: newTranslationSchema,
    access: { any: ['translation.add'] },
    doc: 'Adds a language.',
    body: { fields: languageFields },
    async handle(call) {
      const code = (await call.body()).values['language_code'];
      if (typeof code !== 'string' || code === '')
        throw fieldErrors([{ attr: 'language_code', code: 'required', detail: 'A language code is required.' }]);
      const language = await call.directory.language(code);
      if (!language)
        throw fieldErrors([
          {
            attr: 'language_code',
            code: 'does_not_exist',
            detail: `The language "${code.slice(0, 60)}" does not exist.`,
          },
        ]);
      const { translationId } = await call.clients.vcsWorker.addLanguage(
        { componentId: call.component.component.id, languageCode: language.code },
        { ...call.options, timeoutMs: CLONE_TIMEOUT_MS },
      );
      const { translation } = await call.clients.translation.getTranslation({ id: translationId }, call.options);
      const [data] = await presentTranslations(call, [translation!], false);
      return created({ ...data, data }, String(data!['url']));
    },
  },
  {
    method: 'GET',
    path: `${COMPONENT_PATH}statistics/`,
    shows: 'component',
    response: z.union([pageSchema(statisticsSchema), z.array(statisticsSchema)]),
    access: 'anyone',
    doc: 'Lists statistics of the translations of a component.',
    renderers: ['json-flat'],
    handle: (call) =>
      list(
        call,
        unitPages,
        (page) => componentTranslationKeys(call, page),
        (items) => translationStatistics(call, call.component, items),
      ),
  },
];
