import type { z } from 'zod';
import { notFound } from '../responses/errors';
import type { Call, ComponentView, Reply } from '../routing/call';
import type { componentListSchema } from '../resources/component-lists/schema';
import type { componentSchema } from '../resources/components/schema';
import type { languageSchema } from '../resources/languages/schema';
import type { projectSchema } from '../resources/projects/schema';
import { loadCounters, loadHidden, presentTranslations } from '../resources/shared';
import { presentStatistics } from '../resources/statistics/present';
import type { projectLanguageSchema, statisticsSchema } from '../resources/statistics/schema';
import type { componentTranslationSchema, translationSchema } from '../resources/translations/schema';
import type { Place } from './places';
import { readApi } from './read-api';
import { pageReply } from './reply';

type Component = z.infer<typeof componentSchema>;
type ComponentList = z.infer<typeof componentListSchema>;
type Language = z.infer<typeof languageSchema>;
type Project = z.infer<typeof projectSchema>;
type ProjectLanguage = z.infer<typeof projectLanguageSchema>;
type Statistics = z.infer<typeof statisticsSchema>;
type Translation = z.infer<typeof translationSchema>;
type ComponentTranslation = z.infer<typeof componentTranslationSchema>;

/** A page of a list of the API. */
export interface ListPage<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

/** Shares of a bar. */
export type Progress = Pick<Statistics, 'total' | 'translated' | 'translated_percent' | 'fuzzy' | 'fuzzy_percent'>;

export interface Link {
  text: string;
  href: string;
  /** The address was entered by a user. */
  foreign?: boolean;
}

interface Fact {
  name: string;
  value: string;
  href?: string;
  foreign?: boolean;
  /** Keeps line breaks. */
  block?: boolean;
}

interface Row extends Link {
  note?: string;
  progress?: Progress;
}

export interface Pager {
  count: number;
  previous: string | undefined;
  next: string | undefined;
}

interface Table extends Pager {
  title: string;
  /** Text of a table without rows. */
  empty: string;
  /** Whether rows have progress. */
  progress: boolean;
  rows: Row[];
}

interface Overview {
  title: string;
  trail?: Link[];
  lead?: string;
  progress?: Progress;
  links: Link[];
  facts: Fact[];
  tables: Table[];
  api: string;
  feed?: string;
}

/** Rows of one page of a table. */
const TABLE_ROWS = 100;

/** Number of the requested page of the page's longest list. */
export const pageNumber = (call: Call): string => call.query.get('page') ?? '1';

/** Addresses of the neighbouring pages; other parameters are kept. */
export function pagerOf(call: Call, { count, next, previous }: Omit<ListPage<unknown>, 'results'>): Pager {
  const number = Number(pageNumber(call));
  const to = (page: number) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(page));
    return `?${query.toString()}`;
  };
  return { count, previous: previous ? to(number - 1) : undefined, next: next ? to(number + 1) : undefined };
}

const complete = (rows: Row[]): Pager => ({ count: rows.length, previous: undefined, next: undefined });

/** A link to an address that a user entered; undefined unless it is an http(s) address. */
export function foreignLink(text: string, href: string): Link | undefined {
  return /^https?:\/\//i.test(href) ? { text, href, foreign: true } : undefined;
}

/** Facts with a value. */
const factsOf = (...facts: (Fact | undefined)[]): Fact[] =>
  facts.filter((f): f is Fact => f !== undefined && f.value !== '');

const timeText = (time: string | null): string => (time === null ? '' : `${time.slice(0, 16).replace('T', ' ')} UTC`);

const overview = (call: Call, model: Overview): Reply => pageReply(call, 'overview', model);

const overPages = (call: Call) => ({ page: pageNumber(call), page_size: String(TABLE_ROWS) });
/** The maximum of lists that pages show as a whole. */
const whole = { page_size: '1000' };

/** Components with their progress. */
async function componentRows(call: Call, components: readonly Component[]): Promise<Row[]> {
  const sums = await loadCounters(
    call,
    components.map(({ id }) => ({ kind: 'SCOPE_KIND_COMPONENT', id })),
  );
  return components.map((c, i) => ({
    text: c.name,
    href: c.web_url,
    ...(c.is_glossary ? { note: 'Glossary' } : {}),
    progress: presentStatistics(sums[i]!, {}) as Statistics,
  }));
}

const projectTrail = (project: Pick<Project, 'name' | 'web_url'>): Link[] => [
  { text: project.name, href: project.web_url },
];

/** The projects that the caller may see. */
export async function projectsPage(call: Call, title: string): Promise<Reply> {
  const page = await readApi<ListPage<Project>>(call, '/api/projects/', {}, overPages(call));
  const exclusions = await loadHidden(call);
  const sums = await loadCounters(
    call,
    page.results.map(({ id }) => ({
      kind: 'SCOPE_KIND_PROJECT',
      id,
      excludedComponentIds: exclusions.excludedComponentIds,
    })),
  );
  const rows = page.results.map((project, i) => ({
    text: project.name,
    href: project.web_url,
    progress: presentStatistics(sums[i]!, { review: project.translation_review }) as Statistics,
  }));
  const table = { title: 'Projects', empty: 'There are no public projects.', progress: true, rows };
  return overview(call, {
    title,
    links: [],
    facts: [],
    tables: [{ ...table, ...pagerOf(call, page) }],
    api: call.links.api('projects/'),
    feed: call.links.web('exports/rss/'),
  });
}

/** The languages in use. */
export async function languagesPage(call: Call): Promise<Reply> {
  const page = await readApi<ListPage<Language>>(call, '/api/languages/', {}, overPages(call));
  const rows = page.results.map(({ name, code, web_url: href }) => ({ text: name, href, note: code }));
  return overview(call, {
    title: 'Languages',
    links: [],
    facts: [],
    tables: [
      { title: 'Languages in use', empty: 'No language is in use.', progress: false, rows, ...pagerOf(call, page) },
    ],
    api: call.links.api('languages/'),
  });
}

/** The progress of a project by language. */
export async function projectLanguages(call: Call, project: string): Promise<ProjectLanguage[]> {
  const path = '/api/projects/:project/languages/';
  return (await readApi<ListPage<ProjectLanguage>>(call, path, { project }, whole)).results;
}

function languageTable(languages: readonly ProjectLanguage[]): Table {
  const rows = languages.map((l) => ({ text: l.language, href: l.url!, note: l.code!, progress: l }));
  return { title: 'Languages', empty: 'There are no translations yet.', progress: true, rows, ...complete(rows) };
}

export async function projectPage(call: Call): Promise<Reply> {
  const { slug } = call.project;
  const params = { project: slug };
  const [project, statistics, languages, components] = await Promise.all([
    readApi<Project>(call, '/api/projects/:project/', params),
    readApi<Statistics>(call, '/api/projects/:project/statistics/', params),
    projectLanguages(call, slug),
    readApi<ListPage<Component>>(call, '/api/projects/:project/components/', params, overPages(call)),
  ]);
  const rows = await componentRows(call, components.results);
  const feed = call.links.web(`exports/rss/${slug}/`);
  const web = foreignLink(project.web, project.web);
  return overview(call, {
    title: project.name,
    trail: [{ text: 'Projects', href: call.links.web('projects/') }],
    progress: statistics,
    links: [
      { text: 'Contribute', href: call.links.web(`engage/${slug}/`) },
      { text: 'Changes', href: project.changes_list_url },
      { text: 'Feed', href: feed },
    ],
    facts: factsOf(
      { name: 'Website', value: project.web, ...(web ? { href: web.href, foreign: true } : {}) },
      { name: 'Instructions', value: project.instructions, block: true },
      { name: 'Last change', value: timeText(statistics.last_change) },
    ),
    tables: [
      { title: 'Components', empty: 'There are no components.', progress: true, rows, ...pagerOf(call, components) },
      languageTable(languages),
    ],
    api: project.url,
    feed,
  });
}

async function componentPage(call: Call, { project, component: c }: ComponentView): Promise<Reply> {
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

async function translationPage(call: Call, { project, component }: ComponentView, language: string): Promise<Reply> {
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
async function categoryPage(
  call: Call,
  { id, name, path }: Extract<Place, { kind: 'category' }>['category'],
): Promise<Reply> {
  const { slug } = call.project;
  const [project, statistics, components] = await Promise.all([
    readApi<Project>(call, '/api/projects/:project/', { project: slug }),
    readApi<Statistics>(call, '/api/categories/:category/statistics/', { category: String(id) }),
    readApi<ListPage<Component>>(call, '/api/projects/:project/components/', { project: slug }, whole),
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
    tables: [{ title: 'Components', empty: 'There are no components.', progress: true, rows, ...complete(rows) }],
    api: call.links.category(id),
  });
}

/** The progress of a project in a language. @throws NOT_FOUND if the project has no such language that the caller may see */
export async function projectLanguage(call: Call, code: string): Promise<ProjectLanguage> {
  const found = (await projectLanguages(call, call.project.slug)).find((l) => l.code === code);
  if (!found) throw notFound();
  return found;
}

/** Translations of the components of a project in one language that the caller may see. */
export async function translationsIn(call: Call, languageCode: string): Promise<Translation[]> {
  const request = { projectIds: [call.project.id], languageCode, page: { page: 1, pageSize: 1000 } };
  const exclusions = await loadHidden(call);
  const { translations } = await call.clients.translation.listTranslations({ ...request, ...exclusions }, call.options);
  return (await presentTranslations(call, translations)) as Translation[];
}

async function projectLanguagePage(call: Call, code: string): Promise<Reply> {
  const { slug } = call.project;
  const [project, statistics, translations] = await Promise.all([
    readApi<Project>(call, '/api/projects/:project/', { project: slug }),
    projectLanguage(call, code),
    translationsIn(call, code),
  ]);
  const rows = translations.map((t) => ({ text: t.component.name, href: t.web_url, progress: t }));
  const feed = call.links.web(`exports/rss/${slug}/-/${code}/`);
  return overview(call, {
    title: `${project.name}: ${statistics.language}`,
    trail: projectTrail(project),
    progress: statistics,
    links: [
      { text: 'Contribute', href: call.links.web(`engage/${slug}/-/${code}/`) },
      { text: 'Language', href: call.links.web(`languages/${code}/`) },
      { text: 'Feed', href: feed },
    ],
    facts: factsOf({ name: 'Last change', value: timeText(statistics.last_change) }),
    tables: [{ title: 'Components', empty: 'There are no translations.', progress: true, rows, ...complete(rows) }],
    api: project.languages_url,
    feed,
  });
}

/** A component, a translation, a category, or a language of a project. */
export function placePage(call: Call, place: Place): Promise<Reply> {
  switch (place.kind) {
    case 'component':
      return componentPage(call, place.component);
    case 'translation':
      return translationPage(call, place.component, place.language);
    case 'category':
      return categoryPage(call, place.category);
    case 'project language':
      return projectLanguagePage(call, place.language);
  }
}

export async function languagePage(call: Call): Promise<Reply> {
  const params = { code: call.params['code']! };
  const [language, statistics] = await Promise.all([
    readApi<Language>(call, '/api/languages/:code/', params),
    readApi<Statistics>(call, '/api/languages/:code/statistics/', params),
  ]);
  const feed = call.links.web(`exports/rss/language/${language.code}/`);
  const plural = language.plural ? `${language.plural.number} (${language.plural.formula})` : '';
  return overview(call, {
    title: language.name,
    trail: [{ text: 'Languages', href: call.links.web('languages/') }],
    progress: statistics,
    links: [{ text: 'Feed', href: feed }],
    facts: factsOf(
      { name: 'Code', value: language.code },
      { name: 'Direction', value: language.direction === 'rtl' ? 'Right to left' : 'Left to right' },
      { name: 'Plural forms', value: plural },
      { name: 'Speakers', value: language.population > 0 ? language.population.toLocaleString('en') : '' },
      { name: 'Other codes', value: language.aliases.join(', ') },
      { name: 'Words', value: String(statistics.total_words) },
      { name: 'Last change', value: timeText(statistics.last_change) },
    ),
    tables: [],
    api: language.url,
    feed,
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
