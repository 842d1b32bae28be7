import { language } from '../../../test/support/samples';
import { withFormatPlurals } from './category-plurals';

const french = { ...language('fr'), pluralFormula: 'n > 1' };

describe('withFormatPlurals', () => {
  it('formats with CLDR categories get the form of millions, others keep the forms of the language', () => {
    expect(withFormatPlurals('aresource', french).pluralNumber).toBe(3);
    expect(withFormatPlurals('po', french)).toBe(french);
  });

  it('a language without a form of millions stays', () => {
    const german = language('de');
    expect(withFormatPlurals('aresource', german)).toEqual(german);
  });

  it('an existing translation keeps its number of forms', () => {
    expect(withFormatPlurals('aresource', french, { pluralNumber: 2 })).toBe(french);
    expect(withFormatPlurals('aresource', french, { pluralNumber: 3 }).pluralNumber).toBe(3);
  });
});
