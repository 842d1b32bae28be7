import { FileProcessor } from './file-processor';

const files = new FileProcessor({ threads: 1, memoryMb: 256 });
afterAll(() => files.close());

const options = { language: 'cs', sourceLanguage: 'en' };
const merge = { plural: { count: 2, formula: 'n != 1' }, previous: true, noLocation: false, fuzzy: false };
const po = (count: number, target = 'x') =>
  Buffer.from(
    ['msgid ""\nmsgstr "Language: cs\\nContent-Type: text/plain; charset=UTF-8\\n"\n']
      .concat(Array.from({ length: count }, (_, i) => `msgid "Text ${i}"\nmsgstr "${target}"\n`))
      .join('\n'),
  );
/** Sizes that are processed on the calling thread and in a worker thread. */
const sizes: [string, number][] = [
  ['small', 3],
  ['large', 6_000],
];

describe.each(sizes)('a %s file', (_, count) => {
  it('a file that can be parsed has no problem, another one the reason with its position', async () => {
    expect(await files.problem('po', po(count), options)).toBeNull();
    const invalid = Buffer.concat([po(count), Buffer.from('\nmsgid "unfinished\n')]);
    expect(await files.problem('po', invalid, options)).toMatch(/line \d+/);
  });

  it('an updated file gets the strings of its base and keeps its texts', async () => {
    const updated = await files.update(po(count), po(count + 1, ''), merge);
    expect(updated.toString()).toContain(`msgid "Text ${count}"\nmsgstr ""`);
    expect(updated.toString()).toContain('msgid "Text 0"\nmsgstr "x"');
  });

  it('a file that does not change is the same buffer', async () => {
    const bytes = po(count);
    const once = await files.update(bytes, po(count, ''), merge);
    expect(Buffer.isBuffer(once)).toBe(true);
    expect(await files.update(once as Buffer, po(count, ''), merge)).toBe(once);
  });

  it('a file that cannot be parsed is not updated', async () => {
    const invalid = Buffer.concat([po(count), Buffer.from('\nmsgid "unfinished\n')]);
    expect(await files.update(invalid, po(count), merge)).toEqual({ problem: expect.stringMatching(/line \d+/) });
  });
});

it('a file that exhausts the memory of its thread has a problem, and the next file is processed', async () => {
  const small = new FileProcessor({ threads: 1, memoryMb: 32 });
  expect(await small.problem('po', po(200_000), options)).toContain('needs more memory');
  expect(await small.problem('po', po(6_000), options)).toBeNull();
  await small.close();
});
