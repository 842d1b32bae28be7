import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';

/** Event loop utilization below which the process counts as idle. */
const IDLE_UTILIZATION = 0.1;
/** Longest wait, in milliseconds: background work makes progress under load, too. */
const MAX_WAIT_MS = 2_000;
/** Work of a series between two pauses, in milliseconds: under load about a fifth of the time. */
const WORK_MS = 500;
/** Interval of measurement, in milliseconds. */
const MEASURE_MS = 50;

/**
 * Pauses background work for at least the given milliseconds and until the process is idle. Work between two pauses should take a
 * fraction of {@link MAX_WAIT_MS}.
 */
export async function whenIdle(ms = 0): Promise<void> {
  const deadline = performance.now() + Math.max(ms, MAX_WAIT_MS);
  for (let wait = Math.max(ms, MEASURE_MS); ; wait = MEASURE_MS) {
    const before = performance.eventLoopUtilization();
    await pause(wait);
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < IDLE_UTILIZATION || performance.now() >= deadline) return;
  }
}

/** Pace of a series of background tasks, most of them short: one pause, as by {@link whenIdle}, for many of them. */
export class BackgroundPace {
  private resumedAt = -Infinity;

  /** Called before each task. Pauses if the series has run for {@link WORK_MS} since its last pause. */
  async next(): Promise<void> {
    if (performance.now() - this.resumedAt < WORK_MS) return;
    await whenIdle();
    this.resumedAt = performance.now();
  }
}
