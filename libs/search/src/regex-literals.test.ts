import fc from 'fast-check';
import { compileRegex, RegexError } from './regex';
import { literalsOf } from './regex-literals';

it.each([
  ['Save', ['Save']],
  ['^Save file$', ['Save file']],
  ['Sav.* fil[es]+ name', ['Sav', ' fil', ' name']],
  ['colou?r', ['colo', 'r']],
  ['ab{0,2}c', ['a', 'c']],
  ['x(one|two)y', ['x', 'y']],
  ['\\d+ files\\.', [' files.']],
  ['one|two', []],
  ['(?i)save', []],
  ['\\x41b', []],
  ['\\Qa|b\\E', []],
])('The pattern %j requires the texts %j', (pattern, texts) => expect(literalsOf(pattern)).toEqual(texts));

it('Every text that matches a pattern contains its literals', () => {
  const piece = fc.constantFrom(...'ab.*+?|()[]^$\\'.split(''), '[^a]', '{0,1}', '\\d', '\\b', 'xyz');
  const patterns = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const texts = fc.array(fc.constantFrom(...'ab1 .xyz*('.split('')), { maxLength: 12 }).map((of) => of.join(''));
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 20 }), (pattern, candidates) => {
      let regex;
      try {
        regex = compileRegex(pattern);
      } catch (error) {
        if (error instanceof RegexError) return true;
        throw error;
      }
      return candidates.every((text) => !regex.test(text) || literalsOf(pattern).every((of) => text.includes(of)));
    }),
    { numRuns: 3_000 },
  );
});
