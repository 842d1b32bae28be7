import { LanguageIndex } from '@parlance/plurals';
import type { Language } from '../../domain/objects';
import type { AddonEntry, SnapshotSource, LanguageEntry, NodeEntry, ProjectEntry } from '../../domain/ports';
import { nestedIn } from '../../domain/category-tree';
import { SortedIds } from './sorted-ids';

/** Overlap of incremental reads, in milliseconds: covers clock skew and the duration of writes. */
const OVERLAP_MS = 10_000;
/** Age at which a snapshot is rebuilt, in milliseconds. Documents of removed objects are kept longer than this. */
const MEMORY_MS = 30 * 60_000;
/** Age at which the snapshot refreshes without a new generation, in milliseconds. */
const MAX_AGE_MS = 30_000;
/** Maximum number of generations recorded as seen. */
const MAX_GENERATIONS = 1_000;

/**
 * In-memory projection of the catalog's structure: paths, visibility and languages in use. Serves lists, paths and permission checks;
 * settings are read from the store. It refreshes incrementally when a caller brings a generation that it has not seen (read-your-writes).
 */
export class CatalogSnapshot {
  readonly projects = new Map<number, ProjectEntry>();
  readonly components = new Map<number, NodeEntry>();
  readonly categories = new Map<number, NodeEntry>();
  readonly languages = new Map<number, Language>();
  readonly projectIds = new SortedIds();
  readonly componentIds = new SortedIds();
  private readonly projectBySlug = new Map<string, number>();
  private readonly nodeBySlug = new Map<string, number>();
  private readonly languageByCode = new Map<string, Language>();
  private readonly componentsByProject = new Map<number, Set<number>>();
  private readonly categoriesByProject = new Map<number, Set<number>>();
  private readonly languageUse = new Map<string, number>();
  private readonly closedProjects = new Set<number>();
  private readonly restrictedComponents = new Set<number>();
  private readonly addonsByComponent = new Map<number, Set<number>>();
  private index: LanguageIndex | undefined;

  private seen = new Set<string>();
  private readAt = 0;
  private running: Promise<void> | undefined;
  private queued: Promise<void> | undefined;

  constructor(
    private readonly source: SnapshotSource,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The snapshot including every write before the caller's generation; '': every write until now. Valid until the next await.
   */
  async at(generation: string): Promise<this> {
    if (generation !== '' && this.seen.has(generation) && this.now() - this.readAt < MAX_AGE_MS) return this;
    // A concurrent write of this process replaces the set; then the generation does not count as seen.
    const seen = this.seen;
    await this.refresh();
    if (generation !== '') {
      if (seen.size >= MAX_GENERATIONS) seen.delete(seen.values().next().value!);
      seen.add(generation);
    }
    return this;
  }

  /** Marks the snapshot stale after a write of this process. */
  changed(): void {
    this.seen = new Set();
  }

  private refresh(): Promise<void> {
    if (!this.running) return this.start();
    // The running refresh may have begun before the write that the caller has seen.
    this.queued ??= this.running.catch(() => undefined).then(() => this.start());
    return this.queued;
  }

  private start(): Promise<void> {
    this.queued = undefined;
    const running = this.read().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async read(): Promise<void> {
    const startedAt = this.now();
    const whole = startedAt - this.readAt > MEMORY_MS;
    const since = whole ? 0 : this.readAt - OVERLAP_MS;
    const [projects, nodes, languages, addons] = await Promise.all([
      this.source.projects(since),
      this.source.nodes(since),
      this.source.languages(since),
      this.source.addons(since),
    ]);
    if (whole) this.clear();
    for (const p of projects) this.takeProject(p);
    for (const n of nodes) this.takeNode(n);
    for (const l of languages) this.takeLanguage(l);
    for (const a of addons) this.takeAddon(a);
    this.readAt = startedAt;
  }

  private clear(): void {
    for (const map of [
      this.projectBySlug,
      this.nodeBySlug,
      this.projects,
      this.components,
      this.categories,
      this.languages,
      this.languageByCode,
      this.componentsByProject,
      this.categoriesByProject,
      this.languageUse,
      this.addonsByComponent,
    ])
      map.clear();
    this.closedProjects.clear();
    this.restrictedComponents.clear();
    this.projectIds.clear();
    this.componentIds.clear();
    this.index = undefined;
  }

  private takeProject(p: ProjectEntry): void {
    const old = this.projects.get(p.id);
    if (old && this.projectBySlug.get(old.slug) === p.id) this.projectBySlug.delete(old.slug);
    if (p.removed) {
      this.projects.delete(p.id);
      this.projectIds.remove(p.id);
      this.closedProjects.delete(p.id);
      for (const id of this.componentsOf(p.id)) this.dropComponent(id);
      for (const id of this.categoriesByProject.get(p.id) ?? []) this.dropCategory(id);
      this.componentsByProject.delete(p.id);
      this.categoriesByProject.delete(p.id);
      return;
    }
    this.projects.set(p.id, p);
    this.projectBySlug.set(p.slug, p.id);
    this.projectIds.add(p.id);
    if (p.accessControl >= 100) this.closedProjects.add(p.id);
    else this.closedProjects.delete(p.id);
  }

  private takeNode(n: NodeEntry): void {
    this.dropComponent(n.id);
    this.dropCategory(n.id);
    if (n.kind === 'category') {
      this.categories.set(n.id, n);
      this.nodeBySlug.set(slugKey(n), n.id);
      place(this.categoriesByProject, n.projectId).add(n.id);
      return;
    }
    // Components of a deleted project are being deleted, too.
    if (n.kind !== 'component' || !this.projects.has(n.projectId)) {
      this.addonsByComponent.delete(n.id);
      return;
    }
    this.components.set(n.id, n);
    this.nodeBySlug.set(slugKey(n), n.id);
    this.componentIds.add(n.id);
    place(this.componentsByProject, n.projectId).add(n.id);
    if (n.restricted) this.restrictedComponents.add(n.id);
    for (const code of n.languages) this.languageUse.set(code, (this.languageUse.get(code) ?? 0) + 1);
  }

  private dropComponent(id: number): void {
    const old = this.components.get(id);
    if (!old) return;
    this.components.delete(id);
    if (this.nodeBySlug.get(slugKey(old)) === id) this.nodeBySlug.delete(slugKey(old));
    this.componentIds.remove(id);
    this.componentsByProject.get(old.projectId)?.delete(id);
    this.restrictedComponents.delete(id);
    for (const code of old.languages) {
      const left = this.languageUse.get(code)! - 1;
      if (left > 0) this.languageUse.set(code, left);
      else this.languageUse.delete(code);
    }
  }

  private dropCategory(id: number): void {
    const old = this.categories.get(id);
    if (!old) return;
    this.categories.delete(id);
    if (this.nodeBySlug.get(slugKey(old)) === id) this.nodeBySlug.delete(slugKey(old));
    this.categoriesByProject.get(old.projectId)?.delete(id);
  }

  private takeLanguage({ removed, ...language }: LanguageEntry): void {
    const old = this.languages.get(language.id);
    if (old && this.languageByCode.get(old.code) === old) this.languageByCode.delete(old.code);
    this.languages.delete(language.id);
    this.index = undefined;
    if (removed) return;
    this.languages.set(language.id, language);
    this.languageByCode.set(language.code, language);
  }

  private takeAddon({ id, removed, componentId }: AddonEntry): void {
    if (componentId === 0) return;
    if (removed) this.addonsByComponent.get(componentId)?.delete(id);
    else place(this.addonsByComponent, componentId).add(id);
  }

  /** Ids of a component's own add-ons, ascending. */
  addonsOf(componentId: number): number[] {
    return [...(this.addonsByComponent.get(componentId) ?? [])].sort((a, b) => a - b);
  }

  projectWithSlug(slug: string): number | undefined {
    return this.projectBySlug.get(slug);
  }

  /**
   * The component or category at a path of slugs joined by slashes. Objects whose category was deleted belong to the project
   * itself.
   */
  nodeAt(projectId: number, path: string): number | undefined {
    let id: number | undefined;
    for (const slug of path.split('/')) {
      id = this.nodeBySlug.get(slugKey({ projectId, categoryId: id ?? 0, slug }));
      if (id === undefined) return path === slug ? this.findStray(projectId, slug) : undefined;
    }
    return id;
  }

  private findStray(projectId: number, slug: string): number | undefined {
    return this.componentsOf(projectId).find((id) => {
      const { slug: own, categoryId } = this.components.get(id)!;
      return own === slug && categoryId !== 0 && !this.categories.has(categoryId);
    });
  }

  /** All languages, by id. */
  allLanguages(): Language[] {
    return [...this.languages.values()].sort((a, b) => a.id - b.id);
  }

  language(code: string): Language | undefined {
    return this.languageByCode.get(code);
  }

  /** Resolves codes in file names. */
  languageIndex(): LanguageIndex {
    return (this.index ??= new LanguageIndex(this.allLanguages()));
  }

  /** Whether a component has translations in the language. */
  inUse(code: string): boolean {
    return this.languageUse.has(code);
  }

  componentsOf(projectId: number): number[] {
    return [...(this.componentsByProject.get(projectId) ?? [])].sort((a, b) => a - b);
  }

  /** Projects that are not visible to everyone. */
  closed(): Iterable<number> {
    return this.closedProjects;
  }

  /** Restricted components. */
  restricted(): Iterable<number> {
    return this.restrictedComponents;
  }

  /** Number of components of a project, and whether all are locked. */
  tally(projectId: number): { components: number; locked: boolean } {
    const ids = this.componentsByProject.get(projectId);
    if (!ids || ids.size === 0) return { components: 0, locked: false };
    for (const id of ids) if (!this.components.get(id)!.locked) return { components: ids.size, locked: false };
    return { components: ids.size, locked: true };
  }

  /** A category and its parents, outermost first; 0: none. */
  private ancestorsOf(categoryId: number): NodeEntry[] {
    // Ends the loop if the stored categories contain a cycle.
    const passed = new Set<NodeEntry>();
    for (let c = this.categories.get(categoryId); c && !passed.has(c); c = this.categories.get(c.categoryId))
      passed.add(c);
    return [...passed].reverse();
  }

  /** Slugs of the parent categories and the given slug, joined by slashes. */
  path(slug: string, categoryId: number): string {
    return [...this.ancestorsOf(categoryId).map((c) => c.slug), slug].join('/');
  }

  /** Names of the parent categories and the given name, joined by slashes. */
  fullName(name: string, categoryId: number): string {
    return [...this.ancestorsOf(categoryId).map((c) => c.name), name].join('/');
  }

  /** The category and its nested categories, outermost first. */
  nestedIn(categoryId: number): number[] {
    const root = this.categories.get(categoryId);
    if (!root) return [];
    return nestedIn(
      [...(this.categoriesByProject.get(root.projectId) ?? [])].map((id) => this.categories.get(id)!),
      root,
    ).map((c) => c.id);
  }
}

/** Slugs are unique among the components and categories of a level. */
function slugKey({ projectId, categoryId, slug }: Pick<NodeEntry, 'projectId' | 'categoryId' | 'slug'>): string {
  return `${projectId}/${categoryId}/${slug}`;
}

function place(map: Map<number, Set<number>>, key: number): Set<number> {
  let set = map.get(key);
  if (!set) map.set(key, (set = new Set()));
  return set;
}
