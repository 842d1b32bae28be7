import type { Unit } from '../../domain/unit';
import { SizedCache } from './sized-cache';

/** Units that are remembered. */
const CAPACITY = 10_000;

/**
 * Units as they were last shown or saved here: most edits follow a look, and need not read the unit again. They may be older than
 * what is stored, so they serve only where a write on another version is refused.
 */
export class RecentUnits {
  private readonly units = new SizedCache<Unit>(CAPACITY);

  note(units: readonly Unit[]): void {
    for (const unit of units) this.units.set(String(unit.id), unit, 1);
  }

  get(id: number): Unit | undefined {
    return this.units.get(String(id));
  }
}
