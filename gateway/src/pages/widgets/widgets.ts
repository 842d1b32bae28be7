import { notFound } from '../../responses/errors';
import type { Call, Reply } from '../../routing/call';
import { loadCounters } from '../../resources/shared';
import { presentStatistics } from '../../resources/statistics/present';
import { languageChart, statusBadge, type Share } from './badge';
import { projectLanguage, projectLanguages } from '../overviews/project-languages';
import { placeAt } from '../places';
import { readApi } from '../read-api';
import { cacheable } from '../rendering/reply';

/** Time during which caches show a badge without asking, in seconds. */
const BADGE_AGE = 300;

/** Charts have at most so many languages. */
const MAX_LANGUAGES = 200;

/** Names of files, as they are embedded in documents of projects. */
const charts: readonly string[] = ['multi-auto.svg', 'horizontal-auto.svg'];

const percentOf = (statistics: Record<string, unknown>): number => Number(statistics['translated_percent']);

/** Label and percentage of the subject of a badge. */
async function shareOf(call: Call, path: string): Promise<Share> {
  const { slug } = call.project;
  if (path === '') {
    const statistics = await readApi<Record<string, unknown>>(call, '/api/projects/:project/statistics/', {
      project: slug,
    });
    return { name: 'translated', percent: percentOf(statistics) };
  }
  const place = await placeAt(call, path);
  switch (place.kind) {
    case 'project language': {
      const statistics = await projectLanguage(call, place.language);
      return { name: statistics.language, percent: statistics.translated_percent };
    }
    case 'component': {
      const [sum] = await loadCounters(call, [{ kind: 'SCOPE_KIND_COMPONENT', id: place.component.component.id }]);
      return { name: 'translated', percent: percentOf(presentStatistics(sum!, {})) };
    }
    case 'translation': {
      const params = { project: slug, component: place.component.component.path, language: place.language };
      const t = await readApi<{ language: { name: string }; translated_percent: number }>(
        call,
        '/api/translations/:project/:component/:language/',
        params,
      );
      return { name: t.language.name, percent: t.translated_percent };
    }
    case 'category':
      throw notFound();
  }
}

/** Languages of a project or component, the most complete first. */
async function sharesOf(call: Call, path: string): Promise<Share[]> {
  const shares = path === '' ? await sharesOfProject(call) : await sharesOfComponent(call, path);
  return shares.sort((a, b) => b.percent - a.percent || a.name.localeCompare(b.name)).slice(0, MAX_LANGUAGES);
}

async function sharesOfProject(call: Call): Promise<Share[]> {
  const languages = await projectLanguages(call, call.project.slug);
  return languages.map((l) => ({ name: l.language, percent: l.translated_percent }));
}

async function sharesOfComponent(call: Call, path: string): Promise<Share[]> {
  const place = await placeAt(call, path);
  if (place.kind !== 'component') throw notFound();
  const params = { project: call.project.slug, component: place.component.component.path };
  const query = { page_size: String(MAX_LANGUAGES) };
  const { results } = await readApi<{ results: { language: { name: string }; translated_percent: number }[] }>(
    call,
    '/api/components/:project/:component/translations/',
    params,
    query,
  );
  return results.map((t) => ({ name: t.language.name, percent: t.translated_percent }));
}

/** A badge or chart as SVG: `[-/language/ or component/[language/]]file`. */
export async function widget(call: Call): Promise<Reply> {
  const path = call.params['place']!;
  const slash = path.lastIndexOf('/');
  const [subject, file] = [slash < 0 ? '' : path.slice(0, slash), path.slice(slash + 1)];
  let content: string;
  if (file === 'svg-badge.svg') {
    const { name, percent } = await shareOf(call, subject);
    content = statusBadge(name, percent);
  } else if (charts.includes(file)) {
    content = languageChart(`Translation status of ${call.project.name}`, await sharesOf(call, subject));
  } else throw notFound();
  return cacheable(call, 'image/svg+xml; charset=utf-8', content, BADGE_AGE);
}
