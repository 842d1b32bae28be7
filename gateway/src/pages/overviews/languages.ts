import type { Call, Reply } from '../../routing/call';
import { readApi } from '../read-api';
import type { Language, Statistics, ListPage } from './api-types';
import { factsOf, timeText, overview, overPages, pagerOf } from './model';

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
