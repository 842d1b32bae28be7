import type { common } from '@parlance/contracts';

export const language = (code: string): common.LanguageInfo__Output => ({
  id: 1,
  code,
  name: code.toUpperCase(),
  direction: 'ltr',
  pluralNumber: 2,
  pluralFormula: 'n != 1',
});

export const languageObject = (code: string) => ({
  id: 1,
  code,
  name: code.toUpperCase(),
  direction: 'ltr',
  population: 0,
  aliases: [],
  plural: { id: 1, source: 0, number: 2, formula: 'n != 1', type: 1 },
});
