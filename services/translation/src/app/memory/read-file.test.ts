import { fieldsOf } from '../../../test/support/memory/world';
import {
  inlineMemory,
  packMemory,
  unpackMemory,
  type MemoryFile,
  type ParsedMemory,
  type ReadEntry,
} from './read-file';

const file = (filename: string, text: string, sourceLanguage = ''): MemoryFile => ({
  filename,
  sourceLanguage,
  bytes: Buffer.from(text),
});
const tmx = (header: string, units: string) =>
  `<?xml version="1.0"?><tmx version="1.4"><header ${header}/><body>${units}</body></tmx>`;
const unit = (source: string, target: string) =>
  `<tu><tuv xml:lang="en"><seg>${source}</seg></tuv><tuv xml:lang="cs"><seg>${target}</seg></tuv></tu>`;
const entry = { source: 'Hello', target: 'Ahoj', source_language: 'en', target_language: 'cs' };

async function entriesOf(parsed: ParsedMemory): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = [];
  for await (const batch of parsed.batches()) entries.push(...batch);
  return entries;
}
const problemOf = (given: MemoryFile) => fieldsOf((async () => inlineMemory(given))());

describe('inlineMemory', () => {
  it('inlineMemory reads a TMX file with its count and languages', async () => {
    const parsed = inlineMemory(file('a.tmx', tmx('srclang="en"', unit('Hello', 'Ahoj') + unit('Bye', 'Sbohem'))));
    expect(parsed).toMatchObject({ count: 2, languages: ['en', 'cs'] });
    expect(await entriesOf(parsed)).toMatchObject([{ source: 'Hello', target: 'Ahoj' }, { source: 'Bye' }]);
  });

  it('the given source language applies to a TMX file that declares none', async () => {
    const parsed = inlineMemory(file('a.tmx', tmx('', unit('Hello', 'Ahoj')), 'cs'));
    expect(await entriesOf(parsed)).toMatchObject([{ source: 'Ahoj', sourceLanguage: 'cs', targetLanguage: 'en' }]);
  });

  it.each([
    ['its name', 'a.JSON', ''],
    ['its first character', 'upload', '\n  '],
  ])('inlineMemory recognizes a JSON file by %s', async (_, name, space) => {
    const parsed = inlineMemory(file(name, space + JSON.stringify([entry, { ...entry, origin: 'p/app' }])));
    expect(parsed).toMatchObject({ count: 2, languages: ['en', 'cs'] });
    expect(await entriesOf(parsed)).toEqual([
      { source: 'Hello', target: 'Ahoj', sourceLanguage: 'en', targetLanguage: 'cs', origin: '' },
      { source: 'Hello', target: 'Ahoj', sourceLanguage: 'en', targetLanguage: 'cs', origin: 'p/app' },
    ]);
  });

  it('a long origin is cut to 500 characters', async () => {
    const parsed = inlineMemory(file('a.json', JSON.stringify([{ ...entry, origin: 'x'.repeat(600) }])));
    expect((await entriesOf(parsed))[0]!.origin).toHaveLength(500);
  });

  it.each([
    ['a TMX file with a syntax error', file('a.tmx', '<tmx')],
    ['a JSON file with a syntax error', file('a.json', '[{')],
    [
      'a JSON file that is not UTF-8',
      { ...file('a.json', ''), bytes: Buffer.from(JSON.stringify([{ ...entry, source: 'é' }]), 'latin1') },
    ],
    ['a JSON object', file('a.json', '{}')],
    ['a JSON array of other values', file('a.json', '[null]')],
    ['an entry without a target language', file('a.json', JSON.stringify([{ ...entry, target_language: undefined }]))],
    ['an entry with an origin that is no text', file('a.json', JSON.stringify([{ ...entry, origin: 1 }]))],
  ])('inlineMemory refuses %s on the field "file"', async (_, given) => {
    expect(await problemOf(given)).toEqual(['file:invalid']);
  });

  it('a file may contain 1000 languages and no more', async () => {
    const many = (count: number) =>
      file(
        'a.json',
        JSON.stringify(Array.from({ length: count }, (_, i) => ({ ...entry, target_language: `x-${i}` }))),
      );
    expect(inlineMemory(many(999)).languages).toHaveLength(1000);
    expect(await problemOf(many(1000))).toEqual(['file:invalid']);
  });
});

it('a packed file has the same entries after it is unpacked, as often as they are read', async () => {
  const given = file(
    'a.json',
    JSON.stringify(Array.from({ length: 3_000 }, (_, i) => ({ ...entry, source: `Text ${i}` }))),
  );
  const inline = inlineMemory(given);
  const unpacked = unpackMemory(structuredClone(packMemory(given)));
  expect(unpacked).toMatchObject({ count: 3_000, languages: inline.languages });
  for (let i = 0; i < 2; i++) expect(await entriesOf(unpacked)).toEqual(await entriesOf(inline));
});
