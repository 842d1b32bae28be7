import { addonDefinition } from '@parlance/contracts';
import { StagedFiles } from '../../../src/app/addons/staged-files';
import type { CommitContext, MaintenanceContext, TranslationFile } from '../../../src/app/addons/effect';
import type { InstalledAddon } from '../../../src/domain/addon';
import type { Component } from '../../../src/domain/component';
import { componentOf } from './world';

export function installed(name: string, configuration: InstalledAddon['configuration'] = {}): InstalledAddon {
  return { id: 1, definition: addonDefinition(name)!, configuration };
}

/** A translation file po/cs.po, or another path. */
export const fileOf = (code: string, path = `po/${code}.po`): TranslationFile => ({
  translationId: 1,
  path,
  code,
  language: code,
  languageName: code.toUpperCase(),
  plural: { count: 2, formula: 'n != 1' },
});

/** Files of a commit on which an add-on works, and its context. */
export function addonFiles(
  addon: InstalledAddon,
  committed: Record<string, string>,
  settings: Partial<Component['settings']> = {},
) {
  const log: string[] = [];
  const files = new StagedFiles(
    {
      readFile: async (_head, path) =>
        committed[path] === undefined ? null : { bytes: Buffer.from(committed[path]), hash: path },
      listFiles: async () => Object.keys(committed).map((path) => ({ path, hash: path, size: 1, executable: false })),
      findObstacle: async () => null,
    },
    'head',
  );
  const context = {
    addon,
    component: componentOf(1, settings),
    files,
    log: (line: string) => void log.push(line),
    scope: async ({ language, path }: TranslationFile) => ({ language_code: language, filename: path }),
  };
  const author = { name: 'Ann', email: 'ann@example.com', timeMs: Date.UTC(2026, 0, 1) };
  return {
    files,
    log,
    commit: (file: TranslationFile): CommitContext => ({ ...context, file, author }),
    maintenance: (...translations: TranslationFile[]): MaintenanceContext => ({
      ...context,
      event: 'update',
      translations,
    }),
    text: async (path: string) => (await files.read(path))?.toString() ?? null,
  };
}
