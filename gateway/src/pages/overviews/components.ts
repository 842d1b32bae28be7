import type { Call, Reply } from '../../routing/call';
import type { ComponentView } from '../../directory/component-view';
import { loadCounters } from '../../resources/shared';
import { presentStatistics } from '../../resources/statistics/present';
import type { Place } from '../places';
import { readApi } from '../read-api';
import type {
  Component,
  ComponentList,
  Project,
  Statistics,
  Translation,
  ComponentTranslation,
  ListPage,
} from './api-types';
import { factsOf, timeText, overview, overPages, WHOLE_LIST, pagerOf, completeTable, projectTrail } from './model';
import { componentRows } from './component-rows';

export async function componentPage(call: Call, { project, component: c }: ComponentView): Promise<Reply> {
  const params = { project: project.slug, component: c.path };
  const [component, translations, [sum]] = await Promise.all([
    readApi<Component>(call, '/api/components/:project/:component/', params),
    readApi<ListPage<ComponentTranslation>>(
      call,
      '/api/components/:project/:component/translations/',
      params,
      overPages(call),
    ),
    loadCounters(call, [{ kind: 'SCOPE_KIND_COMPONENT', id: c.id }]),
  ]);
  const rows = translations.results.map((t) => ({
    text: t.language.name,
    href: t.web_url,
    note: t.is_source ? 'source' : t.language.code,
    progress: t,
  }));
  const feed = call.links.web(`exports/rss/${project.slug}/${c.path}/`);
  return overview(call, {
    title: component.name,
    trail: projectTrail(component.project),
    progress: presentStatistics(sum!, {}) as Statistics,
    links: [
      { text: 'Contribute', href: call.links.web(`engage/${project.slug}/`) },
      { text: 'Changes', href: component.changes_list_url },
      { text: 'Feed', href: feed },
    ],
    facts: factsOf(
      { name: 'Source language', value: component.source_language.name, href: component.source_language.web_url },
      { name: 'File format', value: component.file_format },
      {
        name: 'License',
        value: component.license,
        ...(component.license_url ? { href: component.license_url, foreign: true } : {}),
      },
      { name: 'Repository', value: component.git_export },
      { name: 'Agreement', value: component.agreement, block: true },
    ),
    tables: [
      {
        title: 'Translations',
        empty: 'There are no translations.',
        progress: true,
        rows,
        ...pagerOf(call, translations),
      },
    ],
    api: component.url,
    feed,
  });
}

export async function translationPage(
  call: Call,
  { project, component }: ComponentView,
  language: string,
): Promise<Reply> {
  const params = { project: project.slug, component: component.path, language };
  const t = await readApi<Translation>(call, '/api/translations/:project/:component/:language/', params);
  const feed = call.links.web(`exports/rss/${project.slug}/${component.path}/${language}/`);
  return overview(call, {
    title: `${t.component.name}: ${t.language.name}`,
    trail: [...projectTrail(t.component.project), { text: t.component.name, href: t.component.web_url }],
    progress: t,
    links: [
      { text: 'Strings', href: t.translate_url },
      { text: 'Contribute', href: t.share_url },
      { text: 'Download', href: t.file_url },
      { text: 'Changes', href: t.changes_list_url },
      { text: 'Feed', href: feed },
    ],
    facts: factsOf(
      { name: 'Language', value: t.language.name, href: t.language.web_url },
      { name: 'File', value: t.filename },
      { name: 'Words', value: String(t.total_words) },
      { name: 'Failing checks', value: String(t.failing_checks) },
      { name: 'Suggestions', value: String(t.have_suggestion) },
      { name: 'Comments', value: String(t.have_comment) },
      { name: 'Last change', value: timeText(t.last_change) },
      { name: 'Last author', value: t.last_author ?? '' },
    ),
    tables: [],
    api: t.url,
    feed,
  });
}

/** The components of a category, including nested categories. */
export async function categoryPage(
  call: Call,
  { id, name, path }: Extract<Place, { kind: 'category' }>['category'],
): Promise<Reply> {
  const { slug } = call.project;
  const [project, statistics, components] = await Promise.all([
    readApi<Project>(call, '/api/projects/:project/', { project: slug }),
    readApi<Statistics>(call, '/api/categories/:category/statistics/', { category: String(id) }),
    readApi<ListPage<Component>>(call, '/api/projects/:project/components/', { project: slug }, WHOLE_LIST),
  ]);
  const start = call.links.web(`projects/${slug}/${path}/`);
  const rows = await componentRows(
    call,
    components.results.filter(({ web_url: address }) => address.startsWith(start)),
  );
  return overview(call, {
    title: name,
    trail: projectTrail(project),
    progress: statistics,
    links: [{ text: 'Contribute', href: call.links.web(`engage/${slug}/`) }],
    facts: [],
    tables: [{ title: 'Components', empty: 'There are no components.', progress: true, rows, ...completeTable(rows) }],
    api: call.links.category(id),
  });
}

export async function componentListPage(call: Call): Promise<Reply> {
  const params = { list: call.params['list']! };
  const [list, statistics, components] = await Promise.all([
    readApi<ComponentList>(call, '/api/component-lists/:list/', params),
    readApi<Statistics>(call, '/api/component-lists/:list/statistics/', params),
    readApi<ListPage<Component>>(call, '/api/component-lists/:list/components/', params, overPages(call)),
  ]);
  const rows = await componentRows(call, components.results);
  return overview(call, {
    title: list.name,
    progress: statistics,
    links: [],
    facts: [],
    tables: [
      { title: 'Components', empty: 'There are no components.', progress: true, rows, ...pagerOf(call, components) },
    ],
    api: list.url,
  });
}
