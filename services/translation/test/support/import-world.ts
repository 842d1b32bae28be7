import { Judge } from '../../src/app/checks/quality';
import type { Parts } from '../../src/app/parts';
import { removeComponent } from '../../src/app/remove-component';
import { Turns } from '../../src/app/turns';
import type { Component, Language } from '../../src/domain/component';
import type { Announcer } from '../../src/domain/ports';
import type { useDatabase } from './store';

export const language = (code: string): Language => ({
  id: 1,
  code,
  name: code,
  direction: 'ltr',
  pluralNumber: 2,
  pluralFormula: 'n != 1',
});
export const poFile = (code: string, more = '') => ({
  path: `${code}.po`,
  language: language(code),
  fileLanguageCode: code,
  revision: '1',
  kind: 'translation' as const,
  bytes: Buffer.from(`msgid ""\nmsgstr "Language: ${code}\\n"\n\nmsgid "Hello"\nmsgstr "${code}"\n${more}`),
});

/** A component with its stores and what an import needs around them. */
export function importWorld(database: ReturnType<typeof useDatabase>, id: number, settings: Partial<Component> = {}) {
  const clock = { now: Date.now() };
  let component: Component | null = {
    id,
    project: 1,
    projectSlug: 'p',
    path: 'app',
    name: 'App',
    fileFormat: 'po',
    fileFormatParams: {},
    template: '',
    intermediate: '',
    newBase: '',
    sourceLanguage: language('en'),
    checkFlags: '',
    enforcedChecks: [] as string[],
    isGlossary: false,
    ...settings,
  } as Component;
  const announced = { updated: 0, deleted: 0 };
  const announcer: Announcer = {
    async updated() {
      announced.updated++;
    },
    async deleted() {
      announced.deleted++;
    },
  };
  const stores = database.stores(announcer);
  const { units, translations } = stores;
  const parts = {
    ...stores,
    announcer,
    catalog: { component: async () => component, forget: () => undefined },
    judge: (of: Component, into: Language) => new Judge(of, into),
    forgetNeighbours: () => undefined,
    contextChecks: { recheckSoon: () => undefined },
    facts: (translation: number) => translations.get(translation),
    neighbours: (project: number, code: string) => translations.inProject(project, code),
    sourceFlags: async () => '',
    termsChanged: (project: number, code: string | null) => translations.markTerms(project, code),
    unitCache: { ofTranslation: (translation: number) => units.ofTranslation(translation) },
    unitTurns: new Turns(),
    now: () => clock.now,
  } as unknown as Parts;
  return {
    parts,
    clock,
    announced,
    component: component as Component,
    async delete() {
      component = null;
      await removeComponent(parts, id);
    },
    stored: async () => [(await translations.ofComponent(id)).length, (await units.all({ component: id })).length],
  };
}

/** How most tests read files. */
export const importOptions = { author: null, complete: true, initial: true, upload: false };
