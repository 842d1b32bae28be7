import { duplicatesIn, retried } from './retry';

describe('a statement that the engine undid', () => {
  const failing = (times: number, error: object) => {
    let calls = 0;
    const statement = () => (++calls <= times ? Promise.reject(error as Error) : Promise.resolve(calls));
    return { statement, calls: () => calls };
  };

  it('is given again', async () => {
    expect(await retried(failing(2, { code: 112 }).statement)).toBe(3);
    expect(await retried(failing(1, { code: 1, message: 'deadlock detected' }).statement)).toBe(2);
  });

  it('is given up after some attempts, other failures at once', async () => {
    const always = failing(100, { code: 112 });
    await expect(retried(always.statement)).rejects.toEqual({ code: 112 });
    expect(always.calls()).toBe(8);
    const taken = failing(100, { code: 11000 });
    await expect(retried(taken.statement)).rejects.toEqual({ code: 11000 });
    expect(taken.calls()).toBe(1);
  });
});

describe('duplicates of a write of many', () => {
  const taken = (index: number) => ({ code: 11000, index });

  it('are told with their places, one or several', () => {
    expect(duplicatesIn({ code: 11000, writeErrors: [taken(1), taken(4)] })).toEqual([taken(1), taken(4)]);
    expect(duplicatesIn({ code: 11000, writeErrors: taken(2) })).toEqual([taken(2)]);
    expect(duplicatesIn({ code: 11000 })).toEqual([]);
  });

  it.each([{ code: 11000, writeErrors: [taken(1), { code: 121, index: 2 }] }, { code: 112 }, new Error('away')])(
    'do not hide other failures (%#)',
    (error) => {
      expect(() => duplicatesIn(error)).toThrow();
    },
  );
});
