import { LOST_RACE, optimisticUpdate } from './optimistic-update';

describe('optimisticUpdate', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  /** Loses the given number of races, then wins. */
  const contended = (losses: number) =>
    jest.fn((number: number) => Promise.resolve(number <= losses ? LOST_RACE : `attempt ${number}`));

  it('optimisticUpdate returns the result of the first attempt that wins', async () => {
    expect(await optimisticUpdate(contended(3))).toBe('attempt 4');
  });

  it('optimisticUpdate fails with CONFLICT after the given number of attempts', async () => {
    const attempt = contended(Infinity);
    await expect(optimisticUpdate(attempt, { attempts: 5 })).rejects.toMatchObject({ reason: 'CONFLICT' });
    expect(attempt.mock.calls).toEqual([[1], [2], [3], [4], [5]]);
  });

  it('optimisticUpdate fails with the error of the use case where it names one', async () => {
    const exhausted = () => new Error('the string is being modified concurrently');
    await expect(optimisticUpdate(contended(Infinity), { attempts: 2, exhausted })).rejects.toThrow('concurrently');
  });

  it('optimisticUpdate passes on what an attempt throws, without another attempt', async () => {
    const attempt = jest.fn(() => Promise.reject(new Error('not found')));
    await expect(optimisticUpdate(attempt)).rejects.toThrow('not found');
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});
