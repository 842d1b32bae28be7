import type { Removal } from '../../../src/domain/pending';
import type { RemovalStore } from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';
import type { Author } from '../../../src/domain/unit';

/** Removals in memory. */
export class MemoryRemovalStore implements RemovalStore {
  private stored: Removal[] = [];

  constructor(private readonly log: (effect: string) => void) {}

  async add(removals: readonly Removal[]): Promise<void> {
    for (const removal of removals) {
      this.log(`store removal of ${removal.id}`);
      if (!this.stored.some(({ id }) => id === removal.id)) this.stored.push(structuredClone(removal));
    }
  }

  async ofComponent(component: number): Promise<Removal[]> {
    return structuredClone(this.stored.filter((r) => r.component === component && !r.ofBase));
  }

  async keysOf({ id }: Pick<Translation, 'id' | 'component'>): Promise<Set<string>> {
    return new Set(this.stored.filter((r) => r.translation === id).map((r) => r.key));
  }

  async anyOf(components: readonly number[]): Promise<boolean> {
    return this.stored.some((r) => components.includes(r.component) && !r.ofBase);
  }

  async remove(ids: readonly string[]): Promise<void> {
    this.stored = this.stored.filter(({ id }) => !ids.includes(id));
  }

  async removeOfComponent(component: number): Promise<void> {
    this.log(`remove removals of component ${component}`);
    this.stored = this.stored.filter((r) => r.component !== component);
  }

  async renameAuthor(person: Author): Promise<void> {
    this.stored = renameRemovals(this.stored, person);
  }
}

const renameRemovals = (removals: readonly Removal[], person: Author): Removal[] =>
  removals.map((removal) => (removal.author.userId === person.userId ? { ...removal, author: person } : removal));
