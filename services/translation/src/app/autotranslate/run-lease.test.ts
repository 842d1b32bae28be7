import { MemoryAutotranslateLeases } from '../../../test/support/memory/autotranslate-leases';
import { RunLease } from './run-lease';

const MINUTE_MS = 60_000;

describe('RunLease', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a lease is exclusive while its run goes on, and free after its release', async () => {
    const leases = new MemoryAutotranslateLeases();
    const [one, other] = [new RunLease(leases, 11), new RunLease(leases, 11)];
    expect(await one.acquire()).toBe(true);
    await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(await other.acquire()).toBe(false);
    expect(one.signal.aborted).toBe(false);
    await one.release();
    expect(await other.acquire()).toBe(true);
    await other.release();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leases of different translations do not exclude each other', async () => {
    const leases = new MemoryAutotranslateLeases();
    const both = [new RunLease(leases, 11), new RunLease(leases, 12)];
    expect(await Promise.all(both.map((lease) => lease.acquire()))).toEqual([true, true]);
    await Promise.all(both.map((lease) => lease.release()));
  });

  it('the lease of a crashed process expires after a minute', async () => {
    const leases = new MemoryAutotranslateLeases();
    expect(await new RunLease(leases, 11).acquire()).toBe(true);
    jest.clearAllTimers();
    const next = new RunLease(leases, 11);
    await jest.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(await next.acquire()).toBe(false);
    await jest.advanceTimersByTimeAsync(2);
    expect(await next.acquire()).toBe(true);
    await next.release();
  });

  it('a failed renewal is repeated, and a lease that another run has acquired aborts the signal', async () => {
    const leases = new MemoryAutotranslateLeases();
    let isReachable = false;
    const lease = new RunLease(
      {
        acquire: async (...given) => {
          if (!isReachable) throw new Error('the store is unavailable');
          return leases.acquire(...given);
        },
        release: (...given) => leases.release(...given),
      },
      11,
    );
    isReachable = true;
    expect(await lease.acquire()).toBe(true);
    isReachable = false;
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    isReachable = true;
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect([await leases.acquire(11, 'other', MINUTE_MS), lease.signal.aborted]).toEqual([false, false]);
    isReachable = false;
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect([await leases.acquire(11, 'other', MINUTE_MS), lease.signal.aborted]).toEqual([true, false]);
    isReachable = true;
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    expect(lease.signal.aborted).toBe(true);
    await lease.release();
    expect(await leases.acquire(11, 'third', MINUTE_MS)).toBe(false);
  });

  it('a renewal in progress does not outlive the release', async () => {
    const leases = new MemoryAutotranslateLeases();
    let goOn = (): void => undefined;
    let calls = 0;
    const lease = new RunLease(
      {
        acquire: async (...given) => {
          if (++calls > 1) await new Promise<void>((resolve) => (goOn = resolve));
          return leases.acquire(...given);
        },
        release: (...given) => leases.release(...given),
      },
      11,
    );
    await lease.acquire();
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    const released = lease.release();
    goOn();
    await released;
    expect(await leases.acquire(11, 'other', MINUTE_MS)).toBe(true);
  });
});
