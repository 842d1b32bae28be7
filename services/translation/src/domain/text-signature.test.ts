import { parseQuery, requiredTexts, type TextField } from '@parlance/search';
import { TextRequirement, TextSignatures } from './text-signature';

const fields = new Set<TextField>(['source', 'target', 'context']);
const requirement = (q: string) => TextRequirement.of(requiredTexts(parseQuery(q), fields));
const unit = (id: number, source: string, target = '', context = '') => ({
  id,
  source: [source],
  target: [target],
  context,
});

function signed(...units: ReturnType<typeof unit>[]): TextSignatures {
  const signatures = new TextSignatures(7, units.length);
  for (const u of units) signatures.add(u);
  return signatures;
}

function find(signatures: TextSignatures, q: string): number[] {
  const found: number[] = [];
  signatures.candidates(requirement(q)!, found);
  return found;
}

const texts = signed(
  unit(3, 'Open the file', 'Datei öffnen', 'menu.open'),
  unit(5, 'Close the window', 'Fenster schließen', 'menu.close'),
  unit(9, 'Print', 'Drucken'),
);

test('units without a text are ruled out, in whatever case it is asked for', () => {
  expect(find(texts, 'WINDOW')).toEqual([5]);
  expect(find(texts, 'target:ÖFFNEN')).toEqual([3]);
  expect(find(texts, 'key:menu.')).toEqual([3, 5]);
  expect(find(texts, 'key:menu. AND schließen')).toEqual([5]);
  expect(find(texts, 'drucken OR öffnen')).toEqual([3, 9]);
  expect(find(texts, 'nowhere')).toEqual([]);
});

test('what is shorter than three characters, or may be absent, rules out nothing', () => {
  for (const query of ['ok', 'ok OR window', 'NOT window', 'target:r"win.ow"', 'state:translated'])
    expect([query, requirement(query)]).toEqual([query, null]);
});

test('a unit that has a text is a candidate, whatever part of it is asked for', () => {
  const sample = 'Grüße, ΟΔΟΣ ﬁnd İstanbul ısı Straße ǆ ẞ K ſ — 中文字符, 😀 emoji';
  const one = signed(unit(1, sample));
  const characters = [...sample];
  for (let from = 0; from < characters.length; from++) {
    for (let to = from + 3; to <= characters.length; to++) {
      const part = characters.slice(from, to).join('');
      for (const value of [part, part.toLowerCase(), part.toUpperCase()]) {
        // Only what ignoring case finds one letter after the other has to be a candidate.
        if (!new RegExp(value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu').test(sample)) continue;
        const found: number[] = [];
        const wanted = TextRequirement.of({ type: 'text', value });
        if (wanted) one.candidates(wanted, found);
        expect([value, wanted ? found : [1]]).toEqual([value, [1]]);
      }
    }
  }
});

test('all forms of a letter that a search takes for the same count as the same', () => {
  for (let code = 0x21; code < 0xffff; code++) {
    const letter = String.fromCharCode(code);
    for (const form of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (form === letter || form.length > 1 || !/\p{L}/u.test(form)) continue;
      if (!new RegExp(`^${letter}$`, 'iu').test(form)) continue;
      const found: number[] = [];
      signed(unit(1, `<${letter}>`)).candidates(TextRequirement.of({ type: 'text', value: `<${form}>` })!, found);
      expect([letter, form, found]).toEqual([letter, form, [1]]);
    }
  }
});

test('units that were written may have any text', () => {
  const signatures = signed(unit(3, 'Open'), unit(5, 'Close'), unit(9, 'Print'));
  expect(signatures.written(8, [5])).toBe(true);
  expect(signatures.version).toBe(8);
  expect(find(signatures, 'something else')).toEqual([5]);
});

test('a version counts when all writes before it are known', () => {
  const signatures = signed(unit(3, 'Open'), unit(5, 'Close'));
  signatures.written(9, [3]);
  expect(signatures.version).toBe(7);
  signatures.written(8, [5]);
  expect(signatures.version).toBe(9);
  expect(signatures.written(10, [4])).toBe(false);
});
