import { field, type translation as proto } from '@parlance/contracts';
import type { Call, Reply } from '../../routing/call';
import type { Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { toCsv, toJson } from '../../responses/render';
import { presentFeed, type FeedInfo } from './feed';
import { disposition } from '../../downloads/files';
import { changeContext, loadHidden } from '../shared';
import { componentTranslationKeys, translationStatistics } from '../statistics/routes';
import { statisticsSchema } from '../statistics/schema';
import { z } from 'zod';

/** Columns of the exported statistics, in the order of the CSV form. */
const columns = [
  'name',
  'code',
  'total',
  'translated',
  'translated_percent',
  'total_words',
  'translated_words',
  'failing',
  'failing_percent',
  'fuzzy',
  'fuzzy_percent',
  'url_translate',
  'url',
  'last_change',
  'last_author',
] as const;

const exportedSchema = z.array(
  statisticsSchema.pick(
    Object.fromEntries(columns.map((name) => [name, true])) as Record<(typeof columns)[number], true>,
  ),
);

/** Number of entries of a feed. */
const FEED_ITEMS = 10;

/** Maximum number of translations in a component's export: the maximum of one request. */
const MAX_ROWS = 10_000;

async function exportStatistics(call: Call): Promise<Reply> {
  const { project, component } = call.component;
  const { items } = await componentTranslationKeys(call, { page: 1, pageSize: MAX_ROWS });
  const rows = await translationStatistics(call, call.component, items);
  const pick = (names: readonly string[]) =>
    rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
  if (call.query.get('format') === 'csv') {
    const filename = `stats-${project.slug}-${component.path.replaceAll('/', '-')}.csv`;
    return {
      headers: { 'Content-Disposition': disposition(filename, false) },
      text: { type: 'text/csv; charset=utf-8', content: await toCsv(pick(columns)) },
    };
  }
  return { text: { type: 'application/json', content: await toJson(pick([...columns].sort()), 2) } };
}

async function feed(
  call: Call,
  scope: proto.ListChangesRequest,
  info: Omit<FeedInfo, 'self' | 'title' | 'description'> & { about: string },
): Promise<Reply> {
  const request = {
    ...scope,
    page: { page: 1, pageSize: FEED_ITEMS },
    ...(await loadHidden(call)),
    withTranslations: true,
    withUnits: true,
    withoutTotal: true,
  };
  const { changes, translations, units } = await call.clients.translation.listChanges(request, call.options);
  const [context, projects] = await Promise.all([
    changeContext(call, changes, translations),
    call.directory.projectsById(changes.map((c) => c.projectId)),
  ]);
  const full = {
    link: info.link,
    self: call.url,
    title: info.about ? `${call.site.title}: ${info.about}` : call.site.title,
    description: `Recent changes${info.about ? ` of ${info.about}` : ''}`,
  };
  const unitsById = new Map(units.map((u) => [u.id, u]));
  const content = presentFeed(full, changes, context, unitsById, call.links, projects);
  return { text: { type: 'application/rss+xml; charset=utf-8', content } };
}

async function languageOf(call: Call) {
  const language = await call.directory.language(call.params['code']!);
  if (!language) throw notFound();
  return language;
}

const statisticsQuery = z.object({
  format: field.choice('json or csv.', ['json', 'csv']).default('json'),
});

export const exportEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/exports/stats/:project/:component/',
    shows: 'component',
    response: exportedSchema,
    produces: ['application/json', 'text/csv'],
    access: 'anyone',
    doc: 'Exports statistics of the translations of a component. Deprecated.',
    ownFormat: true,
    query: statisticsQuery,
    handle: exportStatistics,
  },
  {
    method: 'GET',
    path: '/exports/rss/',
    shows: 'site',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of everything that the caller may see.',
    ownFormat: true,
    handle: (call) => feed(call, {}, { about: '', link: call.links.web('') }),
  },
  {
    method: 'GET',
    path: '/exports/rss/language/:code/',
    shows: 'site',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of a language.',
    ownFormat: true,
    async handle(call) {
      const { code, name } = await languageOf(call);
      return feed(call, { languageCode: code }, { about: name, link: call.links.web(`languages/${code}/`) });
    },
  },
  {
    method: 'GET',
    path: '/exports/rss/:project/',
    shows: 'project',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of a project.',
    ownFormat: true,
    handle: (call) =>
      feed(
        call,
        { projectId: call.project.id },
        { about: call.project.name, link: call.links.web(`projects/${call.project.slug}/`) },
      ),
  },
  {
    method: 'GET',
    path: '/exports/rss/:project/-/:code/',
    shows: 'project',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of a language of a project.',
    ownFormat: true,
    async handle(call) {
      const { code, name } = await languageOf(call);
      const { id, slug, name: project } = call.project;
      const link = call.links.web(`projects/${slug}/-/${code}/`);
      return feed(call, { projectId: id, languageCode: code }, { about: `${project}, ${name}`, link });
    },
  },
  {
    method: 'GET',
    path: '/exports/rss/:project/:component/',
    shows: 'component',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of a component.',
    ownFormat: true,
    handle(call) {
      const { project, component } = call.component;
      const link = call.links.web(`projects/${project.slug}/${component.path}/`);
      return feed(call, { componentId: component.id }, { about: `${project.name}, ${component.name}`, link });
    },
  },
  {
    method: 'GET',
    path: '/exports/rss/:project/:component/:language/',
    shows: 'component',
    produces: ['application/rss+xml'],
    access: 'anyone',
    doc: 'Feed of the changes of a translation.',
    ownFormat: true,
    handle(call) {
      const { project, component } = call.component;
      const { id, languageCode, languageName } = call.translationKey;
      const about = `${project.name}, ${component.name}, ${languageName ?? languageCode}`;
      const link = call.links.web(`projects/${project.slug}/${component.path}/${languageCode}/`);
      return feed(call, { translationId: id }, { about, link });
    },
  },
];
