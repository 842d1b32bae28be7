import { parseFlags } from '@parlance/checks';
import { StringsWorld } from '../../../test/support/memory/world';
import { correctTexts } from './correct-texts';

function start(text: string) {
  const world = new StringsWorld();
  world.component(1);
  return world.string(1, 7, text);
}
const none = parseFlags('');

describe('correctTexts', () => {
  it('a translation gets the white space of the source string and loses control characters', () => {
    const { unit } = start('Hello\n');
    expect(correctTexts(unit, ['Ahoj\u0007 '], none)).toEqual(['Ahoj\n']);
  });

  it('a source string loses control characters only: its white space is a decision of its author', () => {
    const { source } = start('Hello\n');
    expect(correctTexts(source, ['Hello\u0007 ', ' Bye'], none)).toEqual(['Hello ', ' Bye']);
  });

  it('flags of the string and its language decide about corrections', () => {
    const { unit } = start('One\nTwo!');
    const french = { ...unit, language: 'fr' };
    expect(correctTexts(french, ['Un\nDeux !'], parseFlags('dos-eol'))).toEqual(['Un\r\nDeux\u202f!']);
    expect(correctTexts(unit, ['Jedna\nDva !'], none)).toEqual(['Jedna\nDva !']);
  });
});
