import type { OutgoingEvent } from '@parlance/events';
import type { Category, Component } from '../../../src/domain/objects';
import {
  TakenError,
  type CategoryStore,
  type CategoryTree,
  type ComponentStore,
  type NodeEntry,
  type ProjectStore,
  type Stamped,
} from '../../../src/domain/ports';
import type { Effects, Rival } from './effects';

/** Components and categories in memory: they share names and slugs of a level. */
export class MemoryNodes {
  readonly components = new Map<number, Component>();
  readonly categories = new Map<number, Category>();

  /** Whether a component or category of the level has this name or slug. */
  taken(
    { projectId, categoryId }: Pick<Component, 'projectId' | 'categoryId'>,
    field: 'name' | 'slug',
    value: string,
    exceptId: number,
  ): boolean {
    return [...this.components.values(), ...this.categories.values()].some(
      (n) =>
        n.id !== exceptId && n.projectId === projectId && n.categoryId === categoryId && n.settings[field] === value,
    );
  }

  requireUnique(node: Component | Category): void {
    for (const field of ['slug', 'name'] as const)
      if (this.taken(node, field, node.settings[field], node.id)) throw new TakenError(field);
  }

  entries(): NodeEntry[] {
    const components = [...this.components.values()].map((c): NodeEntry => ({
      ...place(c, 'component'),
      stamp: JSON.stringify(c),
      restricted: c.settings.restricted,
      locked: c.locked,
      languages: c.languages,
    }));
    const categories = [...this.categories.values()].map((c): NodeEntry => ({
      ...place(c, 'category'),
      stamp: String(c.version),
      restricted: false,
      locked: false,
      languages: [],
    }));
    return [...components, ...categories];
  }
}

function place({ id, projectId, categoryId, settings: { slug, name } }: Component | Category, kind: NodeEntry['kind']) {
  return { id, kind, projectId, categoryId, slug, name };
}

/** Components in memory. Stores copies, so that use cases cannot change stored objects. */
export class MemoryComponentStore implements ComponentStore {
  /** Hidden components by the project that they belonged to. */
  private readonly hidden = new Map<number, number>();

  constructor(
    private readonly nodes: MemoryNodes,
    private readonly effects: Effects,
    private readonly rival: Rival,
  ) {}

  private all(matches: (component: Component) => boolean): Component[] {
    return [...this.nodes.components.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((c) => structuredClone(c));
  }

  async get(id: number): Promise<Component | null> {
    return this.all((c) => c.id === id)[0] ?? null;
  }

  async bySlug(projectId: number, categoryId: number, slug: string): Promise<Component | null> {
    const matches = (c: Component) =>
      c.projectId === projectId && c.categoryId === categoryId && c.settings.slug === slug;
    return this.all(matches)[0] ?? null;
  }

  async byIds(ids: readonly number[]): Promise<Component[]> {
    return this.all((c) => ids.includes(c.id));
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Component>[]> {
    return (await this.byIds(ids)).map((object) => ({ stamp: JSON.stringify(object), object }));
  }

  async linkedInto(projectId: number): Promise<number[]> {
    return this.all((c) => c.links.includes(projectId)).map((c) => c.id);
  }

  async sharing(ids: readonly number[]): Promise<Component[]> {
    return this.all((c) => ids.includes(c.linkedId));
  }

  async isShared(id: number): Promise<boolean> {
    return this.all((c) => c.linkedId === id).length > 0;
  }

  async byKeys(keys: readonly string[] | null, projectId: number): Promise<Component[]> {
    return this.all(
      (c) =>
        c.linkedId === 0 &&
        c.settings.vcs !== 'local' &&
        (!keys || c.repoKeys.some((key) => keys.includes(key))) &&
        (!projectId || c.projectId === projectId),
    );
  }

  private mayLink({ linkedId }: Component): boolean {
    return linkedId === 0 || this.nodes.components.get(linkedId)?.linkedId === 0;
  }

  async insert(component: Component, events: readonly OutgoingEvent[]): Promise<boolean> {
    if (!this.mayLink(component)) return false;
    this.nodes.requireUnique(component);
    this.nodes.components.set(component.id, structuredClone(component));
    this.effects.store(`component ${component.id}`, events);
    return true;
  }

  async replace(component: Component, events: readonly OutgoingEvent[]): Promise<boolean> {
    await this.rival.act();
    const before = this.nodes.components.get(component.id);
    if (before?.version !== component.version - 1 || !this.mayLink(component)) return false;
    this.nodes.requireUnique(component);
    // Languages and the running task are updated by other writes.
    const { languages, taskId } = before;
    this.nodes.components.set(component.id, structuredClone({ ...component, languages, taskId }));
    this.effects.store(`component ${component.id}`, events);
    return true;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    if (!this.nodes.components.delete(id)) return false;
    this.effects.store(`component ${id} removed`, events);
    return true;
  }

  async hideOfProject(projectId: number): Promise<number[]> {
    for (const { id } of this.all((c) => c.projectId === projectId)) {
      this.nodes.components.delete(id);
      this.hidden.set(id, projectId);
    }
    this.effects.store(`components of project ${projectId} hidden`);
    return [...this.hidden].filter(([, project]) => project === projectId).map(([id]) => id);
  }

  async forget(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.hidden.delete(id);
  }

  async setTask(id: number, taskId: string, completed: boolean): Promise<void> {
    const stored = this.nodes.components.get(id);
    if (!stored || (completed && stored.taskId !== taskId)) return;
    stored.taskId = completed ? '' : taskId;
    this.effects.store(`component ${id} task ${stored.taskId}`);
  }

  async addLanguages(id: number, codes: readonly string[]): Promise<boolean> {
    const stored = this.nodes.components.get(id);
    const added = codes.filter((code) => stored && !stored.languages.includes(code));
    stored?.languages.push(...new Set(added));
    return added.length > 0;
  }

  async removeLanguage(id: number, code: string): Promise<void> {
    const stored = this.nodes.components.get(id);
    if (stored && stored.sourceLanguage !== code) stored.languages = stored.languages.filter((l) => l !== code);
  }
}

/** Categories in memory; writes of a project are serialized by the version of its tree. */
export class MemoryCategoryStore implements CategoryStore {
  private readonly treeVersions = new Map<number, number>();

  constructor(
    private readonly nodes: MemoryNodes,
    private readonly components: MemoryComponentStore,
    private readonly projects: Pick<ProjectStore, 'get'>,
    private readonly effects: Effects,
    private readonly rival: Rival,
  ) {}

  private all(matches: (category: Category) => boolean): Category[] {
    return [...this.nodes.categories.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((c) => structuredClone(c));
  }

  async get(id: number): Promise<Category | null> {
    return this.all((c) => c.id === id)[0] ?? null;
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Category>[]> {
    return this.all((c) => ids.includes(c.id)).map((object) => ({ stamp: String(object.version), object }));
  }

  async ofProject(projectId: number): Promise<Category[]> {
    return this.all((c) => c.projectId === projectId);
  }

  async tree(projectId: number): Promise<CategoryTree | null> {
    if (!(await this.projects.get(projectId))) return null;
    return { version: this.treeVersions.get(projectId) ?? 0, categories: await this.ofProject(projectId) };
  }

  /** Advances the tree to its next version; false if it is not the given one anymore. */
  private claim(projectId: number, { version }: CategoryTree): boolean {
    if ((this.treeVersions.get(projectId) ?? 0) !== version) return false;
    this.treeVersions.set(projectId, version + 1);
    return true;
  }

  async put(category: Category, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean> {
    await this.rival.act();
    if (!this.claim(category.projectId, tree)) return false;
    const before = this.nodes.categories.get(category.id);
    if ((before?.version ?? 0) !== category.version - 1) return false;
    this.nodes.requireUnique(category);
    this.nodes.categories.set(category.id, structuredClone(category));
    this.effects.store(`category ${category.id}${category.deleting ? ' deleting' : ''}`, events);
    return true;
  }

  async putComponent(component: Component, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean> {
    await this.rival.act();
    if (!this.claim(component.projectId, tree)) return false;
    return component.version === 1
      ? this.components.insert(component, events)
      : this.components.replace(component, events);
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    if (!this.nodes.categories.delete(id)) return false;
    this.effects.store(`category ${id} removed`, events);
    return true;
  }

  async removeOfProject(projectId: number): Promise<void> {
    for (const { id } of this.all((c) => c.projectId === projectId)) this.nodes.categories.delete(id);
  }

  async taken(
    projectId: number,
    categoryId: number,
    field: 'name' | 'slug',
    value: string,
    exceptId: number,
  ): Promise<boolean> {
    return this.nodes.taken({ projectId, categoryId }, field, value, exceptId);
  }
}
