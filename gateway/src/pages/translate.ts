import type { z } from 'zod';
import { isServiceError } from '@parlance/errors';
import { notFound } from '../responses/errors';
import type { Call, Reply } from '../routing/call';
import type { ComponentView } from '../directory/component-view';
import { presentUnits } from '../resources/shared';
import type { translationSchema } from '../resources/translations/schema';
import type { unitSchema } from '../resources/units/schema';
import { curlLine } from './browsable-api/commands';
import type { ListPage } from './overviews/api-types';
import { pageNumber, pagerOf } from './overviews/model';
import { projectLanguage, translationsIn } from './overviews/project-languages';
import { placeAt } from './places';
import { readApi } from './read-api';
import { pageReply } from './rendering/reply';

type Translation = z.infer<typeof translationSchema>;
type Unit = z.infer<typeof unitSchema>;

/** Strings of one page. */
const PAGE_UNITS = '50';

/** Class and text of each state of a string. */
const states: Readonly<Record<number, readonly [string, string]>> = {
  0: ['untranslated', 'Untranslated'],
  10: ['fuzzy', 'Needs editing'],
  20: ['translated', 'Translated'],
  30: ['approved', 'Approved'],
  100: ['readonly', 'Read-only'],
};

/** The string with a checksum in its address. @throws NOT_FOUND */
async function unitWith(call: Call, translationId: number, checksum: string): Promise<ListPage<Unit>> {
  if (!/^[0-9a-f]{16}$/.test(checksum)) throw notFound();
  const idHash = BigInt.asIntN(64, BigInt(`0x${checksum}`)).toString();
  const { unit } = await call.clients.translation.getUnit({ translationId, idHash }, call.options);
  if (!unit) throw notFound();
  const results = (await presentUnits(call, [unit])) as Unit[];
  return { count: 1, next: null, previous: null, results };
}

/** The strings that a search finds; an invalid query is reported on the page. */
async function search(call: Call, params: Record<string, string>): Promise<ListPage<Unit> & { problem?: string }> {
  const query = { q: call.query.get('q') ?? '', page: pageNumber(call), page_size: PAGE_UNITS };
  try {
    return await readApi<ListPage<Unit>>(call, '/api/translations/:project/:component/:language/units/', params, query);
  } catch (error) {
    if (!isServiceError(error) || error.info.http !== 400) throw error;
    return { count: 0, next: null, previous: null, results: [], problem: error.message };
  }
}

/** Facts of a single string. */
const factsOf = (unit: Unit) =>
  [
    ['Location', unit.location],
    ['Note', unit.note],
    ['Explanation', unit.explanation],
    ['Flags', unit.flags],
    ['Further flags', unit.extra_flags],
    ['Previous source', unit.previous_source],
    ['Labels', unit.labels.map(({ name }) => name).join(', ')],
  ].flatMap(([name, value]) => (value ? [{ name, value }] : []));

async function stringsPage(call: Call, { project, component }: ComponentView, language: string): Promise<Reply> {
  const params = { project: project.slug, component: component.path, language };
  const t = await readApi<Translation>(call, '/api/translations/:project/:component/:language/', params);
  const checksum = call.query.get('checksum');
  const single = checksum !== null;
  const found: ListPage<Unit> & { problem?: string } = single
    ? await unitWith(call, t.id, checksum)
    : await search(call, params);
  const [unit] = found.results;
  const title = `${t.component.name}: ${t.language.name}`;
  return pageReply(call, 'translate', {
    title: `Strings of ${title}`,
    trail: [
      { text: t.component.project.name, href: t.component.project.web_url },
      { text: t.component.name, href: t.component.web_url },
      { text: t.language.name, href: t.web_url },
    ],
    progress: single ? undefined : t,
    links: single
      ? [{ text: 'All strings', href: t.translate_url }]
      : [
          { text: 'Unfinished strings', href: `${t.translate_url}?q=state:%3Ctranslated` },
          { text: 'Failing checks', href: `${t.translate_url}?q=has:check` },
          { text: 'Download', href: t.file_url },
        ],
    q: call.query.get('q') ?? '',
    problem: found.problem,
    single,
    facts: single && unit ? factsOf(unit) : [],
    units: found.results.map((u) => {
      const [stateName, stateText] = states[u.state] ?? ['', String(u.state)];
      return { ...u, stateName, stateText };
    }),
    language: t.language,
    sourceLanguage: t.component.source_language,
    pages: pagerOf(call, found),
    curl: curlLine('PATCH', unit?.url ?? call.links.api('units/ID/'), { target: ['…'], state: 20 }),
    api: single && unit ? unit.url : t.units_list_url,
  });
}

/** The translations of a project in a language, to choose one. */
async function choicePage(call: Call, code: string): Promise<Reply> {
  const [statistics, translations] = await Promise.all([projectLanguage(call, code), translationsIn(call, code)]);
  const rows = translations.map((t) => ({ text: t.component.name, href: t.translate_url, progress: t }));
  const { name, slug } = call.project;
  return pageReply(call, 'overview', {
    title: `Strings of ${name}: ${statistics.language}`,
    trail: [{ text: name, href: call.links.web(`projects/${slug}/`) }],
    progress: statistics,
    links: [],
    facts: [],
    tables: [{ title: 'Components', empty: 'There are no translations.', progress: true, rows, count: rows.length }],
    api: `${call.links.project(slug)}languages/`,
  });
}

/** The page of `translate_url`. */
export async function translatePage(call: Call): Promise<Reply> {
  const place = await placeAt(call, call.params['place']!);
  if (place.kind === 'translation') return stringsPage(call, place.component, place.language);
  if (place.kind === 'project language') return choicePage(call, place.language);
  throw notFound();
}
