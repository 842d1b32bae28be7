import type { FileEntry } from './file-entry';
import { mergeIntermediate } from './intermediate-sources';

const entry = (key: string, text: string, state = 20): FileEntry => ({
  key,
  context: key,
  source: [],
  target: [text],
  state,
  note: '',
  location: '',
  flags: '',
  previousSource: [],
});
const merge = (drafts: FileEntry[], base: FileEntry[]) =>
  mergeIntermediate(drafts, base).map(({ key, source, target, state }) => [key, source[0], target[0], state]);

describe('mergeIntermediate', () => {
  it('the draft is the source and the text of the base file its translation, in the order of the drafts', () => {
    expect(merge([entry('b', 'draft b'), entry('a', 'draft a')], [entry('a', 'Text A'), entry('b', 'Text B')])).toEqual(
      [
        ['b', 'draft b', 'Text B', 20],
        ['a', 'draft a', 'Text A', 20],
      ],
    );
  });

  it('a draft without a text in the base file is untranslated', () => {
    expect(merge([entry('a', 'draft')], [])).toEqual([['a', 'draft', '', 0]]);
    expect(merge([entry('a', 'draft')], [entry('a', '')])).toEqual([['a', 'draft', '', 0]]);
  });

  it('a text of the base file that needs editing keeps that state', () => {
    expect(merge([entry('a', 'draft')], [entry('a', 'Text', 10)])).toEqual([['a', 'draft', 'Text', 10]]);
  });

  it('strings that only the base file has follow, with their text as source', () => {
    expect(merge([entry('a', 'draft')], [entry('x', 'Text X'), entry('a', 'Text')])).toEqual([
      ['a', 'draft', 'Text', 20],
      ['x', 'Text X', 'Text X', 20],
    ]);
  });
});
