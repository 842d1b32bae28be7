import fc from 'fast-check';
import { addDelta, count, deltaBetween, emptyCounters, groups, type Countable, type CounterDelta } from './counters';

const unit = fc.record<Countable>({
  state: fc.constantFrom(0, 10, 20, 30, 100),
  words: fc.nat(20),
  chars: fc.nat(200),
  checks: fc.subarray(['same', 'end_stop']),
  suggestions: fc.nat(2),
  comments: fc.nat(1),
});

describe('counters', () => {
  it('Counters updated by deltas equal a full count', () => {
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(7), fc.option(unit, { nil: null })), { maxLength: 30 }),
        (start, edits) => {
          const units: (Countable | null)[] = [...start];
          const kept = emptyCounters();
          for (const u of start) count(kept, u, 1);
          const sum: CounterDelta = { groups: {}, checks: 0, contentChanges: 0 };
          for (const [index, after] of edits) {
            addDelta(sum, deltaBetween(units[index] ?? null, after, 1));
            units[index] = after;
          }
          const counted = emptyCounters();
          for (const u of units) if (u) count(counted, u, 1);
          for (const group of groups) {
            const moved = sum.groups[group] ?? { s: 0, w: 0, c: 0 };
            expect({ s: kept[group].s + moved.s, w: kept[group].w + moved.w, c: kept[group].c + moved.c }).toEqual(
              counted[group],
            );
          }
          expect(kept.checks + sum.checks).toBe(counted.checks);
        },
      ),
    );
  });
});
