import type { ImportMarks } from './component';
import { importMark } from './import-marks';
import type { Unit } from './unit';

const NONE: ImportMarks = { newSources: false, newTexts: false, changedTexts: false, sameTexts: false };
const by = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
type Imported = Parameters<typeof importMark>[1];
const translated: Imported = { isSource: false, source: ['Hello'], target: ['Ahoj'], state: 20 };
const sourceString: Imported = { isSource: true, source: ['Hello'], target: ['Hello'], state: 20 };

const isMarked = (marks: Partial<ImportMarks>, isNew: boolean, unit: Imported = translated) =>
  importMark({ ...NONE, ...marks }, unit, isNew, by, 5) !== null;

describe('importMark', () => {
  it('a marked text needs editing, and a pending edit writes the mark to the file with the text of the file', () => {
    const mark = importMark({ ...NONE, newTexts: true }, { ...translated, state: 30 }, true, by, 5);
    expect(mark).toMatchObject({
      state: 10,
      edits: [{ target: ['Ahoj'], state: 10, author: by, time: 5 }],
      stored: { target: ['Ahoj'], state: 30 },
    });
    expect(mark!.edits).toHaveLength(1);
  });

  it('without an author the pending edit has none, and without marks nothing is marked', () => {
    const marks = { ...NONE, newTexts: true };
    expect(importMark(marks, translated, true, null, 5)!.edits[0]!.author).toMatchObject({ userId: 0, email: '' });
    expect(importMark(undefined, translated, true, by, 5)).toBeNull();
  });

  it.each<[string, Partial<ImportMarks>, boolean, boolean]>([
    ['a new text by the mark of new texts', { newTexts: true }, true, true],
    ['a changed text by the mark of new texts', { newTexts: true }, false, false],
    ['a changed text by the mark of changed texts', { changedTexts: true }, false, true],
    ['a new text by the mark of changed texts', { changedTexts: true }, true, false],
    ['a new text by the mark of new source strings', { newSources: true }, true, false],
  ])('%s: %j', (_, marks, isNew, marked) => {
    expect(isMarked(marks, isNew)).toBe(marked);
  });

  it('a text that equals its source string is marked, new or changed', () => {
    const same: Unit['target'] = ['Hello'];
    for (const isNew of [true, false]) {
      expect(isMarked({ sameTexts: true }, isNew, { ...translated, target: same })).toBe(true);
      expect(isMarked({ sameTexts: true }, isNew)).toBe(false);
    }
  });

  it('a source string is marked only when it is new, and never as equal to itself', () => {
    const all = { newSources: true, newTexts: true, changedTexts: true, sameTexts: true };
    expect(isMarked(all, true, sourceString)).toBe(true);
    expect(isMarked(all, false, sourceString)).toBe(false);
    expect(isMarked({ ...all, newSources: false }, true, sourceString)).toBe(false);
  });

  it('texts that are missing, need editing already or are read-only in the file are not marked', () => {
    const all = { newSources: true, newTexts: true, changedTexts: true, sameTexts: true };
    for (const fields of [{ target: [''], state: 0 }, { target: ['', ''], state: 20 }, { state: 10 }, { state: 100 }])
      for (const isNew of [true, false]) expect(isMarked(all, isNew, { ...translated, ...fields })).toBe(false);
  });
});
