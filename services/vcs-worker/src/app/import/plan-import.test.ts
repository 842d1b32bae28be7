import type { common } from '@parlance/contracts';
import type { Component } from '../../domain/component';
import { planImport } from './plan-import';

const language = (code: string): common.LanguageInfo__Output => ({
  id: 1,
  code,
  name: code,
  direction: 'ltr',
  pluralNumber: 2,
  pluralFormula: 'n != 1',
});
/** Resolves two spellings of cs. */
const catalog = {
  resolve: async (_project: number, codes: readonly string[]) => codes.map((code) => language(code.replace(/_.*/, ''))),
};
const component = (settings: object) =>
  ({
    settings: {
      id: 1,
      filemask: 'po/*.po',
      languageRegex: '^[^.]+$',
      template: '',
      newBase: '',
      intermediate: '',
      ...settings,
    },
    project: { id: 1 },
    sourceLanguage: { code: 'en', name: 'English' },
  }) as unknown as Component;
const tree = (...paths: string[]) =>
  paths.map((path) => ({ path, hash: path.padEnd(40, '0').slice(0, 40), size: 1, executable: false }));

async function plan(settings: object, ...paths: string[]): Promise<{ files: string[]; log: string[] }> {
  return planKnowing([], settings, ...paths);
}

async function planKnowing(
  known: { languageCode: string; filename: string }[],
  settings: object,
  ...paths: string[]
): Promise<{ files: string[]; log: string[] }> {
  const log: string[] = [];
  const files = await planImport(catalog, component(settings), tree(...paths), known, (line) => log.push(line));
  return { files: files.map((file) => `${file.kind} ${file.path} ${file.language.code}`), log };
}

describe('the plan of an import', () => {
  it('an import starts with the base file', async () => {
    expect(await plan({ newBase: 'po/x.pot' }, 'po/cs.po', 'po/de.po', 'po/x.pot')).toEqual({
      files: ['newBase po/x.pot en', 'translation po/cs.po cs', 'translation po/de.po de'],
      log: [],
    });
    expect((await plan({ template: 'l/en.json', filemask: 'l/*.json' }, 'l/cs.json', 'l/en.json')).files).toEqual([
      'template l/en.json en',
      'translation l/cs.json cs',
    ]);
  });
  it('the intermediate file precedes the base file and is not a translation', async () => {
    const settings = { template: 'l/en.json', intermediate: 'l/dev.json', filemask: 'l/*.json' };
    expect((await plan(settings, 'l/cs.json', 'l/dev.json', 'l/en.json')).files).toEqual([
      'intermediate l/dev.json en',
      'template l/en.json en',
      'translation l/cs.json cs',
    ]);
    const { files, log } = await plan(settings, 'l/en.json');
    expect(files).toEqual(['template l/en.json en']);
    expect(log).toEqual([expect.stringContaining('l/dev.json')]);
  });
  it('without a base file, source strings come from the file in the source language', async () => {
    expect((await plan({}, 'po/cs.po', 'po/en.po')).files).toEqual(['newBase po/en.po en', 'translation po/cs.po cs']);
    expect(await plan({ newBase: 'po/x.pot' }, 'po/en.po', 'po/x.pot')).toEqual({
      files: ['newBase po/x.pot en'],
      log: [expect.stringContaining('po/en.po: left out')],
    });
  });
  it('one file of each language is imported and the others are reported', async () => {
    expect(await plan({}, 'po/cs.po', 'po/cs_CZ.po')).toEqual({
      files: ['translation po/cs.po cs'],
      log: [expect.stringContaining('po/cs_CZ.po: left out, po/cs.po')],
    });
  });
  it('the file from which a language has its strings takes precedence', async () => {
    const known = [
      { languageCode: 'en', filename: '' },
      { languageCode: 'cs', filename: 'po/cs_CZ.po' },
    ];
    expect(await planKnowing(known, {}, 'po/cs.po', 'po/cs_CZ.po')).toEqual({
      files: ['translation po/cs_CZ.po cs'],
      log: [expect.stringContaining('po/cs.po: left out, po/cs_CZ.po')],
    });
    expect((await planKnowing(known, {}, 'po/cs.po', 'po/de.po')).files).toEqual([
      'translation po/cs.po cs',
      'translation po/de.po de',
    ]);
  });
  it('a missing base file is reported', async () => {
    expect((await plan({ template: 'po/gone.po' }, 'po/cs.po')).log).toEqual([expect.stringContaining('po/gone.po')]);
  });
});
