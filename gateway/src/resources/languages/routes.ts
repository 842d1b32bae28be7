import {
  languageSettings,
  pluralSettings,
  readRequest,
  toMessage,
  type catalog,
  type RequestMode,
} from '@parlance/contracts';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { perCall, readValues } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentLanguage } from '../components/present';
import { presentStatistics } from '../statistics/present';
import { loadCounters, loadHidden, pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { languageSchema } from './schema';
import { statisticsSchema } from '../statistics/schema';

/** The language named by the path. @throws NOT_FOUND */
const languageOf = perCall(async (call): Promise<catalog.Language__Output> => {
  const code = call.params['code']!;
  const read = async () => (await call.clients.catalog.getLanguage({ code }, call.options)).language;
  return call.directory.visibleObject('language', call.caller, code, read);
});

const editors = { site: 'language.edit', of: languageOf } as const;

/** Settings of a language that its address already identifies. */
const namedLanguage = languageSettings.partial({ code: true, plural: true });

async function readLanguage(call: Call, mode: RequestMode): Promise<catalog.LanguageInput> {
  const schema = mode === 'replace' ? namedLanguage : languageSettings;
  const { values, problems } = await readValues(call, schema, mode);
  const { plural, ...own } = values;
  const message: catalog.LanguageInput = toMessage(languageSettings, own);
  if (plural !== undefined) {
    const nested = readRequest(pluralSettings, plural, mode, { prefix: 'plural.' });
    problems.push(...nested.problems);
    message.plural = toMessage(pluralSettings, nested.values);
  }
  call.problems.push(...problems);
  return message;
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const input = await readLanguage(call, mode);
    const { code } = await languageOf(call);
    const answer = await call.clients.catalog.updateLanguage(
      { code, language: { code, ...input }, replace: mode === 'replace' },
      call.options,
    );
    return ok(presentLanguage(answer.language!, call.links));
  };

const LANGUAGE_PATH = '/api/languages/:code/';

export const languageEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/languages/',
    response: pageSchema(languageSchema),
    access: 'anyone',
    doc: 'Lists languages in use; callers who may edit languages see all.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listLanguages({ page }, call.options);
          return { items: answer.languages, total: answer.total };
        },
        (items) => items.map((l) => presentLanguage(l, call.links)),
      ),
  },
  {
    method: 'POST',
    path: '/api/languages/',
    success: [201],
    response: languageSchema,
    access: { site: 'language.edit' },
    doc: 'Creates a language.',
    body: { fields: languageSettings },
    async handle(call) {
      const request = { language: await readLanguage(call, 'create') };
      const { language } = await call.clients.catalog.createLanguage(request, call.options);
      return created(presentLanguage(language!, call.links), call.links.language(language!.code));
    },
  },
  {
    method: 'GET',
    path: LANGUAGE_PATH,
    response: languageSchema,
    access: 'anyone',
    doc: 'Shows a language.',
    handle: async (call) => ok(presentLanguage(await languageOf(call), call.links)),
  },
  {
    method: 'PUT',
    path: LANGUAGE_PATH,
    response: languageSchema,
    access: editors,
    doc: 'Replaces a language.',
    body: { fields: languageSettings },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: LANGUAGE_PATH,
    response: languageSchema,
    access: editors,
    doc: 'Changes a language.',
    body: { fields: languageSettings },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: LANGUAGE_PATH,
    access: editors,
    doc: 'Removes a language that has no translations.',
    async handle(call) {
      await call.clients.catalog.deleteLanguage({ code: (await languageOf(call)).code }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${LANGUAGE_PATH}statistics/`,
    shows: 'site',
    response: statisticsSchema,
    access: 'anyone',
    doc: 'Shows statistics of a language over all objects that the caller may see.',
    renderers: ['json-flat'],
    async handle(call) {
      const language = await languageOf(call);
      const scope = { kind: 'SCOPE_KIND_LANGUAGE', languageCode: language.code, ...(await loadHidden(call)) } as const;
      const [sum] = await loadCounters(call, [scope]);
      const url = call.links.web(`languages/${language.code}/`);
      return ok(presentStatistics(sum!, { name: language.name, url, review: true }));
    },
  },
];
