import type { common } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { LOCAL_URL, type Component } from '../../domain/component';
import { componentOf } from './component-tasks';
import { addLanguages } from '../files/languages';
import { siteCaller } from '../files/callers';
import type { Log, Deps } from '../deps';
import type { TaskWork } from './task-runner';

const SLUG = 'glossary';

/**
 * Creates a project's glossary with its first component, and adds the languages of its components to its glossaries. A deleted
 * glossary is created again with the next component, not with the next language.
 */
export const glossaryTask =
  (deps: Deps): TaskWork =>
  async (run) => {
    const component = await componentOf(deps, run);
    const siblings = await deps.catalog.components(await deps.index.ofProject(component.project.id));
    const glossaries = component.settings.isGlossary
      ? [component]
      : siblings.filter(({ settings }) => settings.isGlossary);
    const sources = component.settings.isGlossary
      ? siblings.filter(({ settings }) => !settings.isGlossary)
      : [component];
    // A new glossary gets its languages with its own import.
    if (glossaries.length === 0 && run.task.changed.includes('component')) await makeGlossary(deps, component, run.log);
    else await addMissingLanguages(deps, glossaries, await languagesOf(deps, sources), run.log);
    return { component: component.settings.id };
  };

/** Named like the project, or "Glossary" if that name is taken. */
async function makeGlossary(deps: Pick<Deps, 'catalog'>, component: Component, log: Log): Promise<void> {
  for (const name of [component.project.name, 'Glossary'])
    try {
      await deps.catalog.createComponent(component.project.id, {
        name,
        slug: SLUG,
        vcs: 'local',
        repo: LOCAL_URL,
        filemask: '*.tbx',
        fileFormat: 'tbx',
        newLang: 'none',
        isGlossary: true,
        manageUnits: true,
        allowTranslationPropagation: false,
        sourceLanguage: component.settings.sourceLanguageCode,
      });
      return log('A glossary was made');
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      // The address is taken by a component or by one that is being created.
      if (error.problems.every(({ attr }) => attr !== 'name') || error.problems.some(({ attr }) => attr === 'slug'))
        return log(`No glossary was made: ${error.problems[0]?.detail ?? error.message}`);
    }
}

async function languagesOf(
  deps: Pick<Deps, 'translations'>,
  components: readonly Component[],
): Promise<Map<string, common.LanguageInfo__Output>> {
  const languages = new Map<string, common.LanguageInfo__Output>();
  for (const { settings } of components)
    for (const { language } of await deps.translations.list(settings.id))
      if (language) languages.set(language.code, language);
  return languages;
}

async function addMissingLanguages(
  deps: Deps,
  glossaries: readonly Component[],
  languages: ReadonlyMap<string, common.LanguageInfo__Output>,
  log: Log,
): Promise<void> {
  for (const glossary of glossaries) {
    const { id, name, locked } = glossary.settings;
    if (locked) continue;
    const has = new Set((await deps.translations.list(id)).map(({ languageCode }) => languageCode));
    has.add(glossary.sourceLanguage.code);
    const missing = [...languages.values()].filter(({ code }) => !has.has(code));
    if (missing.length === 0) continue;
    const added = await addLanguages(deps, siteCaller(deps), glossary, missing, (error, language) =>
      log(`${name} cannot have ${language.name}: ${error.problems[0]?.detail ?? error.message}`),
    );
    log(`${name}: ${added.length} languages added`);
  }
}
