import type { OutgoingEvent } from '@parlance/events';
import type { Addon, Category, Component, ComponentList, Label, Language, Project } from './objects';

/** A page of objects and how many there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}
/** Pages count from 1. */
export interface PageRequest {
  page: number;
  size: number;
}

/** A value that must be unique is taken already. `field` is the setting's name. */
export class TakenError extends Error {
  constructor(readonly field: string) {
    super(`${field} is taken`);
  }
}

/** An object, with a mark that is another one after every write. */
export interface Stamped<T> {
  stamp: string;
  object: T;
}

/** What the directory knows of a project. */
export interface ProjectEntry {
  id: number;
  stamp: string;
  removed: boolean;
  slug: string;
  name: string;
  accessControl: number;
}

/** What the directory knows of a component or category. */
export interface NodeEntry {
  id: number;
  stamp: string;
  kind: 'component' | 'category' | 'removed';
  projectId: number;
  categoryId: number;
  slug: string;
  name: string;
  restricted: boolean;
  locked: boolean;
  languages: readonly string[];
}

/** What the directory knows of a component's add-on. */
export interface AddonEntry {
  id: number;
  removed: boolean;
  componentId: number;
}

export type LanguageEntry = Language & { removed: boolean };

/** Answers what was written since a time, in milliseconds since the epoch, removals included; 0: all that is there. */
export interface SnapshotSource {
  projects(sinceMs: number): Promise<ProjectEntry[]>;
  nodes(sinceMs: number): Promise<NodeEntry[]>;
  languages(sinceMs: number): Promise<LanguageEntry[]>;
  addons(sinceMs: number): Promise<AddonEntry[]>;
}

/** Writes with events announce them: the events are stored in the same write. They throw TakenError. */
export interface ProjectStore {
  get(id: number): Promise<Project | null>;
  bySlug(slug: string): Promise<Project | null>;
  byIds(ids: readonly number[]): Promise<Project[]>;
  stamped(ids: readonly number[]): Promise<Stamped<Project>[]>;
  /** Whether a project has this name or slug; `exceptId` does not count. */
  taken(field: 'name' | 'slug', value: string, exceptId: number): Promise<boolean>;
  insert(project: Project, events: readonly OutgoingEvent[]): Promise<void>;
  /** False when the stored version is another than `project.version - 1`. */
  replace(project: Project, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** From now on there is no such project; its name and slug are free. False when there was none. */
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
}

export interface ComponentStore {
  get(id: number): Promise<Component | null>;
  bySlug(projectId: number, categoryId: number, slug: string): Promise<Component | null>;
  byIds(ids: readonly number[]): Promise<Component[]>;
  stamped(ids: readonly number[]): Promise<Stamped<Component>[]>;
  /** Ids of components that the project shows besides its own. */
  linkedInto(projectId: number): Promise<number[]>;
  /** Components that share the repository of one of these. */
  sharing(ids: readonly number[]): Promise<Component[]>;
  /** Whether others share the component's repository or are about to. */
  isShared(id: number): Promise<boolean>;
  /** Components with a repository of their own that have one of the keys; null: all of the project. */
  byKeys(keys: readonly string[] | null, projectId: number): Promise<Component[]>;
  /** False when the component whose repository it is to share has none of its own any more. */
  insert(component: Component, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** The same, and false when the stored version is another than `component.version - 1`. */
  replace(component: Component, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** From now on there is no such component; its name and slug are free. False when there was none. */
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** Takes all components of a removed project out of sight; answers their ids (those of an earlier, interrupted call too). */
  hideOfProject(projectId: number): Promise<number[]>;
  /** The removal of components that were hidden is announced: they are not answered again. */
  forget(ids: readonly number[]): Promise<void>;
  /** Sets the task, or clears it when it is still this one. */
  setTask(id: number, taskId: string, completed: boolean): Promise<void>;
  /** Adds to the languages a component has; answers whether one was new. */
  addLanguages(id: number, codes: readonly string[]): Promise<boolean>;
  removeLanguage(id: number, code: string): Promise<void>;
}

/** How the categories of a project lie in one another. */
export interface CategoryTree {
  /** Grows with every category that is made or replaced, and every component that comes into one or leaves it. */
  version: number;
  categories: Category[];
}

export interface CategoryStore {
  get(id: number): Promise<Category | null>;
  byIds(ids: readonly number[]): Promise<Category[]>;
  ofProject(projectId: number): Promise<Category[]>;
  /** The project's categories with the state in which they lie in one another; null: there is no such project. */
  tree(projectId: number): Promise<CategoryTree | null>;
  /**
   * Makes (version 1) or replaces a category. What holds for a tree holds for several documents at once, so that nothing was
   * written to any of them since the tree was read is a condition of the write.
   * @returns false when something was, or the stored version is another than `category.version - 1`
   */
  put(category: Category, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** The same for a component that comes into a category or leaves one; see ComponentStore. */
  putComponent(component: Component, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean>;
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  removeOfProject(projectId: number): Promise<void>;
  /** Whether a category or component of the level has this name or slug; `exceptId` does not count. */
  taken(
    projectId: number,
    categoryId: number,
    field: 'name' | 'slug',
    value: string,
    exceptId: number,
  ): Promise<boolean>;
}

export interface LanguageStore {
  get(code: string): Promise<Language | null>;
  insert(language: Language): Promise<void>;
  replace(language: Language): Promise<boolean>;
  remove(code: string): Promise<boolean>;
}

export interface LabelStore {
  byIds(ids: readonly number[]): Promise<Label[]>;
  page(projectId: number, request: PageRequest): Promise<Page<Label>>;
  /** Whether a label of the project has this name. */
  taken(projectId: number, name: string): Promise<boolean>;
  insert(label: Label): Promise<void>;
  remove(projectId: number, id: number): Promise<boolean>;
  removeOfProject(projectId: number): Promise<void>;
}

export interface ComponentListStore {
  get(id: number): Promise<ComponentList | null>;
  bySlug(slug: string): Promise<ComponentList | null>;
  all(): Promise<ComponentList[]>;
  insert(list: ComponentList): Promise<void>;
  replace(list: ComponentList): Promise<boolean>;
  remove(id: number): Promise<boolean>;
  /** Adds or takes out components; repeatable. */
  change(id: number, add: readonly number[], remove: readonly number[]): Promise<void>;
  removeComponents(componentIds: readonly number[]): Promise<void>;
}

export interface AddonFilter {
  componentIds?: readonly number[];
  projectIds?: readonly number[];
  name?: string;
  /** Add-ons of the site too. */
  site?: boolean;
}

export interface AddonStore {
  get(id: number): Promise<Addon | null>;
  /** Those installed in any of the components or projects themselves, ordered by id. */
  find(filter: AddonFilter): Promise<Addon[]>;
  /** All but those of hidden projects and components; of the site only when asked for. */
  page(
    hidden: { projects: readonly number[]; components: readonly number[] },
    site: boolean,
    request: PageRequest,
  ): Promise<Page<Addon>>;
  /** @param single at most one add-on of this name there; else TakenError('name') */
  insert(addon: Addon, single: boolean, events: readonly OutgoingEvent[]): Promise<void>;
  replace(addon: Addon, events: readonly OutgoingEvent[]): Promise<boolean>;
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  removeOf(componentIds: readonly number[], projectId: number): Promise<void>;
}

/** New ids, ascending for each kind of object. */
export interface IdSource {
  next(kind: 'project' | 'node' | 'language' | 'label' | 'list' | 'addon'): Promise<number>;
}

/** Keeps texts unreadable at rest. */
export interface SecretSealer {
  seal(text: string): string;
  /** @throws when the text was sealed with another key or is damaged */
  open(sealed: string): string;
}

/** What is to be found out about a repository. */
export interface RepositoryRequest {
  vcs: string;
  /** With credentials. */
  repo: string;
  push: string;
  branch: string;
  pushBranch: string;
  filemask: string;
  template: string;
  newBase: string;
  fileFormat: string;
  fileFormatParams: Record<string, unknown>;
  intermediate: string;
  languageRegex: string;
  newLang: string;
  sourceLanguage: string;
  componentId: number;
  linkedComponentId: number;
  /** zip or document; '' when the repository has a remote or is shared. */
  archiveKind: '' | 'zip' | 'document';
}

/** Who accepted the agreement of a component, and which wording of it. */
export interface AgreementStore {
  get(componentId: number, userId: number): Promise<{ digest: string; timeMs: number } | null>;
  put(componentId: number, userId: number, digest: string, timeMs: number): Promise<void>;
  removeOf(componentIds: readonly number[]): Promise<void>;
  removeOfUser(userId: number): Promise<void>;
}

/** The repositories' keeper. Problems are field errors. */
export interface RepositoryClient {
  prepare(
    request: RepositoryRequest,
    archive: AsyncIterable<Uint8Array> | null,
    caller: ForwardedContext,
  ): Promise<{ taskId: string; branch: string; files: string[] }>;
  /** Whether a file exists in a component's repository. */
  hasFile(componentId: number, path: string): Promise<boolean>;
}

/** The maker of projects' teams. */
export interface ProjectTeamsClient {
  ensure(project: Project, creatorUserId: number, caller: ForwardedContext): Promise<void>;
}

/** On whose behalf something is asked of another service; made by the transport and passed on as it is. */
export type ForwardedContext = object;

/** A webhook that an add-on stands for. */
export interface Webhook {
  addonId: number;
  /** 0: of the whole site. */
  projectId: number;
  /** 0: of the whole project. */
  componentId: number;
  url: string;
  /** Action numbers; none: all. */
  events: readonly number[];
  /** Empty: what is sent is not signed. */
  secret: string;
  /** Slack messages instead of changes. */
  slack: boolean;
}

/** The service that sends changes to other systems. */
export interface WebhookClient {
  /** @throws INVALID with the fields webhook_url, events, secret */
  check(webhook: Webhook): Promise<void>;
  /** Makes or replaces the add-on's subscription. */
  put(webhook: Webhook): Promise<void>;
  /** Removes the add-on's subscription; none is no error. */
  remove(addonId: number): Promise<void>;
}
