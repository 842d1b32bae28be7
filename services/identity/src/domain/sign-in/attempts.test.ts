import { attemptsNow, FORGET_ATTEMPTS_MS, nextAttemptMs } from './attempts';

describe('attempts', () => {
  it('the delay doubles with each attempt after the free ones, up to a quarter of an hour', () => {
    const delays = [0, 9, 10, 11, 12, 13, 14, 15, 1e6].map((count) => nextAttemptMs({ count, lastMs: 1000 }, 10));
    expect(delays).toEqual([0, 0, 61_000, 121_000, 241_000, 481_000, 901_000, 901_000, 901_000]);
  });

  it('attempts are forgotten a day after the last one', () => {
    const attempts = { count: 12, lastMs: 5000 };
    expect(attemptsNow(attempts, 4999 + FORGET_ATTEMPTS_MS)).toEqual(attempts);
    expect(attemptsNow(attempts, 5000 + FORGET_ATTEMPTS_MS).count).toBe(0);
    expect(attemptsNow(undefined, 5000).count).toBe(0);
  });
});
