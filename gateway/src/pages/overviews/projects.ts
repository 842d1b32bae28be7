import type { Call, Reply } from '../../routing/call';
import { loadCounters, loadHidden } from '../../resources/shared';
import { presentStatistics } from '../../resources/statistics/present';
import { readApi } from '../read-api';
import type { Component, Project, ProjectLanguage, Statistics, ListPage } from './api-types';
import { foreignLink, factsOf, timeText, overview, overPages, pagerOf, completeTable, type Table } from './model';
import { componentRows } from './component-rows';
import { projectLanguages } from './project-languages';

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

function languageTable(languages: readonly ProjectLanguage[]): Table {
  const rows = languages.map((l) => ({ text: l.language, href: l.url!, note: l.code!, progress: l }));
  return { title: 'Languages', empty: 'There are no translations yet.', progress: true, rows, ...completeTable(rows) };
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
