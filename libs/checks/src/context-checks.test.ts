import {
  disregardedTerms,
  failsInSeveralLanguages,
  isInconsistent,
  isLongUntranslated,
  isReused,
  wasTranslated,
} from './context-checks';

describe('a check with context', () => {
  const unit = (target: string, state = 20): { target: string[]; state: number } => ({ target: [target], state });

  test('inconsistent fails if a unit with the same source has another translation', () => {
    expect(isInconsistent(unit('a'), [unit('a'), unit('a')])).toBe(false);
    expect(isInconsistent(unit('a'), [unit('b')])).toBe(true);
    expect(isInconsistent(unit('a'), [unit('', 0)])).toBe(true);
    expect(isInconsistent(unit('', 0), [unit('', 0)])).toBe(false);
    expect(isInconsistent(unit('', 0), [unit('a')])).toBe(true);
  });

  test('reused fails if a unit with another source has the same translation', () => {
    const own = { source: ['Open'], target: ['Otevřít'] };
    expect(isReused(own, [{ source: ['Unlock'], target: ['Otevřít'] }], 3)).toBe(true);
    expect(isReused(own, [{ source: ['open '], target: ['Otevřít'] }], 3)).toBe(false);
    expect(isReused(own, [{ source: ['Unlock'], target: ['Otevřít'] }], 1)).toBe(false);
    expect(isReused({ source: ['a'], target: [''] }, [{ source: ['b'], target: [''] }], 2)).toBe(false);
  });

  test.each<[string, number, string, boolean]>([
    ['', 0, '2 a', true],
    ['', 0, '30 , 2 a', false],
    ['', 0, '', false],
    ['', 0, '2 , 2 a', true],
    ['', 0, '2 , 37 a, 2 a', false],
    ['b', 20, '2 b, 2 a', false],
    ['b', 100, '2 a', false],
    ['b', 10, '37 b, 2 a', true],
    ['b', 10, '37 b, 2 b, 2 a', true],
    ['b', 10, '66 b, 37 b, 2 a', true],
    ['b', 10, '37 b, 2 b', false],
    ['b', 10, '37 b, 2 b, 37 b, 2 a', false],
    ['b', 10, '37 b, 37 a, 2 a', false],
    ['b', 10, '30 x, 2 b, 2 a', false],
  ])('translated judges the text "%s" in state %d with the history "%s": %s', (text, state, entries, fails) => {
    const history = entries.split(', ').flatMap((entry) => {
      const [, action, target] = /^(\d+) (.*)$/.exec(entry) ?? [];
      return target === undefined ? [] : [{ action: Number(action), target }];
    });
    expect(wasTranslated({ state, text }, history)).toBe(fails);
  });

  test('multiple_failures and long_untranslated fail beyond their thresholds', () => {
    expect(failsInSeveralLanguages(2)).toBe(true);
    expect(failsInSeveralLanguages(1)).toBe(false);
    const day = 24 * 3600 * 1000;
    expect(isLongUntranslated({ added: 0, translatedShare: 0.2 }, 0.5, 91 * day)).toBe(true);
    expect(isLongUntranslated({ added: 0, translatedShare: 0.2 }, 0.5, 89 * day)).toBe(false);
    expect(isLongUntranslated({ added: 0, translatedShare: 0.3 }, 0.5, 91 * day)).toBe(false);
  });

  test('check_glossary reports the terms that a translation disregards', () => {
    const terms = [
      { source: 'file', targets: ['soubor'] },
      { source: 'file', targets: ['spis'] },
      { source: 'folder', targets: ['adresář'], forbidden: true },
      { source: 'Parlance', targets: [''], readOnly: true },
    ];
    const disregarded = (source: string, target: string): string[] =>
      disregardedTerms({ source: [source], target: [target], sourceLanguage: 'en', targetLanguage: 'cs' }, terms);
    expect(disregarded('Open the File', 'Otevřít souborem')).toEqual([]);
    expect(disregarded('Open the file', 'Otevřít spis')).toEqual([]);
    expect(disregarded('Open the file', 'Otevřít dokument')).toEqual(['file']);
    expect(disregarded('Open the profile', 'Otevřít dokument')).toEqual([]);
    expect(disregarded('New folder', 'Nový adresář')).toEqual(['folder']);
    expect(disregarded('About Parlance', 'O aplikaci')).toEqual(['parlance']);
  });

  test.each([
    ['a term and its translation in other forms', 'Push both branches.', 'Pošlete obě větve.', []],
    ['a term in another form without its translation', 'Push both branches.', 'Pošlete obojí.', ['branch']],
    ['a forbidden translation in another form', 'Delete the folder', 'Smazat v adresářích', ['folder']],
    ['the forbidden form of an accepted word', 'Two views', 'Dva pohledové', ['view']],
    ['the accepted form of a word with a forbidden form', 'Two views', 'Dva pohledy', []],
  ])('check_glossary recognizes %s', (_name, source, target, expected) => {
    const terms = [
      { source: 'branch', targets: ['větev', 'větve'] },
      { source: 'folder', targets: ['adresář'], forbidden: true },
      { source: 'view', targets: ['pohled'] },
      { source: 'view', targets: ['pohledové'], forbidden: true },
    ];
    const unit = { source: [source], target: [target], sourceLanguage: 'en', targetLanguage: 'cs' };
    expect(disregardedTerms(unit, terms)).toEqual(expected);
  });
});
