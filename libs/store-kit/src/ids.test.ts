import { IdSequences, type CounterCollection } from './ids';

/** Counters of the store. */
function counters(): CounterCollection & { last: Map<string, number> } {
  const last = new Map<string, number>();
  return {
    last,
    async updateOne(filter, update) {
      const { _id } = filter as { _id: string };
      if (last.has(_id)) throw Object.assign(new Error('taken'), { code: 11000 });
      last.set(_id, (update as { $setOnInsert: { last: number } }).$setOnInsert.last);
    },
    async findOneAndUpdate(filter, update) {
      const { _id } = filter as { _id: string };
      const before = last.get(_id);
      if (before === undefined) return null;
      const after = before + (update as { $inc: { last: number } }).$inc.last;
      last.set(_id, after);
      return { last: after };
    },
  };
}

describe('ids', () => {
  it('ids ascend from 1, or from a configured offset', async () => {
    const ids = new IdSequences<'units' | 'users'>(counters(), { above: { users: 7 } });
    expect([await ids.next('units'), await ids.next('units'), await ids.next('users')]).toEqual([1, 2, 8]);
  });

  it('ids from blocks have no gaps in a range of any length', async () => {
    const ids = new IdSequences(counters(), { blocks: { size: 3, of: 'all' } });
    await ids.next('units');
    const [first, ...rest] = await ids.range('units', 10);
    expect(rest).toEqual(Array.from({ length: 9 }, (_, i) => first! + 1 + i));
  });

  it('ids ascend over all processes, except for those from blocks', async () => {
    const shared = counters();
    const [one, two] = [1, 2].map(
      () => new IdSequences<'units' | 'users'>(shared, { blocks: { size: 5, of: ['users'] } }),
    );
    const given = [await one!.next('units'), ...(await two!.range('units', 3)), await one!.next('units')];
    expect(given).toEqual([1, 2, 3, 4, 5]);
    expect([await one!.next('users'), await two!.next('users'), await one!.next('users')]).toEqual([1, 6, 2]);
  });

  it('ids are never allocated twice by concurrent calls in one or several processes', async () => {
    const shared = counters();
    const processes = [1, 2].map(() => new IdSequences(shared, { blocks: { size: 5, of: 'all' } }));
    const given = await Promise.all(Array.from({ length: 40 }, (_, i) => processes[i % 2]!.next('units')));
    expect(new Set(given).size).toBe(40);
  });
});
