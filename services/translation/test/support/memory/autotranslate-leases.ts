import type { AutotranslateLeases } from '../../../src/domain/ports';

/** Leases of automatic translations, shared by the processes of a test. */
export class MemoryAutotranslateLeases implements AutotranslateLeases {
  private readonly held = new Map<number, { holder: string; until: number }>();

  async acquire(translation: number, holder: string, forMs: number): Promise<boolean> {
    const now = Date.now();
    const current = this.held.get(translation);
    if (current && current.holder !== holder && current.until >= now) return false;
    this.held.set(translation, { holder, until: now + forMs });
    return true;
  }

  async release(translation: number, holder: string): Promise<void> {
    if (this.held.get(translation)?.holder === holder) this.held.delete(translation);
  }
}
