import type { ProgressStore } from '../../../src/domain/ports';

export class MemoryProgressStore implements ProgressStore {
  private readonly works = new Map<string, { reached: number; planned: number; claimedUntilMs: number }>();

  claim(work: string, from: number, nowMs: number, untilMs: number) {
    const current = this.works.get(work) ?? { reached: from, planned: from, claimedUntilMs: 0 };
    this.works.set(work, current);
    if (current.claimedUntilMs > nowMs) return Promise.resolve(undefined);
    current.claimedUntilMs = untilMs;
    return Promise.resolve({ reached: current.reached, planned: current.planned });
  }

  plan(work: string, to: number): Promise<void> {
    this.works.get(work)!.planned = to;
    return Promise.resolve();
  }

  release(work: string, reached: number): Promise<void> {
    Object.assign(this.works.get(work)!, { reached, claimedUntilMs: 0 });
    return Promise.resolve();
  }
}
