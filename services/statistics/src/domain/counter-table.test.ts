import { CounterTable } from './counter-table';
import { ADDED, emptyCounters, type Counters } from './counters';

const counters = (fields: Partial<Counters> = {}, value = 1): Counters => ({
  ...emptyCounters(),
  added: new Float64Array(ADDED).fill(value),
  ...fields,
});
const by = (lastAuthor: string, lastAuthorId: number, lastChange: number) =>
  counters({ lastAuthor, lastAuthorId, lastChange });

/** The sum of rows with the counters, in this order. */
function sumOf(...all: Counters[]): Counters {
  const table = new CounterTable();
  const sum = table.allocate();
  for (const one of all) {
    const row = table.allocate();
    table.set(row, one);
    table.add(sum, row);
  }
  return table.get(sum);
}

describe('CounterTable', () => {
  it('a row has the counters that were set, and others keep theirs while the table grows', () => {
    const table = new CounterTable();
    const rows = Array.from({ length: 300 }, (_, i) => {
      const row = table.allocate();
      table.set(row, { ...counters({}, i), lastChange: i, lastAuthor: `user ${i}`, lastAuthorId: i });
      return row;
    });
    expect(new Set(rows).size).toBe(300);
    for (const [i, row] of rows.entries())
      expect(table.get(row)).toEqual({
        added: new Float64Array(ADDED).fill(i),
        lastChange: i,
        lastAuthor: `user ${i}`,
        lastAuthorId: i,
      });
  });

  it('a released row is used again, empty', () => {
    const table = new CounterTable();
    const row = table.allocate();
    table.set(row, by('Ann', 3, 50));
    table.release(row);
    expect(table.allocate()).toBe(row);
    expect(table.get(row)).toEqual(emptyCounters());
    expect(table.allocate()).not.toBe(row);
  });

  it('returned counters do not change with the row', () => {
    const table = new CounterTable();
    const row = table.allocate();
    table.set(row, counters());
    const before = table.get(row);
    table.add(row, row);
    expect(before.added[0]).toBe(1);
    expect(table.get(row).added[ADDED - 1]).toBe(2);
  });

  it('a sum has the newest change, and the author of the newest change with an author', () => {
    const newestWithout = counters({ lastChange: 90 });
    expect(sumOf(by('Ann', 3, 50), by('Bob', 2, 70), newestWithout)).toMatchObject({
      lastChange: 90,
      lastAuthor: 'Bob',
      lastAuthorId: 2,
    });
    expect(sumOf(newestWithout, by('Ann', 3, 50))).toMatchObject({ lastChange: 90, lastAuthor: 'Ann' });
    expect(sumOf(counters(), counters()).added[5]).toBe(2);
  });

  it('of authors at the same time, the one with the higher id is the last, in any order', () => {
    const [ann, bob] = [by('Ann', 3, 50), by('Bob', 2, 50)];
    for (const all of [
      [ann, bob],
      [bob, ann],
    ])
      expect(sumOf(...all)).toMatchObject({ lastAuthor: 'Ann', lastAuthorId: 3 });
  });
});
