import { UnitEvaluator } from '../../src/app/checks/unit-evaluator';
import type { App } from '../../src/compose-app';
import { recoverPropagation } from '../../src/app/effects/propagate';
import { FileWorkerPool } from '../../src/app/files/file-worker-pool';
import { KeyedMutex } from '../../src/app/keyed-mutex';
import type { Component } from '../../src/domain/component';
import type { Announcer } from '../../src/domain/ports';
import { sampleComponent, sampleTranslation, sampleUnit } from './samples';
import type { useDatabase } from './store';
import { uncached } from './uncached';

type Database = ReturnType<typeof useDatabase>;

/** Dependencies that replace the default ones; objects may be partial. */
type OtherDeps = {
  [P in keyof App]?: App[P] extends (...given: never[]) => unknown ? App[P] : Partial<App[P]>;
};

/** Shared by all processes of a test file, because it starts threads. */
export const testFiles = new FileWorkerPool({ threads: 1, memoryMb: 768 });
afterAll(() => testFiles.close());

/** Publishes no events. */
export const silent: Announcer = { updated: async () => undefined, deleted: async () => undefined };

/** The dependencies of a process with a single component. */
export function makeProcess(
  database: Database,
  component: Component,
  { announcer = silent, ...others }: Omit<OtherDeps, 'announcer'> & { announcer?: Announcer } = {},
): App {
  const stores = database.stores(announcer, (unit, item) => recoverPropagation(process, unit, item));
  const deps: Omit<OtherDeps, 'announcer'> & { announcer: Announcer } = {
    ...stores,
    announcer,
    files: testFiles,
    unitMutex: new KeyedMutex(),
    catalog: { component: async () => component, forget: () => undefined },
    catalogGeneration: { current: async () => '', replace: async () => undefined },
    entities: { deletedUsers: async () => [] },
    evaluators: { for: (of, into) => new UnitEvaluator(of, into) },
    translationInfo: stores.translations,
    sourceFlags: { of: async () => '' },
    projectFonts: { clear: () => undefined },
    cacheGeneration: { changed: async () => undefined },
    contents: uncached,
    projectTranslations: { of: async () => [] },
    contextChecks: { scheduleRecheck: () => undefined, run: async () => undefined },
    glossary: { terms: async () => [], storedTerms: async () => [], termsChanged: async () => undefined },
    now: () => Date.now(),
    ...others,
  };
  const process = deps as unknown as App;
  return process;
}

/** Stores a Czech translation with untranslated strings, in a component that is alone in its project. */
export async function storeStrings(database: Database, count: number) {
  const { ids, translations, units } = database.stores(silent);
  const [id] = await ids.range('translation', 1);
  const component = sampleComponent(id!, { project: id! });
  const translation = sampleTranslation(id!, { project: id! });
  await translations.insert(translation);
  const list = (await ids.range('unit', count)).map((unit) => sampleUnit(translation, unit));
  await units.insert(list);
  return { component, translation, list };
}
