import { gettextFile } from '../../../test/support/memory/uploads';
import { fieldsOf } from '../../../test/support/memory/world';
import { sampleComponent, sampleTranslation } from '../../../test/support/samples';
import { inlineFile } from '../files/parsed-file';
import { readUpload, requirePlurals } from './read-upload';

const component = sampleComponent(1);
const translation = sampleTranslation(11);
const read = (filename: string, bytes: Buffer, only?: 'component-format') =>
  readUpload({ component, translation, filename, bytes }, only);
const json = Buffer.from('{"hello": "Ahoj"}');

describe('readUpload', () => {
  it('an empty file is refused', async () => {
    expect(await fieldsOf((async () => read('cs.po', Buffer.alloc(0)))())).toEqual(['file:empty']);
  });

  it('a file of another format is read as what its name and content say', () => {
    expect(read('cs.json', json)).toMatchObject({ format: 'json', units: [{ context: 'hello' }] });
  });

  it('a file that replaces another has the format of the component', async () => {
    expect(await fieldsOf((async () => read('cs.json', json, 'component-format'))())).toEqual(['file:invalid']);
  });

  it('a misleading name does not keep the component format from being tried', () => {
    expect(read('cs.json', gettextFile({ Hello: 'Ahoj' }))).toMatchObject({ format: 'po' });
  });

  it('a byte order mark is ignored', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), gettextFile({ Hello: 'Ahoj' })]);
    expect(read('cs.po', marked).units).toMatchObject([{ source: ['Hello'], target: ['Ahoj'] }]);
  });

  it('an invalid file is refused', async () => {
    expect(await fieldsOf((async () => read('cs.po', Buffer.from('msgid "Hel')))())).toEqual(['file:invalid']);
  });
});

describe('requirePlurals', () => {
  const check = async (header: string) =>
    requirePlurals(translation, inlineFile(read('cs.po', gettextFile({ Hello: 'Ahoj' }, header))));

  it.each([
    ['no plural forms', 'Language: cs\\n'],
    ['the same formula', 'Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n'],
    ['another formula with equal results', 'Plural-Forms: nplurals=3; plural=n==1 ? 0 : n>1 && n<5 ? 1 : 2;\\n'],
  ])('requirePlurals accepts a file that declares %s', async (_, header) => {
    await expect(check(header)).resolves.toBeUndefined();
  });

  it.each([
    ['another number of forms', 'Plural-Forms: nplurals=2; plural=n != 1;\\n'],
    ['another order of forms', 'Plural-Forms: nplurals=3; plural=(n==1) ? 2 : (n>=2 && n<=4) ? 1 : 0;\\n'],
  ])('requirePlurals refuses a file that declares %s', async (_, header) => {
    expect(await fieldsOf(check(header))).toEqual(['file:invalid']);
  });
});
