import type { Unit } from '../../domain/unit';
import { sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { deduplicateByKey } from './duplicate-keys';

const translation = sampleTranslation(11);
const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };
const edits = [{ id: 'e', author, target: ['Ahoj'], state: 20, time: 1 }];
const unit = (id: number, fields: Partial<Unit>) => sampleUnit(translation, id, { key: 'k', ...fields });
const split = async (...units: Unit[]) => {
  const { stored, extra } = await deduplicateByKey(units);
  return { stored: [...stored.values()].map(({ id }) => id), extra: extra.map(({ id }) => id) };
};

describe('deduplicateByKey', () => {
  it('units with different keys are no duplicates', async () => {
    expect(await split(unit(1, {}), unit(2, { key: 'other' }))).toEqual({ stored: [1, 2], extra: [] });
  });

  it.each([
    ['the unit with a pending edit takes precedence over a later one', { edits, updated: 1 }, { updated: 9 }],
    ['the unit that was written last takes precedence', { updated: 9 }, { updated: 1 }],
    ['the older unit takes precedence when both were written at the same time', { updated: 1 }, { updated: 1 }],
  ])('%s, in any order of the units', async (_, kept, other) => {
    const [first, second] = [unit(1, kept), unit(2, other)];
    expect(await split(first, second)).toEqual({ stored: [1], extra: [2] });
    expect(await split(second, first)).toEqual({ stored: [1], extra: [2] });
  });

  it('a duplicate with a pending edit is left to the commit', async () => {
    expect(await split(unit(1, { edits, updated: 9 }), unit(2, { edits }))).toEqual({ stored: [1], extra: [] });
  });
});
