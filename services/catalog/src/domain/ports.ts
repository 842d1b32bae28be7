import type { OutgoingEvent } from '@parlance/events';
import type { Addon, Category, Component, ComponentList, Label, Language, Project } from './objects';

/** A page of objects and their total number. */
export interface Page<T> {
  items: T[];
  total: number;
}
/** Pages are numbered from 1. */
export interface PageRequest {
  page: number;
  size: number;
}

/** A unique value is already in use. `field` is the setting's name. */
export class TakenError extends Error {
  constructor(readonly field: string) {
    super(`${field} is taken`);
  }
}

/** An object with a stamp that changes with every write. */
export interface Stamped<T> {
  stamp: string;
  object: T;
}

/** Fields of a project in the catalog snapshot. */
export interface ProjectEntry {
  id: number;
  stamp: string;
  removed: boolean;
  slug: string;
  name: string;
  accessControl: number;
}

/** Fields of a component or category in the catalog snapshot. */
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

/** Fields of a component's add-on in the catalog snapshot. */
export interface AddonEntry {
  id: number;
  removed: boolean;
  componentId: number;
}

export type LanguageEntry = Language & { removed: boolean };

/** Returns changes since a time in milliseconds since the epoch, including deletions; 0: all objects. */
export interface SnapshotSource {
  projects(sinceMs: number): Promise<ProjectEntry[]>;
  nodes(sinceMs: number): Promise<NodeEntry[]>;
  languages(sinceMs: number): Promise<LanguageEntry[]>;
  addons(sinceMs: number): Promise<AddonEntry[]>;
}

/** Writes store their events in the same document (outbox). They throw TakenError. */
export interface ProjectStore {
  get(id: number): Promise<Project | null>;
  bySlug(slug: string): Promise<Project | null>;
  byIds(ids: readonly number[]): Promise<Project[]>;
  stamped(ids: readonly number[]): Promise<Stamped<Project>[]>;
  /** Whether a project has this name or slug; `exceptId` is ignored. */
  taken(field: 'name' | 'slug', value: string, exceptId: number): Promise<boolean>;
  insert(project: Project, events: readonly OutgoingEvent[]): Promise<void>;
  /** False if the stored version is not `project.version - 1`. */
  replace(project: Project, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** Deletes a project and frees its name and slug. False if it does not exist. */
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
}

export interface ComponentStore {
  get(id: number): Promise<Component | null>;
  bySlug(projectId: number, categoryId: number, slug: string): Promise<Component | null>;
  byIds(ids: readonly number[]): Promise<Component[]>;
  stamped(ids: readonly number[]): Promise<Stamped<Component>[]>;
  /** Ids of components of other projects that the project shows. */
  linkedInto(projectId: number): Promise<number[]>;
  /** Components that share the repository of one of these. */
  sharing(ids: readonly number[]): Promise<Component[]>;
  /** Whether other components share the component's repository or are about to. */
  isShared(id: number): Promise<boolean>;
  /** Components with their own repository that have one of the keys; null: all of the project. */
  byKeys(keys: readonly string[] | null, projectId: number): Promise<Component[]>;
  /** False if the component to link to no longer has its own repository. */
  insert(component: Component, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** The same, and false if the stored version is not `component.version - 1`. */
  replace(component: Component, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** Deletes a component and frees its name and slug. False if it does not exist. */
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** Hides all components of a deleted project; returns their ids, including those of an earlier, interrupted call. */
  hideOfProject(projectId: number): Promise<number[]>;
  /** Marks the deletion of hidden components as announced: they are not returned again. */
  forget(ids: readonly number[]): Promise<void>;
  /** Sets the task, or clears it if it is still this one. */
  setTask(id: number, taskId: string, completed: boolean): Promise<void>;
  /** Adds to a component's languages; returns whether one was new. */
  addLanguages(id: number, codes: readonly string[]): Promise<boolean>;
  removeLanguage(id: number, code: string): Promise<void>;
}

/** The category tree of a project. */
export interface CategoryTree {
  /** Incremented when a category is created or replaced, and when a component is added to or removed from one. */
  version: number;
  categories: Category[];
}

export interface CategoryStore {
  get(id: number): Promise<Category | null>;
  stamped(ids: readonly number[]): Promise<Stamped<Category>[]>;
  ofProject(projectId: number): Promise<Category[]>;
  /** The project's categories with the version of their tree; null if the project does not exist. */
  tree(projectId: number): Promise<CategoryTree | null>;
  /**
   * Creates (version 1) or replaces a category. Constraints of the tree span several documents, so the write is conditional on
   * the tree's version.
   * @returns false if the tree's version changed, or the stored version is not `category.version - 1`
   */
  put(category: Category, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean>;
  /** The same for a component that is added to or removed from a category; see ComponentStore. */
  putComponent(component: Component, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean>;
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  removeOfProject(projectId: number): Promise<void>;
  /** Whether a category or component of the level has this name or slug; `exceptId` is ignored. */
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
  /** Adds or removes components; idempotent. */
  change(id: number, add: readonly number[], remove: readonly number[]): Promise<void>;
  removeComponents(componentIds: readonly number[]): Promise<void>;
}

export interface AddonFilter {
  componentIds?: readonly number[];
  projectIds?: readonly number[];
  name?: string;
  /** Includes add-ons of the site. */
  site?: boolean;
}

export interface AddonStore {
  get(id: number): Promise<Addon | null>;
  /** Add-ons installed in any of the components or projects themselves, ordered by id. */
  find(filter: AddonFilter): Promise<Addon[]>;
  /** All except those of hidden projects and components; add-ons of the site only on request. */
  page(
    hidden: { projects: readonly number[]; components: readonly number[] },
    site: boolean,
    request: PageRequest,
  ): Promise<Page<Addon>>;
  /** @param single allows at most one add-on of this name in the scope; else TakenError('name') */
  insert(addon: Addon, single: boolean, events: readonly OutgoingEvent[]): Promise<void>;
  replace(addon: Addon, events: readonly OutgoingEvent[]): Promise<boolean>;
  remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean>;
  removeOf(componentIds: readonly number[], projectId: number): Promise<void>;
}

/** New ids, ascending for each kind of object. */
export interface IdSource {
  next(kind: 'project' | 'node' | 'language' | 'label' | 'list' | 'addon'): Promise<number>;
}

/** Encrypts secrets at rest. */
export interface SecretSealer {
  seal(text: string): string;
  /** @throws if the text was sealed with another key or is damaged */
  open(sealed: string): string;
}

/** Request to validate a repository. */
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
  /** zip or document; '' if the repository has a remote or is shared. */
  archiveKind: '' | 'zip' | 'document';
}

/** Acceptances of agreements, by user and text. */
export interface AgreementStore {
  get(componentId: number, userId: number): Promise<{ digest: string; timeMs: number } | null>;
  put(componentId: number, userId: number, digest: string, timeMs: number): Promise<void>;
  removeOf(componentIds: readonly number[]): Promise<void>;
  removeOfUser(userId: number): Promise<void>;
}

/** Maintenance mode while it is on. */
export interface Maintenance {
  message: string;
  retryAfterSeconds: number;
  /** Milliseconds since the epoch. */
  sinceMs: number;
  /** Time at which the mode ends by itself, milliseconds since the epoch; 0: never. */
  untilMs: number;
}

/** The maintenance mode of the installation. */
export interface MaintenanceStore {
  /** Null: off. */
  get(): Promise<Maintenance | null>;
  /** Keeps the time since when an existing one is on. */
  put(maintenance: Maintenance): Promise<Maintenance>;
  remove(): Promise<void>;
}

/** Client of the repositories' service. Problems are field errors. */
export interface RepositoryClient {
  prepare(
    request: RepositoryRequest,
    archive: AsyncIterable<Uint8Array> | null,
    caller: ForwardedContext,
  ): Promise<{ taskId: string; branch: string; files: string[] }>;
  /** Whether a file exists in a component's repository. */
  hasFile(componentId: number, path: string): Promise<boolean>;
}

/** Client of the service that creates teams of projects. */
export interface ProjectTeamsClient {
  ensure(project: Project, creatorUserId: number, caller: ForwardedContext): Promise<void>;
}

/** Caller and deadline for calls to other services; created by the transport and passed on unchanged. */
export type ForwardedContext = object;

/** The webhook of an add-on. */
export interface Webhook {
  addonId: number;
  /** 0: the whole site. */
  projectId: number;
  /** 0: the whole project. */
  componentId: number;
  url: string;
  /** Action numbers; empty: all. */
  events: readonly number[];
  /** Empty: requests are not signed. */
  secret: string;
  /** Send Slack messages instead of changes. */
  slack: boolean;
}

/** Client of the service that sends webhooks. */
export interface WebhookClient {
  /** @throws INVALID with the fields webhook_url, events, secret */
  check(webhook: Webhook): Promise<void>;
  /** Creates or replaces the add-on's subscription. */
  put(webhook: Webhook): Promise<void>;
  /** Deletes the add-on's subscription; idempotent. */
  remove(addonId: number): Promise<void>;
}

/** The restore of one project from a backup. */
export interface ProjectRestoreStore {
  /** New ids of the projects of the restore in progress and of the last abandoned one; 0: none. */
  state(): Promise<{ current: number; abandoned: number }>;
  begin(project: number): Promise<void>;
  /** @param abandoned 0: it is complete */
  end(abandoned: number): Promise<void>;
  /** The project, once it was loaded. */
  loaded(): Promise<Pick<Project, 'settings'> | null>;
  /** Loaded components, which are still hidden. */
  components(project: number): Promise<number[]>;
  /** Inserts the project, which shows it with its components. @throws TakenError */
  show(events: readonly OutgoingEvent[]): Promise<void>;
}
