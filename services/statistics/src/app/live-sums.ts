import type { SnapshotStore } from '../domain/ports';
import { Sums } from '../domain/sums';

/** Waits until preceding events were processed. */
export interface EventPosition {
  caughtUp(withinMs: number): Promise<boolean>;
}

/** The sums for reads. Reloading from the store replaces them as a whole. */
export class LiveSums {
  current = new Sums();

  constructor(private readonly store: SnapshotStore) {}

  /** Reads everything from the store. */
  async load(): Promise<void> {
    const sums = new Sums();
    for await (const stored of this.store.load()) {
      if (stored.fact === 'snapshot') sums.update(stored.snapshot);
      else if (stored.fact === 'removedTranslation') sums.removeTranslation(stored.id);
      else if (stored.object.kind === 'project')
        sums[stored.fact === 'object' ? 'addProject' : 'removeProject'](stored.object.id);
      else if (stored.fact === 'object') sums.addComponent(stored.object.id, stored.object.projectId);
      else sums.removeComponent(stored.object.id);
    }
    this.current = sums;
  }
}
