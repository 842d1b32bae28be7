import { czech } from '../../../test/support/samples';
import type { Unit } from '../unit';
import { entryHash, sourceHash, sourceOfForm, textPairsOf, type NewMemoryEntry } from './entry';

const unit = (fields: Partial<Unit>): Unit =>
  ({ isSource: false, state: 20, source: ['Day'], target: ['Den'], ...fields }) as Unit;

describe('memory entries of units', () => {
  it('A finished translation of a string becomes a memory entry', () => {
    expect(textPairsOf(unit({}), czech)).toEqual([{ source: 'Day', target: 'Den' }]);
    expect(textPairsOf(unit({ state: 30 }), czech)).toHaveLength(1);
  });
  it.each([
    ['a string that needs editing', { state: 10 }],
    ['an untranslated string', { state: 0, target: [''] }],
    ['a read-only string', { state: 100 }],
    ['a source string', { isSource: true }],
    ['a blank target', { target: [' '] }],
    ['a text above the length limit', { source: ['x'.repeat(10_001)] }],
  ])('The memory stores no entry for %s', (_, fields) => {
    expect(textPairsOf(unit(fields), czech)).toEqual([]);
  });
  it('Of a plural, the memory stores the form of 1 and the last form', () => {
    const plural = unit({ source: ['Day', 'Days'], target: ['den', 'dny', 'dnů'] });
    expect(textPairsOf(plural, czech)).toEqual([
      { source: 'Day', target: 'den' },
      { source: 'Days', target: 'dnů' },
    ]);
    const one = { ...czech, pluralNumber: 1, pluralFormula: '0' };
    expect(textPairsOf(unit({ source: ['Day', 'Days'], target: ['日'] }), one)).toEqual([
      { source: 'Days', target: '日' },
    ]);
  });
  it('Each plural form is assigned its source text', () => {
    expect(sourceOfForm(czech, ['Day', 'Days'])).toEqual(['Day', 'Days', 'Days']);
    expect(sourceOfForm(czech, ['Day'])).toEqual(['Day']);
  });
});

describe('identity of entries', () => {
  const entry: NewMemoryEntry = {
    source: 'a',
    target: 'b',
    sourceLanguage: { id: 1, code: 'en' },
    targetLanguage: { id: 2, code: 'cs' },
    origin: 'p/c',
    project: 1,
    user: 0,
    fromFile: false,
    shared: true,
  };
  it('The identity of an entry is its translation and owner, independent of its origin', () => {
    expect(entryHash({ ...entry, origin: 'p/d', shared: false })).toBe(entryHash(entry));
    expect(entryHash({ ...entry, target: 'c' })).not.toBe(entryHash(entry));
    expect(entryHash({ ...entry, project: 2 })).not.toBe(entryHash(entry));
    expect(entryHash({ ...entry, project: 0 })).not.toBe(entryHash({ ...entry, project: 0, user: 1 }));
  });
  it('Hashes of source texts are safe integers', () => {
    expect(Number.isSafeInteger(sourceHash('abc'))).toBe(true);
    expect(sourceHash('abc')).not.toBe(sourceHash('abd'));
  });
});
