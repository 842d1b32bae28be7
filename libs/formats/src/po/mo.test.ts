import * as iconv from 'iconv-lite';
import { mo, writeMo } from './mo';

/** A catalog in KOI8-R, where `ю` sorts before `а`. */
const russian = ['ю', 'а', 'ctx\x04б'].map((id) => ({
  id: iconv.encode(id, 'koi8-r'),
  text: iconv.encode(`${id[0]}!`, 'koi8-r'),
}));
const header = { id: Buffer.alloc(0), text: Buffer.from('Language: ru\nContent-Type: text/plain; charset=KOI8-R\n') };
const file = mo.parse(writeMo([header, ...russian]));
const textsOf = (bytes: Buffer): unknown[] =>
  mo.parse(bytes).units.map(({ context, source, target }) => [context, ...source, ...target]);

describe('an MO catalog in a legacy charset', () => {
  it('an MO catalog in a legacy charset is converted to UTF-8 and sorted for search if a text needs it', () => {
    const index = file.units.findIndex(({ source }) => source[0] === 'ю');
    const written = file.apply([{ op: 'set', index, target: ['žluť'] }]);
    expect(mo.parse(written).metadata.charset).toBe('utf-8');
    expect(mo.parse(written).metadata.headers.get('Content-Type')).toBe('text/plain; charset=UTF-8');
    expect(textsOf(written)).toEqual([
      ['ctx', 'б', 'c!'],
      ['', 'а', 'а!'],
      ['', 'ю', 'žluť'],
    ]);
  });

  it('an MO catalog in a legacy charset is converted with new strings and other changes', () => {
    const index = file.units.findIndex(({ source }) => source[0] === 'а');
    const written = file.apply([
      { op: 'remove', index },
      { op: 'add', context: '', source: ['ž'], target: ['x'] },
      { op: 'header', fields: { Language: 'uk' } },
    ]);
    expect(textsOf(written)).toEqual([
      ['ctx', 'б', 'c!'],
      ['', 'ž', 'x'],
      ['', 'ю', 'ю!'],
    ]);
    expect(mo.parse(written).metadata).toMatchObject({ charset: 'utf-8', targetLanguage: 'uk' });
  });

  it('an MO catalog in a legacy charset keeps its charset otherwise', () => {
    const written = file.apply([{ op: 'set', index: 0, target: ['яблоко'] }]);
    expect(mo.parse(written).metadata.charset).toBe('koi8-r');
  });
});
