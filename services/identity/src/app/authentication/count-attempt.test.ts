import { ServiceError } from '@parlance/errors';
import { World } from '../../../test/support/world';
import { WRONG_CODES_MAX, WRONG_CODES_WINDOW_MS } from '../../domain/sign-in/second-factor';
import { admitCode, countAttempt } from './count-attempt';

/** A throttled call's message and seconds. */
const throttled = (error: unknown) => {
  if (!(error instanceof ServiceError)) throw error;
  const { reason, message, retryAfterSeconds } = error;
  return { reason, message, retryAfterSeconds };
};

const retry = (retryAfterSeconds: number, what: string) => ({
  reason: 'THROTTLED',
  message: `${what} Retry in ${retryAfterSeconds} seconds.`,
  retryAfterSeconds,
});

describe('countAttempt', () => {
  it('free attempts have no delay, and each further one a longer one, of at most 15 minutes', async () => {
    const world = await World.create();
    const count = () => countAttempt(world.deps, 'key', 2, 'Too many.');
    expect(await count()).toBe(0);
    const delays: number[] = [];
    for (let i = 0; i < 6; i++) {
      const nextMs = await count();
      delays.push((nextMs - world.nowMs) / 60_000);
      world.nowMs = nextMs;
    }
    expect(delays).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('an early attempt is refused with the seconds to wait, rounded up, and is not counted', async () => {
    const world = await World.create();
    const count = () => countAttempt(world.deps, 'key', 1, 'Too many.').then(String, throttled);
    const nextMs = world.nowMs + 60_000;
    expect(await count()).toBe(String(nextMs));
    expect(await count()).toEqual(retry(60, 'Too many.'));
    world.nowMs = nextMs - 58_999;
    expect(await count()).toEqual(retry(59, 'Too many.'));
    world.nowMs = nextMs - 1;
    expect(await count()).toEqual(retry(1, 'Too many.'));
    world.nowMs = nextMs;
    expect(await count()).toBe(String(nextMs + 120_000));
  });

  it('attempts of other keys are counted apart', async () => {
    const { deps, nowMs } = await World.create();
    expect(await countAttempt(deps, 'user:1', 1, '')).toBe(nowMs + 60_000);
    expect(await countAttempt(deps, 'user:2', 2, '')).toBe(0);
  });
});

describe('admitCode', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  const admit = (count: number, sinceMs: number) => {
    try {
      return admitCode({ wrongCodes: { sinceMs, count } }, nowMs);
    } catch (error) {
      return throttled(error);
    }
  };

  it('wrong codes count within their window, and the first one starts a window', () => {
    expect(admitCode({}, nowMs)).toEqual({ sinceMs: nowMs, count: 0 });
    expect(admit(3, nowMs - 1000)).toEqual({ sinceMs: nowMs - 1000, count: 3 });
    expect(admit(WRONG_CODES_MAX, nowMs - WRONG_CODES_WINDOW_MS)).toEqual({ sinceMs: nowMs, count: 0 });
  });

  it('after ten wrong codes further ones wait for the end of the window', () => {
    expect(admit(WRONG_CODES_MAX - 1, nowMs)).toEqual({ sinceMs: nowMs, count: WRONG_CODES_MAX - 1 });
    expect(admit(WRONG_CODES_MAX, nowMs)).toEqual(retry(900, 'Too many wrong codes.'));
    expect(admit(WRONG_CODES_MAX, nowMs - WRONG_CODES_WINDOW_MS + 1)).toEqual(retry(1, 'Too many wrong codes.'));
  });
});
