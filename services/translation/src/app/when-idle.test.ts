import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';
import { BackgroundPace, whenIdle } from './when-idle';

/** Replaces the clock, and the utilization of the event loop during each pause; the last one repeats. Returns the pauses. */
function withUtilization(...utilizations: number[]): number[] {
  const pauses: number[] = [];
  let now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(performance, 'eventLoopUtilization').mockImplementation((since) => {
    const utilization = since ? utilizations[Math.min(pauses.length, utilizations.length) - 1]! : 1;
    return { idle: 0, active: 0, utilization };
  });
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => {
    if (pauses.length > 100) throw new Error('no end of the pauses');
    now += ms!;
    pauses.push(ms!);
    return undefined as never;
  });
  return pauses;
}

describe('whenIdle', () => {
  afterEach(() => jest.restoreAllMocks());

  it('an idle process continues after one measurement', async () => {
    const pauses = withUtilization(0.09);
    await whenIdle();
    expect(pauses).toEqual([50]);
  });

  it('after the wanted pause, a busy process is measured at short intervals', async () => {
    const pauses = withUtilization(0.9, 0.9, 0);
    await whenIdle(300);
    expect(pauses).toEqual([300, 50, 50]);
  });

  it('a busy process waits until it is idle', async () => {
    const pauses = withUtilization(0.9, 0.1, 0.05);
    await whenIdle();
    expect(pauses).toEqual([50, 50, 50]);
  });

  it('a process that stays busy continues after two seconds, so that background work makes progress', async () => {
    const pauses = withUtilization(1);
    await whenIdle();
    expect(pauses).toEqual(Array.from({ length: 40 }, () => 50));
  });

  it('the wanted pause is kept in an idle process, and a long one in a busy process is not extended', async () => {
    const idle = withUtilization(0);
    await whenIdle(300);
    expect(idle).toEqual([300]);
    jest.restoreAllMocks();
    const busy = withUtilization(1);
    await whenIdle(5_000);
    expect(busy).toEqual([5_000]);
  });
});

describe('BackgroundPace', () => {
  afterEach(() => jest.restoreAllMocks());

  it('short tasks share a pause, and a series that has run for half a second pauses again', async () => {
    const pauses = withUtilization(0);
    const pace = new BackgroundPace();
    const work = async (ms: number) => {
      await pace.next();
      await timers.setTimeout(ms);
    };
    for (const ms of [100, 300, 101, 20]) await work(ms);
    expect(pauses).toEqual([50, 100, 300, 101, 50, 20]);
  });

  it('a series that begins later pauses first', async () => {
    const pauses = withUtilization(0);
    const pace = new BackgroundPace();
    await pace.next();
    await timers.setTimeout(60_000);
    await pace.next();
    expect(pauses).toEqual([50, 60_000, 50]);
  });
});
