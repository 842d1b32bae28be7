import { isServiceError } from '@parlance/errors';
import type { Effect } from './effect';

/** Adds to the components of a project all languages of the other components. */
export const sameLanguages: Effect = {
  async runTask({ deps, component, log, addLanguage }) {
    const siblings = await deps.catalog.components(await deps.index.ofProject(component.project.id));
    const languages = new Map<number, Set<string>>();
    for (const { settings } of siblings)
      languages.set(settings.id, new Set((await deps.translations.list(settings.id)).map((t) => t.languageCode)));
    const all = new Set([...languages.values()].flatMap((codes) => [...codes]));
    for (const { settings } of siblings) {
      if (settings.locked || settings.isGlossary) continue;
      for (const code of all) {
        if (languages.get(settings.id)!.has(code)) continue;
        try {
          await addLanguage(settings.id, code);
          log(`${settings.name}: ${code} added`);
        } catch (error) {
          // A component may reject a language; the others still get it.
          if (!isServiceError(error)) throw error;
          log(`${settings.name}: ${code} cannot be added: ${error.problems[0]?.detail ?? error.message}`);
        }
      }
    }
  },
};
