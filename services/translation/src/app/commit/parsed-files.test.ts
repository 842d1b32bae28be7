import { formatOf } from '@parlance/formats';
import { ParsedFileCache } from './parsed-files';

const czech = { code: 'cs', pluralNumber: 3, pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' };
const bilingual = { fileFormat: 'po', fileFormatParams: {}, template: '', sourceLanguage: { code: 'en' } };
const textOf = (target: string, padding = '') =>
  Buffer.from(`msgid ""\nmsgstr "Language: cs\\n"\n${padding}\nmsgid "Hello"\nmsgstr "${target}"\n`);

describe('ParsedFileCache', () => {
  const parse = jest.spyOn(formatOf('po'), 'parse');
  beforeEach(() => parse.mockClear());
  afterAll(() => parse.mockRestore());

  it('ParsedFileCache parses a file once, also from another buffer', () => {
    const cache = new ParsedFileCache();
    const first = cache.parse(bilingual, czech, textOf('Ahoj'));
    expect(cache.parse(bilingual, czech, textOf('Ahoj'))).toBe(first);
    expect([...first.byKey.values()].map(({ target }) => target)).toEqual([['Ahoj']]);
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it('ParsedFileCache parses a file again when its bytes, its language or a setting differs', () => {
    const cache = new ParsedFileCache();
    const first = cache.parse(bilingual, czech, textOf('Ahoj'));
    expect(cache.parse(bilingual, czech, textOf('Nazdar')).file.units[0]!.target).toEqual(['Nazdar']);
    cache.parse(bilingual, { ...czech, code: 'sk' }, textOf('Ahoj'));
    cache.parse({ ...bilingual, fileFormatParams: { po_line_wrap: -1 } }, czech, textOf('Ahoj'));
    const monolingual = cache.parse({ ...bilingual, template: 'en.po' }, czech, textOf('Ahoj'));
    expect([...monolingual.byKey.keys()]).not.toEqual([...first.byKey.keys()]);
    expect(parse).toHaveBeenCalledTimes(5);
  });

  it('ParsedFileCache keeps no large file, and no other files beside one', () => {
    const cache = new ParsedFileCache();
    const large = textOf('Ahoj', '# comment\n'.repeat(120_000));
    cache.parse(bilingual, czech, textOf('Ahoj'));
    cache.parse(bilingual, czech, large);
    cache.parse(bilingual, czech, large);
    cache.parse(bilingual, czech, textOf('Ahoj'));
    expect(parse).toHaveBeenCalledTimes(4);
  });

  it('edits of a file do not change its cached form', () => {
    const cache = new ParsedFileCache();
    const { file } = cache.parse(bilingual, czech, textOf('Ahoj'));
    const edited = file.apply([{ op: 'set', index: 0, target: ['Nazdar'] }]);
    expect(edited.toString()).toContain('Nazdar');
    const again = cache.parse(bilingual, czech, textOf('Ahoj')).file;
    expect(again.apply([{ op: 'set', index: 0, target: ['Servus'] }]).equals(textOf('Servus'))).toBe(true);
  });
});
