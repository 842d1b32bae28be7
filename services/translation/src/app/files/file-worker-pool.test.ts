import { convert, formatOf, type ConvertUnit } from '@parlance/formats';
import { idHash } from '../../domain/unit';
import type { AppliedEdits } from '../commit/apply-edits';
import { FileWorkerPool } from './file-worker-pool';

const files = new FileWorkerPool({ threads: 1, memoryMb: 256 });
afterAll(() => files.close());

const header = 'msgid ""\nmsgstr "Language: cs\\nContent-Type: text/plain; charset=UTF-8\\n"\n';
const largePo = (entries: number): Buffer =>
  Buffer.from(
    header +
      Array.from({ length: entries }, (_, i) => `\n#. note\n#: a.c:${i}\nmsgid "Text ${i}"\nmsgstr "Řádek"\n`).join(''),
  );
const options = { language: 'cs', sourceLanguage: 'en' };

describe('FileWork', () => {
  it('A large file parsed in a worker thread gives the same result as inline', async () => {
    const bytes = largePo(20_000);
    const file = await files.parse('po', bytes, options);
    const inline = formatOf('po').parse(bytes, options);
    const units: unknown[] = [];
    for await (const batch of file.batches()) units.push(...batch);
    expect(units).toHaveLength(20_000);
    expect(inline.units.slice(-20)).toMatchObject(units.slice(-20));
    expect(file).toMatchObject({ format: 'po', count: 20_000, metadata: { charset: inline.metadata.charset } });
    expect([...file.metadata.headers]).toEqual([...inline.metadata.headers]);
  });

  it('A parse error of a large file contains its position', async () => {
    const bytes = Buffer.concat([largePo(20_000), Buffer.from('\nmsgid "unfinished\n')]);
    await expect(files.parse('po', bytes, options)).rejects.toMatchObject({ name: 'FormatError', line: 100_004 });
  });

  it('A file that exceeds the memory of its worker thread is rejected, and the next file is processed', async () => {
    const small = new FileWorkerPool({ threads: 1, memoryMb: 32 });
    await expect(small.parse('po', largePo(200_000), options)).rejects.toMatchObject({
      code: 'limit',
      message: expect.stringContaining('too large to be processed'),
    });
    expect((await small.parse('po', largePo(12_000), options)).count).toBe(12_000);
    await small.close();
  });

  it('A large file is edited and merged in a worker thread', async () => {
    const language = { code: 'cs', pluralNumber: 3, pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' };
    const component = { fileFormat: 'po', fileFormatParams: {}, template: '', sourceLanguage: { code: 'en' } };
    const bytes = largePo(20_000);
    const key = (text: string) => idHash(false, '', [text]);
    const unit = (text: string) => ({
      id: 1,
      key: key(text),
      context: '',
      source: [text],
      note: '',
      location: '',
      flags: '',
    });
    const edit = (text: string) => ({ unit: unit(text), edit: { id: text, target: ['Jiný'], state: 20 } });
    const file = { component, language, bytes, edits: [edit('Text 7'), edit('New')], removals: [] };
    expect(await files.applyEdits({ ...file, base: undefined })).toBe('needs-base');
    const rendered = (await files.applyEdits({ ...file, base: null })) as AppliedEdits;
    expect(rendered).toMatchObject({ editIds: ['Text 7', 'New'], skipped: [], changed: true });
    const local = bytes.toString().replace('msgid "Text 7"\nmsgstr "Řádek"', 'msgid "Text 7"\nmsgstr "Jiný"');
    expect(rendered.bytes.toString()).toBe(`${local}\nmsgid "New"\nmsgstr "Jiný"\n`);
    const upstream = bytes.toString().replace('msgid "Text 9"\nmsgstr "Řádek"', 'msgid "Text 9"\nmsgstr "Čára"');
    const translation = { id: 5, language };
    const versions = { base: bytes, local: Buffer.from(local), upstream: Buffer.from(upstream) };
    const merged = await files.merge({ component, translation, ...versions });
    expect(merged.bytes.toString()).toBe(
      local.replace('msgid "Text 9"\nmsgstr "Řádek"', 'msgid "Text 9"\nmsgstr "Čára"'),
    );
    expect(merged.conflicts).toEqual([]);
  });

  it('Converting many strings in a worker thread gives the same result as inline', async () => {
    const unitOf = (i: number): ConvertUnit => ({
      ...{ context: `key${i}`, source: [`Text ${i}`], target: [`Řádek ${i}`], state: 'translated' as const },
      ...{ note: '', location: '', flags: [], previousSource: '' },
    });
    const settings = { language: 'cs', sourceLanguage: 'en', plural: { count: 1, formula: '0' }, name: 'p/c' };
    const keys = Array.from({ length: 5_000 }, (_, i) => i);
    const bytes = await files.convert('json', keys, unitOf, settings);
    expect(bytes.equals(convert('json', keys.map(unitOf), settings))).toBe(true);
  });
});
