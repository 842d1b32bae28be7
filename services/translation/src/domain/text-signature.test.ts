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

test('Signatures exclude units without the searched text, ignoring case', () => {
  expect(find(texts, 'WINDOW')).toEqual([5]);
  expect(find(texts, 'target:ÖFFNEN')).toEqual([3]);
  expect(find(texts, 'key:menu.')).toEqual([3, 5]);
  expect(find(texts, 'key:menu. AND schließen')).toEqual([5]);
  expect(find(texts, 'drucken OR öffnen')).toEqual([3, 9]);
  expect(find(texts, 'nowhere')).toEqual([]);
});

test('A query without a required text of three characters has no text requirement', () => {
  for (const query of ['ok', 'ok OR window', 'NOT window', 'target:r"win.ow"', 'state:translated'])
    expect([query, requirement(query)]).toEqual([query, null]);
});

test('A unit is a candidate for every substring of its text, in any case', () => {
  const sample = 'Grüße, ΟΔΟΣ ﬁnd İstanbul ısı Straße ǆ ẞ K ſ — 中文字符, 😀 emoji';
  const one = signed(unit(1, sample));
  const characters = [...sample];
  for (let from = 0; from < characters.length; from++) {
    for (let to = from + 3; to <= characters.length; to++) {
      const part = characters.slice(from, to).join('');
      for (const value of [part, part.toLowerCase(), part.toUpperCase()]) {
        // The search matches letter by letter: forms of another length need not be candidates.
        if (!new RegExp(value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu').test(sample)) continue;
        const found: number[] = [];
        const wanted = TextRequirement.of({ type: 'text', value });
        if (wanted) one.candidates(wanted, found);
        expect([value, wanted ? found : [1]]).toEqual([value, [1]]);
      }
    }
  }
});

test('Letters that a case-insensitive search considers equal have equal signatures', () => {
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

test('A written unit is a candidate for every text', () => {
  const signatures = signed(unit(3, 'Open'), unit(5, 'Close'), unit(9, 'Print'));
  expect(signatures.recordWrite(8, [5])).toBe(true);
  expect(signatures.version).toBe(8);
  expect(find(signatures, 'something else')).toEqual([5]);
});

test('The version of signatures advances when all writes up to it are recorded', () => {
  const signatures = signed(unit(3, 'Open'), unit(5, 'Close'));
  signatures.recordWrite(9, [3]);
  expect(signatures.version).toBe(7);
  signatures.recordWrite(8, [5]);
  expect(signatures.version).toBe(9);
  expect(signatures.recordWrite(10, [4])).toBe(false);
});
