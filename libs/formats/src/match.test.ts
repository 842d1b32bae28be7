import { formatOf } from './formats';
import { pairWithTemplate, UnitMatcher } from './match';

const units = [
  { context: 'a', source: ['Open'] },
  { context: 'b', source: ['Open'] },
  { context: '', source: ['Close'] },
];

it('entries match strings of a bilingual component by context and source', () => {
  const matcher = new UnitMatcher(units, false);
  expect(matcher.find({ context: 'b', source: ['Open'] }, false)).toBe(units[1]);
  expect(matcher.find({ context: '', source: ['Open'] }, false)).toBeUndefined();
  expect(matcher.find({ context: '', source: ['Close'] }, false)).toBe(units[2]);
  expect(matcher.find({ context: 'x', source: ['Close'] }, false)).toBeUndefined();
  expect(matcher.find({ context: 'Close', source: ['Close'] }, true)).toBe(units[2]);
});

it('entries of another format match by source if their contexts are numbers', () => {
  const matcher = new UnitMatcher([...units, { context: 'c', source: ['Close'] }], false);
  expect(matcher.find({ context: '17', source: ['Close'] }, false)).toBeUndefined();
  expect(matcher.find({ context: '17', source: ['Close'] }, false, true)).toBe(units[2]);
  expect(matcher.find({ context: 'c', source: ['Close'] }, false, true)).toMatchObject({ context: 'c' });
  expect(matcher.find({ context: '17', source: ['Open'] }, false, true)).toBeUndefined();
});

it('entries match strings of a monolingual component by key', () => {
  const matcher = new UnitMatcher(units, true);
  expect(matcher.find({ context: 'b', source: ['b'] }, true)).toBe(units[1]);
  expect(matcher.find({ context: '', source: ['Close'] }, false)).toBe(units[2]);
  expect(matcher.find({ context: 'x', source: ['x'] }, true)).toBeUndefined();
});

it('a translation is paired with its template by key', () => {
  const json = formatOf('json');
  const template = json.parse(Buffer.from('{"a":"Open","b":"Close"}'));
  const translation = json.parse(Buffer.from('{"b":"Zavřít","c":"x"}'));
  const intermediate = json.parse(Buffer.from('{"a":"open!"}'));
  expect(pairWithTemplate(template, translation, intermediate)).toMatchObject([
    { context: 'a', source: ['open!'], target: [''], translation: undefined },
    { context: 'b', source: ['Close'], target: ['Zavřít'], translation: { index: 0 } },
  ]);
});
