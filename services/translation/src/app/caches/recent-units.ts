import type { Unit } from '../../domain/unit';
import { SizedCache } from './sized-cache';

/** In units. */
const CAPACITY = 10_000;

/**
 * Cache of units that this process recently returned or saved. It spares edits, which usually follow a read, another read. Entries may
 * be stale, so they are used only as the base of conditional writes.
 */
export class RecentUnits {
  private readonly units = new SizedCache<Unit>(CAPACITY);

  record(units: readonly Unit[]): void {
    for (const unit of units) this.units.set(String(unit.id), unit, 1);
  }

  /** Replaces the entry of a unit that this process wrote; other units are not cached, because bulk writes would displace the recent ones. */
  update(unit: Unit): void {
    if (this.get(unit.id)) this.record([unit]);
  }

  get(id: number): Unit | undefined {
    return this.units.get(String(id));
  }
}
