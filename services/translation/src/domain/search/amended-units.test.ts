import { AmendedUnits } from './amended-units';
import { conditionOf, IRREGULAR, LONG } from './tokens';

const select = (units: AmendedUnits, at: 'anywhere' | 'whole', text: string, orAll: string[] = []) => {
  const { sure, possible } = units.select({ at, text, orAll });
  return { sure: sure.offsets(), possible: possible.offsets() };
};

it('Tests select the units with the token, and no neighbours', () => {
  const units = new AmendedUnits([
    { offset: 2, tokens: [] },
    { offset: 5, tokens: ['OPEN', 'FILE'] },
    { offset: 7, tokens: [] },
    { offset: 8, tokens: [`${IRREGULAR}FILESS`] },
    { offset: 9, tokens: ['OPEN'] },
    { offset: 11, tokens: [] },
  ]);
  expect(units.units.offsets()).toEqual([2, 5, 7, 8, 9, 11]);
  expect(select(units, 'whole', 'OPEN')).toEqual({ sure: [5, 9], possible: [5, 9] });
  expect(select(units, 'anywhere', 'ILE')).toEqual({ sure: [5], possible: [5, 8] });
  expect(select(units, 'anywhere', 'NFI')).toEqual({ sure: [], possible: [] });
});

it('The alternative of a test selects units with all of its bigrams', () => {
  const units = new AmendedUnits([
    { offset: 1, tokens: [`${LONG}AB`, `${LONG}BC`] },
    { offset: 2, tokens: [`${LONG}AB`] },
    { offset: 3, tokens: [`${IRREGULAR}${LONG}AB`, `${LONG}BC`] },
    { offset: 4, tokens: ['XABC'] },
  ]);
  const [test] = conditionOf('abc')!.tests;
  expect(select(units, 'anywhere', 'ABC', [...test!.orAll])).toEqual({ sure: [4], possible: [1, 3, 4] });
});

it('A block without amendments selects no unit', () => {
  expect(select(new AmendedUnits([]), 'anywhere', 'A')).toEqual({ sure: [], possible: [] });
});
