import { TermFinder } from './find-terms';

const parts = (text: string, term: string, language: string): string[] =>
  new TermFinder(text, language).find(term).map(({ start, end }) => text.slice(start, end));

describe('glossary terms are found', () => {
  it.each([
    ['inflected', 'Push both branches.', 'branch', 'en', ['branches']],
    ['as the term itself is inflected', 'One branch.', 'branches', 'en', ['branch']],
    [
      'as several words',
      'The merge-requests and Merge Request',
      'merge request',
      'en',
      ['merge-requests', 'Merge Request'],
    ],
    ['in Czech', 'Soubory projektu jsou v souborech.', 'soubor', 'cs', ['Soubory', 'souborech']],
    ['in German', 'Die Einstellungen der Einstellung', 'Einstellung', 'de', ['Einstellungen', 'Einstellung']],
    ['in Russian', 'Настройки проектов', 'проект', 'ru', ['проектов']],
    ['by language codes with regions', 'Os arquivos', 'arquivo', 'pt_BR', ['arquivos']],
    ['with punctuation as written', 'C, C++ and C#', 'C++', 'en', ['C++']],
    ['in scripts without spaces', '新しいファイルを開く', 'ファイル', 'ja', ['ファイル']],
    ['in languages without a stemmer', 'Vilka failai', 'failai', 'lt', ['failai']],
    ['beside letters whose lower case is longer', 'İzmir branches', 'branch', 'en', ['branches']],
  ])('findTerms finds glossary terms: %s', (_name, text, term, language, expected) => {
    expect(parts(text, term, language)).toEqual(expected);
  });

  it.each([
    ['of another word', 'The branchless brand', 'branch', 'en'],
    ['across a sentence', 'Please merge. Request it later.', 'merge request', 'en'],
    ['inside a word', 'rebranch', 'branch', 'en'],
    ['for an empty term', 'text', '  ', 'en'],
  ])('findTerms does not find %s', (_name, text, term, language) => {
    expect(parts(text, term, language)).toEqual([]);
  });

  it('findTerms takes linear time', () => {
    const finder = new TermFinder('branch '.repeat(50_000), 'en');
    expect(finder.find('branches branches')).toHaveLength(49_999);
    expect(parts('a'.repeat(200_000), 'b', 'en')).toEqual([]);
  });
});
