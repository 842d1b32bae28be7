import { CounterTable } from './counter-table';
import { emptyCounters, type Counters, type Snapshot } from './counters';

/** Objects hidden from the caller. */
export interface Exclusions {
  projects: ReadonlySet<number>;
  components: ReadonlySet<number>;
}

export const nothingExcluded: Exclusions = { projects: new Set(), components: new Set() };

/** A translation, or a sum over its children. While it is dirty, so are all sums that contain it. */
interface Node {
  id: number;
  row: number;
  dirty: boolean;
  parents: Node[];
  children: Set<Node>;
  /** Removes the node from its index after its last child. */
  forget: () => void;
}

interface Component extends Node {
  project: Node;
}

interface ProjectLanguage extends Node {
  projectId: number;
  languageCode: string;
}

interface Leaf extends Node {
  revision: number;
  component: Component;
  language: ProjectLanguage;
}

const noChildren: Set<Node> = new Set();
const languageKey = (projectId: number, code: string) => `${projectId} ${code}`;

/**
 * The counters of every translation and the sums over component, project, language, project and language, and site. A change marks
 * its sums as dirty; the next read recomputes a dirty sum from its children. So any number of changes
 * between two reads costs one recomputation, and a sum cannot drift from its parts.
 */
export class Sums {
  private readonly table = new CounterTable();
  private readonly translations = new Map<number, Leaf>();
  private readonly components = new Map<number, Component>();
  private readonly projects = new Map<number, Node>();
  private readonly languages = new Map<string, Node>();
  private readonly projectLanguages = new Map<string, ProjectLanguage>();
  private readonly site: Node;
  /** Existing components and projects, with or without translations. */
  private readonly knownComponents = new Map<number, number>();
  private readonly knownProjects = new Set<number>();
  /** Ids are never reused, so removals are final, however late an older event arrives. */
  private readonly removed = {
    translations: new Set<number>(),
    components: new Set<number>(),
    projects: new Set<number>(),
  };

  constructor() {
    this.site = this.node(0, [], () => undefined);
  }

  private node(id: number, parents: Node[], forget: () => void): Node {
    const node: Node = { id, row: this.table.allocate(), dirty: false, parents, children: new Set(), forget };
    for (const parent of parents) parent.children.add(node);
    return node;
  }

  private child<K, N extends Node>(
    index: Map<K, N>,
    key: K,
    parents: Node[],
    id: number,
    more: Omit<N, keyof Node>,
  ): N {
    let node = index.get(key);
    if (!node) {
      node = Object.assign(
        this.node(id, parents, () => index.delete(key)),
        more,
      ) as N;
      index.set(key, node);
    }
    return node;
  }

  private markDirty(node: Node): void {
    if (node.dirty) return;
    node.dirty = true;
    node.parents.forEach((p) => this.markDirty(p));
  }

  /** Removes a node from its sums, and sums without children. */
  private detach(node: Node): void {
    for (const parent of node.parents) {
      parent.children.delete(node);
      this.markDirty(parent);
      if (parent.children.size === 0 && parent !== this.site) this.detach(parent);
    }
    node.forget();
    this.table.release(node.row);
  }

  /** Updates the counters of a translation if their revision is newer. */
  update(snapshot: Snapshot): void {
    const { translationId, componentId, languageCode } = snapshot;
    // Components never change their project.
    const projectId = this.components.get(componentId)?.project.id ?? snapshot.projectId;
    if (
      this.removed.translations.has(translationId) ||
      this.removed.components.has(componentId) ||
      this.removed.projects.has(projectId)
    )
      return;
    let leaf = this.translations.get(translationId);
    if (leaf && snapshot.revision <= leaf.revision) return;
    if (leaf && (leaf.component.id !== componentId || leaf.language.languageCode !== languageCode)) {
      this.detach(leaf);
      leaf = undefined;
    }
    if (!leaf) {
      this.addComponent(componentId, projectId);
      const project = this.child(this.projects, projectId, [this.site], projectId, {});
      const component = this.child<number, Component>(this.components, componentId, [project], componentId, {
        project,
      });
      const language = this.child(this.languages, languageCode, [], 0, {});
      const inProject = this.child<string, ProjectLanguage>(
        this.projectLanguages,
        languageKey(projectId, languageCode),
        [language],
        0,
        { projectId, languageCode },
      );
      const node = this.node(translationId, [component, inProject], () => this.translations.delete(translationId));
      // A translation has no children; all share one empty set.
      leaf = Object.assign(node, { revision: 0, component, language: inProject, children: noChildren });
      this.translations.set(translationId, leaf);
    }
    leaf.revision = snapshot.revision;
    this.table.set(leaf.row, snapshot.counters);
    leaf.parents.forEach((p) => this.markDirty(p));
  }

  addProject(projectId: number): void {
    if (!this.removed.projects.has(projectId)) this.knownProjects.add(projectId);
  }

  addComponent(componentId: number, projectId: number): void {
    if (this.removed.components.has(componentId) || this.removed.projects.has(projectId)) return;
    this.knownProjects.add(projectId);
    this.knownComponents.set(componentId, projectId);
  }

  removeTranslation(translationId: number): void {
    this.removed.translations.add(translationId);
    const leaf = this.translations.get(translationId);
    if (leaf) this.detach(leaf);
  }

  removeComponent(componentId: number): void {
    this.removed.components.add(componentId);
    this.knownComponents.delete(componentId);
    for (const leaf of [...(this.components.get(componentId)?.children ?? [])]) this.detach(leaf);
  }

  removeProject(projectId: number): void {
    this.removed.projects.add(projectId);
    this.knownProjects.delete(projectId);
    for (const [component, project] of this.knownComponents)
      if (project === projectId) this.knownComponents.delete(component);
    for (const component of [...(this.projects.get(projectId)?.children ?? [])])
      for (const leaf of [...component.children]) this.detach(leaf);
  }

  private resolve(node: Node): Node {
    if (node.dirty) {
      this.table.clear(node.row);
      for (const part of node.children) this.table.add(node.row, this.resolve(part).row);
      node.dirty = false;
    }
    return node;
  }

  private total(parts: Iterable<Node | undefined>): Counters {
    const row = this.table.allocate();
    for (const part of parts) if (part) this.table.add(row, this.resolve(part).row);
    const counters = this.table.get(row);
    this.table.release(row);
    return counters;
  }

  private of(node: Node | undefined): Counters {
    return node ? this.table.get(this.resolve(node).row) : emptyCounters();
  }

  /** Ids of projects with excluded components. */
  private touched(excluded: Exclusions): Set<number> {
    const touched = new Set<number>();
    for (const id of excluded.components) {
      const component = this.components.get(id);
      if (component) touched.add(component.project.id);
    }
    return touched;
  }

  private *partsOfSite(excluded: Exclusions): Generator<Node> {
    const touched = this.touched(excluded);
    for (const project of this.site.children) {
      if (excluded.projects.has(project.id)) continue;
      if (!touched.has(project.id)) yield project;
      else for (const component of project.children) if (!excluded.components.has(component.id)) yield component;
    }
  }

  private *partsOfLanguage(code: string, excluded: Exclusions): Generator<Node> {
    const touched = this.touched(excluded);
    for (const part of this.languages.get(code)?.children ?? []) {
      const inProject = part as ProjectLanguage;
      if (excluded.projects.has(inProject.projectId)) continue;
      if (!touched.has(inProject.projectId)) yield inProject;
      else yield* this.leaves(inProject, excluded);
    }
  }

  private *leaves(inProject: Node, excluded: Exclusions): Generator<Leaf> {
    for (const part of inProject.children) {
      const leaf = part as Leaf;
      if (!excluded.components.has(leaf.component.id)) yield leaf;
    }
  }

  /** Components of a project without exclusions, and the given ones of other projects, without duplicates. */
  private componentsOf(projectId: number, also: readonly number[], excluded: Exclusions): Set<Component> {
    const chosen = new Set<Component>();
    const take = (component: Component | undefined) => {
      if (component && !excluded.components.has(component.id) && !excluded.projects.has(component.project.id))
        chosen.add(component);
    };
    for (const component of this.projects.get(projectId)?.children ?? []) take(component as Component);
    for (const id of also) take(this.components.get(id));
    return chosen;
  }

  forSite(excluded: Exclusions): Counters {
    if (excluded.projects.size === 0 && excluded.components.size === 0) return this.of(this.site);
    return this.total(this.partsOfSite(excluded));
  }

  /** @param also components of other projects to include */
  forProject(projectId: number, also: readonly number[], excluded: Exclusions): Counters {
    if (also.length === 0 && excluded.components.size === 0 && excluded.projects.size === 0)
      return this.of(this.projects.get(projectId));
    return this.total(this.componentsOf(projectId, also, excluded));
  }

  forComponent(componentId: number): Counters {
    return this.of(this.components.get(componentId));
  }

  forTranslation(translationId: number): Counters {
    return this.of(this.translations.get(translationId));
  }

  forLanguage(code: string, excluded: Exclusions): Counters {
    if (excluded.projects.size === 0 && excluded.components.size === 0) return this.of(this.languages.get(code));
    return this.total(this.partsOfLanguage(code, excluded));
  }

  /** @param also components of other projects to include */
  forProjectLanguage(projectId: number, code: string, also: readonly number[], excluded: Exclusions): Counters {
    if (also.length === 0 && excluded.components.size === 0 && excluded.projects.size === 0) {
      return this.of(this.projectLanguages.get(languageKey(projectId, code)));
    }
    return this.byLanguage(projectId, also, excluded).get(code) ?? emptyCounters();
  }

  forComponents(componentIds: readonly number[], excluded: Exclusions): Counters {
    return this.total(this.componentsOf(0, componentIds, excluded));
  }

  /**
   * Counters by language code over a project's components and others.
   * @param projectId 0: none
   */
  byLanguage(projectId: number, also: readonly number[], excluded: Exclusions): Map<string, Counters> {
    const parts = new Map<string, Node[]>();
    for (const component of this.componentsOf(projectId, also, excluded)) {
      for (const part of component.children) {
        const code = (part as Leaf).language.languageCode;
        const list = parts.get(code);
        if (list) list.push(part);
        else parts.set(code, [part]);
      }
    }
    return new Map([...parts].map(([code, nodes]) => [code, this.total(nodes)]));
  }

  /** Number of objects. */
  sizes(): { translations: number; components: number; projects: number } {
    return {
      translations: this.translations.size,
      components: this.knownComponents.size,
      projects: this.knownProjects.size,
    };
  }
}
