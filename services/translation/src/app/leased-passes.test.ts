import { LeasedPasses } from './leased-passes';

function start(pass: (passes: LeasedPasses) => Promise<void> = async () => undefined) {
  const store = {
    holder: undefined as string | undefined,
    async lease(holder: string) {
      store.holder ??= holder;
      return store.holder === holder;
    },
    async releaseLease(holder: string) {
      if (store.holder === holder) store.holder = undefined;
    },
  };
  const passes: LeasedPasses = new LeasedPasses(store, 'test', () => pass(passes));
  return { store, passes };
}

describe('LeasedPasses', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('LeasedPasses runs the first pass at once and further ones at the interval, never two at the same time', async () => {
    let running = 0;
    const finish: (() => void)[] = [];
    const { passes } = start(() => {
      running++;
      return new Promise<void>((resolve) => finish.push(resolve)).then(() => void running--);
    });
    passes.start(1_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect([running, finish.length]).toEqual([1, 1]);
    finish[0]!();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([running, finish.length]).toEqual([1, 2]);
    finish[1]!();
    await passes.stop();
  });

  it('LeasedPasses goes on after a pass that failed', async () => {
    let passed = 0;
    const { passes } = start(async () => {
      if (++passed === 1) throw new Error('the store is unavailable');
    });
    passes.start(1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(passed).toBe(2);
    await passes.stop();
  });

  it('stop() waits for the pass in progress, whose next renewal fails, and releases the lease', async () => {
    let end: () => void = () => undefined;
    const renewals: boolean[] = [];
    const { store, passes } = start(async (own) => {
      renewals.push(await own.renew());
      await new Promise<void>((resolve) => (end = resolve));
      renewals.push(await own.renew());
    });
    passes.start(1_000);
    await jest.advanceTimersByTimeAsync(0);
    let stopped = false;
    const stopping = passes.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(10_000);
    expect([stopped, store.holder === undefined]).toEqual([false, false]);
    end();
    await stopping;
    expect([renewals, store.holder]).toEqual([[true, false], undefined]);
  });

  it('a lease that cannot be released does not keep the process from stopping', async () => {
    const { store, passes } = start();
    store.releaseLease = () => Promise.reject(new Error('the store is unavailable'));
    await expect(passes.stop()).resolves.toBeUndefined();
  });
});
