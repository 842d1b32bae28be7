import { readRequest, type translation as proto } from '@parlance/contracts';
import { ServiceError, type FieldProblem } from '@parlance/errors';
import type { Call } from '../../routing/call';
import { noContent, ok, type Endpoint } from '../../routing/endpoint';
import { translationFileTypes } from '../../downloads/file-types';
import { list } from '../../responses/lists';
import { downloadTranslation, uploadTranslation } from '../../downloads/files';
import { operationAccess, repositoryStatus, repositoryViewers, runOperation } from '../components/repository';
import {
  changeFields,
  downloadFields,
  newUnitFields,
  operationFields,
  searchFields,
  uploadFields,
} from '../shared-fields';
import { loadHidden, listChanges, pages, presentTranslations, presentUnits } from '../shared';
import { translationStatistics } from '../statistics/routes';
import { listUnits } from '../units/pages';
import { forms, stateOf } from '../units/routes';
import { pageSchema } from '../../responses/schema';
import { operationSchema, repositorySchema } from '../components/schema';
import { changeSchema } from '../site/schema';
import { statisticsSchema } from '../statistics/schema';
import { translationSchema, uploadSchema } from './schema';
import { unitSchema } from '../units/schema';

const TRANSLATION_PATH = '/api/translations/:project/:component/:language/';

/** Body fields of a new unit: key and value in a monolingual component, context, source and target in a bilingual one. */
const nameFields = newUnitFields.pick({ key: true, context: true });

/** A string to add; fields that this kind of component ignores are validated as well. */
async function readNewUnit(call: Call): Promise<proto.CreateUnitRequest> {
  const { values } = await call.body();
  const problems: FieldProblem[] = [];
  const names = readRequest(nameFields, values, 'update');
  problems.push(...names.problems);
  const texts = (name: string) => (values[name] === undefined ? [] : (forms(values[name], name, problems) ?? []));
  const monolingual = call.component.component.template !== '';
  if (monolingual && values['key'] === undefined)
    problems.push({ attr: 'key', code: 'required', detail: 'This field is required.' });
  const state = values['state'] === undefined ? undefined : stateOf(values['state'], problems);
  const [source, target, value] = [texts('source'), texts('target'), texts('value')];
  const request = {
    translationId: call.translation.id,
    context: String(names.values[monolingual ? 'key' : 'context'] ?? ''),
    source: monolingual ? [] : source,
    target: monolingual ? value : target,
    ...(state === undefined ? {} : { state }),
  };
  call.problems.push(...problems);
  return request;
}

/** Example body of a new string, for the access rules. */
const newString = { source: ['…'], target: ['…'] };

/** The permission depends on the upload method. */
const uploadAccess = {
  cases: [
    { does: 'translate', body: { method: 'translate' }, all: ['upload.perform', 'unit.edit'] },
    { does: 'fuzzy', body: { method: 'fuzzy' }, all: ['upload.perform', 'unit.edit'] },
    { does: 'suggest', body: { method: 'suggest' }, all: ['upload.perform', 'suggestion.add'] },
  ],
} as const;

export const translationEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/translations/',
    shows: 'site',
    response: pageSchema(translationSchema),
    access: 'anyone',
    doc: 'Lists the translations that the caller may see.',
    async handle(call) {
      const exclusions = await loadHidden(call);
      return list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.translation.listTranslations({ page, ...exclusions }, call.options);
          return { items: answer.translations, total: answer.total };
        },
        (items) => presentTranslations(call, items),
      );
    },
  },
  {
    method: 'GET',
    path: TRANSLATION_PATH,
    shows: 'component',
    response: translationSchema,
    access: 'anyone',
    doc: 'Shows a translation.',
    showsTranslation: true,
    async handle(call) {
      return ok((await presentTranslations(call, [call.translation]))[0]);
    },
  },
  {
    method: 'DELETE',
    path: TRANSLATION_PATH,
    access: { any: ['translation.delete'] },
    doc: 'Deletes a translation and its file.',
    async handle(call) {
      if (call.translation.isSource)
        throw new ServiceError('PERMISSION_DENIED', { message: 'The source translation cannot be deleted.' });
      await call.clients.vcsWorker.removeLanguage(
        { componentId: call.translation.componentId, translationId: call.translation.id },
        { ...call.options, timeoutMs: 300_000 },
      );
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${TRANSLATION_PATH}changes/`,
    shows: 'component',
    response: pageSchema(changeSchema),
    access: 'anyone',
    doc: 'Lists the history of a translation.',
    query: changeFields,
    handle: (call) => listChanges(call, { translationId: call.translationKey.id }),
  },
  {
    method: 'GET',
    path: `${TRANSLATION_PATH}units/`,
    shows: 'component',
    keepsParts: true,
    response: pageSchema(unitSchema),
    access: 'anyone',
    doc: 'Lists the strings of a translation; q filters by a search query.',
    query: searchFields,
    handle: listUnits,
  },
  {
    method: 'POST',
    path: `${TRANSLATION_PATH}units/`,
    response: unitSchema,
    access: {
      cases: [
        { does: 'to a translation', on: 'translation', body: newString, all: ['unit.add'] },
        { does: 'to a glossary', on: 'glossary', body: newString, all: ['glossary.add'] },
      ],
    },
    doc: 'Adds a string.',
    body: { fields: newUnitFields },
    async handle(call) {
      const { unit } = await call.clients.translation.createUnit(await readNewUnit(call), call.options);
      return ok((await presentUnits(call, [unit!]))[0]);
    },
  },
  {
    method: 'GET',
    path: `${TRANSLATION_PATH}file/`,
    success: [200, 304],
    produces: translationFileTypes,
    access: { any: ['translation.download'] },
    doc: 'Downloads the file, stored or converted.',
    query: downloadFields,
    ownFormat: true,
    handle: downloadTranslation,
  },
  {
    method: 'POST',
    path: `${TRANSLATION_PATH}file/`,
    response: uploadSchema,
    access: uploadAccess,
    doc: 'Imports a translated file from a form or the request body, named by Content-Disposition.',
    body: { fields: uploadFields, files: ['file'], raw: 'file' },
    handle: uploadTranslation,
  },
  {
    method: 'PUT',
    path: `${TRANSLATION_PATH}file/`,
    response: uploadSchema,
    access: uploadAccess,
    doc: 'Imports a translated file from a form or the request body, named by Content-Disposition.',
    body: { fields: uploadFields, files: ['file'], raw: 'file' },
    handle: uploadTranslation,
  },
  {
    method: 'GET',
    path: `${TRANSLATION_PATH}repository/`,
    shows: 'component',
    response: repositorySchema,
    access: { any: repositoryViewers, anonymousForbidden: true },
    doc: 'Shows the state of the repository.',
    handle: (call) => repositoryStatus(call, [call.translationKey.componentId], true),
  },
  {
    method: 'POST',
    path: `${TRANSLATION_PATH}repository/`,
    response: operationSchema,
    access: operationAccess,
    doc: 'Runs an operation on the repository.',
    body: { fields: operationFields },
    handle: (call) => runOperation(call, [call.translation.componentId]),
  },
  {
    method: 'GET',
    path: `${TRANSLATION_PATH}statistics/`,
    shows: 'component',
    response: statisticsSchema,
    access: 'anyone',
    doc: 'Shows statistics of a translation.',
    renderers: ['json-flat'],
    handle: async (call) => ok((await translationStatistics(call, call.component, [call.translationKey]))[0]),
  },
];
