import { sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { RecentUnits } from './recent-units';

const unit = (id: number, version = 1) => sampleUnit(sampleTranslation(11), id, { version });

describe('RecentUnits', () => {
  it('a unit is remembered as it was recorded last', () => {
    const recent = new RecentUnits();
    recent.record([unit(7), unit(8)]);
    recent.record([unit(7, 2)]);
    expect([recent.get(7)?.version, recent.get(8)?.version, recent.get(9)]).toEqual([2, 1, undefined]);
  });

  it('some thousand units are remembered; those that were used longest ago are forgotten first', () => {
    const recent = new RecentUnits();
    recent.record([unit(1), unit(2)]);
    for (let id = 1_001; id <= 2_000; id++) recent.record([unit(id)]);
    expect(recent.get(1)).toBeDefined();
    for (let id = 2_001; id <= 12_000; id++) {
      recent.get(1);
      recent.record([unit(id)]);
    }
    expect([recent.get(1)?.id, recent.get(2), recent.get(12_000)?.id]).toEqual([1, undefined, 12_000]);
  });

  it('a write updates only a unit that is remembered', () => {
    const recent = new RecentUnits();
    recent.record([unit(7)]);
    for (const written of [unit(7, 2), unit(8, 2)]) recent.update(written);
    expect([recent.get(7)?.version, recent.get(8)]).toEqual([2, undefined]);
  });
});
