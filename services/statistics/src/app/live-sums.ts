import type { SnapshotStore } from '../domain/ports';
import { Sums } from '../domain/sums';

/** Where the events after a place in the stream can be waited for. */
export interface EventPosition {
  caughtUp(withinMs: number): Promise<boolean>;
}

/** The sums that reads are answered from. They are replaced as a whole when they have to be read anew from the store. */
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
