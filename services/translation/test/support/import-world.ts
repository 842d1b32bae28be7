import type { ImportOptions } from '../../src/app/import/import-options';
import { removeComponent } from '../../src/app/remove-component';
import type { Component } from '../../src/domain/component';
import type { Announcer } from '../../src/domain/ports';
import { makeProcess } from './process';
import { language, sampleComponent } from './samples';
import type { useDatabase } from './store';

export const poFile = (code: string, more = '') => ({
  path: `${code}.po`,
  language: language(code),
  fileLanguageCode: code,
  revision: '1',
  kind: 'translation' as const,
  bytes: Buffer.from(`msgid ""\nmsgstr "Language: ${code}\\n"\n\nmsgid "Hello"\nmsgstr "${code}"\n${more}`),
});

/** A component with the stores and dependencies of an import. */
export function importWorld(database: ReturnType<typeof useDatabase>, id: number, settings: Partial<Component> = {}) {
  const clock = { now: Date.now() };
  const component = sampleComponent(id, settings);
  let deleted = false;
  const announced = { updated: 0, deleted: 0 };
  const announcer: Announcer = {
    async updated() {
      announced.updated++;
    },
    async deleted() {
      announced.deleted++;
    },
  };
  const deps = makeProcess(database, component, {
    announcer,
    catalog: { component: async () => (deleted ? null : component), forget: () => undefined },
    cacheGeneration: { changed: async () => undefined },
    projectTranslations: { of: (project, code) => translations.inProject(project, code) },
    glossary: {
      terms: async () => [],
      storedTerms: async () => [],
      termsChanged: (project, code) => translations.markTermsChanged(project, code),
    },
    unitCache: { ofTranslation: ({ id: translation }) => units.ofTranslation(translation) },
    now: () => clock.now,
  });
  const { units, translations } = deps;
  return {
    deps,
    clock,
    announced,
    component,
    async delete() {
      deleted = true;
      await removeComponent(deps, id);
    },
    stored: async () => [
      (await translations.ofComponent(id)).length,
      (await units.all({ kind: 'components', ids: [id] })).length,
    ],
  };
}

export const importOptions: ImportOptions = {
  author: null,
  complete: true,
  initial: true,
  upload: false,
  requireCurrent: async () => undefined,
};
