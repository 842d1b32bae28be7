import type { Category, Component, Project } from '../../domain/objects';
import type { CategoryStore, ComponentStore, ProjectStore } from '../../domain/ports';
import type { CatalogSnapshot } from './catalog-snapshot';
import { ObjectCache } from './object-cache';

/** Number of cached objects; a component takes about 4 kB. */
const CAPACITY = 10_000;

/** Reads projects, components and categories for responses. Objects to be changed are read from the store instead. */
export class ObjectReader {
  private readonly projectCache: ObjectCache<Project>;
  private readonly componentCache: ObjectCache<Component>;
  private readonly categoryCache: ObjectCache<Category>;

  constructor(
    private readonly snapshot: CatalogSnapshot,
    projects: Pick<ProjectStore, 'stamped'>,
    components: Pick<ComponentStore, 'stamped'>,
    categories: Pick<CategoryStore, 'stamped'>,
  ) {
    this.projectCache = new ObjectCache((ids) => projects.stamped(ids), CAPACITY);
    this.componentCache = new ObjectCache((ids) => components.stamped(ids), CAPACITY);
    this.categoryCache = new ObjectCache((ids) => categories.stamped(ids), CAPACITY);
  }

  /** Existing projects in the order of the ids. */
  async projects(generation: string, ids: readonly number[]): Promise<Project[]> {
    const snapshot = await this.snapshot.at(generation);
    return this.projectCache.get(ids, (id) => snapshot.projects.get(id)?.stamp);
  }

  /** Existing components in the order of the ids. */
  async components(generation: string, ids: readonly number[]): Promise<Component[]> {
    const snapshot = await this.snapshot.at(generation);
    return this.componentCache.get(ids, (id) => snapshot.components.get(id)?.stamp);
  }

  /** Existing categories in the order of the ids. */
  async categories(generation: string, ids: readonly number[]): Promise<Category[]> {
    const snapshot = await this.snapshot.at(generation);
    return this.categoryCache.get(ids, (id) => snapshot.categories.get(id)?.stamp);
  }
}
