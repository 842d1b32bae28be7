import { duplicatesIn, pauseAfter, retried } from './retry';

describe('a pause before another attempt', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const waited = async (attempt: number, chance: number) => {
    jest.spyOn(Math, 'random').mockReturnValue(chance);
    const began = Date.now();
    const pause = pauseAfter(attempt);
    await jest.runAllTimersAsync();
    await pause;
    return Date.now() - began;
  };

  it('a pause before another attempt is jittered', async () => {
    expect([await waited(10, 0), await waited(10, 0.25), await waited(10, 0.75)]).toEqual([0, 50, 150]);
  });

  it('a pause before another attempt grows with each attempt, up to a second', async () => {
    const halves = [await waited(1, 0.5), await waited(2, 0.5), await waited(50, 0.5), await waited(1000, 0.5)];
    expect(halves).toEqual([10, 20, 500, 500]);
  });
});

describe('a statement that the engine rolled back', () => {
  const failing = (times: number, error: object) => {
    let calls = 0;
    const statement = () => (++calls <= times ? Promise.reject(error as Error) : Promise.resolve(calls));
    return { statement, calls: () => calls };
  };

  it('a statement that the engine rolled back is retried', async () => {
    expect(await retried(failing(2, { code: 112 }).statement)).toBe(3);
    expect(await retried(failing(1, { code: 1, message: 'deadlock detected' }).statement)).toBe(2);
  });

  it('a bulk write of which the engine rolled back one item is retried', async () => {
    const writeErrors = [
      { code: 11000, index: 0, errmsg: 'duplicate key' },
      { code: 1, index: 3, errmsg: 'deadlock detected' },
    ];
    expect(await retried(failing(1, { code: 11000, message: 'duplicate key', writeErrors }).statement)).toBe(2);
  });

  it('a statement that the engine rolled back fails after the last attempt, and other failures are not retried', async () => {
    const always = failing(100, { code: 112 });
    await expect(retried(always.statement)).rejects.toEqual({ code: 112 });
    expect(always.calls()).toBe(8);
    const taken = failing(100, { code: 11000 });
    await expect(retried(taken.statement)).rejects.toEqual({ code: 11000 });
    expect(taken.calls()).toBe(1);
  });
});

describe('duplicates in a bulk write', () => {
  const taken = (index: number) => ({ code: 11000, index });

  it('duplicates in a bulk write are returned with their indexes, one or several', () => {
    expect(duplicatesIn({ code: 11000, writeErrors: [taken(1), taken(4)] })).toEqual([taken(1), taken(4)]);
    expect(duplicatesIn({ code: 11000, writeErrors: taken(2) })).toEqual([taken(2)]);
    expect(duplicatesIn({ code: 11000 })).toEqual([]);
  });

  it.each([{ code: 11000, writeErrors: [taken(1), { code: 121, index: 2 }] }, { code: 112 }, new Error('away')])(
    'duplicates in a bulk write do not hide other failures (%#)',
    (error) => {
      expect(() => duplicatesIn(error)).toThrow();
    },
  );
});
