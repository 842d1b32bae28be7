import { retried } from './retry';

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
