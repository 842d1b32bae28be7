import type { Removal } from '../pending';
import type { Translation } from '../translation';
import type { Author } from '../unit';

/** Deleted strings that their files still contain. */
export interface RemovalStore {
  /** Idempotent. */
  add(removals: readonly Removal[]): Promise<void>;
  /** Removals that a commit has to apply. */
  ofComponent(component: number): Promise<Removal[]>;
  /** Keys that imports skip: deleted here, but still in the file. */
  keysOf(translation: Pick<Translation, 'id' | 'component'>): Promise<Set<string>>;
  /** Whether any component has removals that a commit has to apply. */
  anyOf(components: readonly number[]): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
  removeOfComponent(component: number): Promise<void>;
  renameAuthor(person: Author): Promise<void>;
}
