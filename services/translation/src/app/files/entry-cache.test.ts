import { convert, converters, entryFile, type ConvertUnit } from '@parlance/formats';
import type { Unit } from '../../domain/unit';
import { EntryCache } from './entry-cache';

const options = { language: 'cs', sourceLanguage: 'en', plural: { count: 2, formula: 'n != 1' }, name: 'p/app' };
const unit = (id: number, target: string): Unit =>
  ({ id, context: `key ${id}`, source: [`Source ${id}`], target: [target], note: '', location: '' }) as Unit;
const unitOf = ({ context, source, target, note }: Unit): ConvertUnit => ({
  context,
  source,
  target,
  note,
  state: target[0] === '' ? 'empty' : 'translated',
});

/** A cache, and the strings that it has converted. */
function start() {
  const converted: number[] = [];
  const cache = new EntryCache((unit) => {
    converted.push(unit.id);
    return unitOf(unit);
  });
  return { cache, converted };
}

const hasEntries = ({ id }: { id: string }) => entryFile(id, options) !== undefined;
const formats = converters.filter(hasEntries).map(({ id }) => id);

it('formats of text and XML have entries', () => {
  expect(formats).toEqual(['po', 'xliff', 'xliff11', 'tbx', 'tmx']);
});

it.each(formats)('a file in %s is the same with kept entries', async (format) => {
  const { cache } = start();
  const units = [unit(1, 'Žluť & <b>'), unit(2, ''), unit(3, 'c')];
  const whole = (all: readonly Unit[]) => convert(format, all.map(unitOf), options).toString();
  for (const all of [units, units.toReversed(), units.with(1, unit(2, 'new')), units.slice(1)])
    expect((await cache.convert(7, format, all, options))?.toString()).toBe(whole(all));
});

it('only changed strings are converted again', async () => {
  const { cache, converted } = start();
  const units = [unit(1, 'a'), unit(2, 'b')];
  await cache.convert(7, 'xliff', units, options);
  await cache.convert(7, 'xliff', [units[0]!, unit(2, 'new')], options);
  expect(converted).toEqual([1, 2, 2]);
});

it('entries are kept for one format and one set of options', async () => {
  const { cache, converted } = start();
  const units = [unit(1, 'a')];
  await cache.convert(7, 'tmx', units, options);
  await cache.convert(7, 'tbx', units, options);
  const german = await cache.convert(7, 'tmx', units, { ...options, language: 'de' });
  expect(german?.toString()).toContain('xml:lang="de"');
  expect(converted).toEqual([1, 1, 1]);
});

it('other formats and large translations are left to worker threads', async () => {
  const { cache, converted } = start();
  expect(await cache.convert(7, 'csv', [unit(1, 'a')], options)).toBeUndefined();
  const many = Array.from({ length: 10_001 }, (_, id) => unit(id, 'a'));
  expect(await cache.convert(7, 'xliff', many, options)).toBeUndefined();
  expect(converted).toEqual([]);
});
