import { notFound } from '../../responses/errors';
import type { Call, Reply } from '../../routing/call';
import { loadHidden, presentTranslations } from '../../resources/shared';
import { readApi } from '../read-api';
import type { Project, ProjectLanguage, Translation, ListPage } from './api-types';
import { factsOf, timeText, overview, WHOLE_LIST, completeTable, projectTrail } from './model';

/** The progress of a project by language. */
export async function projectLanguages(call: Call, project: string): Promise<ProjectLanguage[]> {
  const path = '/api/projects/:project/languages/';
  return (await readApi<ListPage<ProjectLanguage>>(call, path, { project }, WHOLE_LIST)).results;
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

export async function projectLanguagePage(call: Call, code: string): Promise<Reply> {
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
    tables: [
      { title: 'Components', empty: 'There are no translations.', progress: true, rows, ...completeTable(rows) },
    ],
    api: project.languages_url,
    feed,
  });
}
