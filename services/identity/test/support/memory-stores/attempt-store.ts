import { attemptsNow, nextAttemptMs, type Attempts } from '../../../src/domain/sign-in/attempts';
import type { AttemptStore } from '../../../src/domain/ports';

export class MemoryAttemptStore implements AttemptStore {
  private readonly stored = new Map<string, Attempts>();

  count(key: string, free: number, nowMs: number): Promise<{ counted: boolean; nextMs: number }> {
    const current = attemptsNow(this.stored.get(key), nowMs);
    const waitMs = nextAttemptMs(current, free);
    if (waitMs > nowMs) return Promise.resolve({ counted: false, nextMs: waitMs });
    const next = { count: current.count + 1, lastMs: nowMs };
    this.stored.set(key, next);
    return Promise.resolve({ counted: true, nextMs: nextAttemptMs(next, free) });
  }

  refund(key: string): Promise<void> {
    const current = this.stored.get(key);
    if (current && current.count > 0) this.stored.set(key, { ...current, count: current.count - 1 });
    return Promise.resolve();
  }

  forget(key: string): Promise<void> {
    this.stored.delete(key);
    return Promise.resolve();
  }
}
