import type { catalog, common, translation } from '@parlance/contracts';
import type { StoredAddon } from './addon';
import type { Component } from './component';

/** A file on its way to the translation service. */
export interface ImportFile {
  path: string;
  /** Blob hash. */
  hash: string;
  language: common.LanguageInfo__Output;
  /** Code as the file name spells it. */
  code: string;
  kind: 'translation' | 'template' | 'newBase' | 'intermediate';
  bytes: Buffer;
}

export interface ImportOptions {
  /** Translations whose files are not sent are gone. */
  complete: boolean;
  initial: boolean;
  /** The files were uploaded by a person. */
  upload?: boolean;
  author?: common.Author;
  /** Texts that add-ons want people to look at. */
  marks?: translation.ImportMarks;
}

/** What became of a file, or of the whole import. */
export type ImportAnswer =
  { file: translation.ImportFileResult__Output } | { summary: translation.ImportSummary__Output };

export type PendingGroup = translation.PendingGroup__Output;
export type FileConflict = translation.Conflict__Output;

/** What an add-on changes of a string. Absent: it stays. */
export interface UnitEdit {
  target?: string[];
  state?: number;
  extraFlags?: string;
  labels?: number[];
}

/** A file with edits applied. */
export interface RenderedFile {
  bytes: Buffer;
  editIds: string[];
  /** Number of edits that the file cannot hold. */
  skipped: number;
  changed: boolean;
}

export interface CommittedFile {
  translationId: number;
  editIds: readonly string[];
  commit: string;
  /** Blob hash of the file. */
  revision: string;
}

/** A commit operation: its groups, files and commits are based on one read of the pending edits. Calls run one at a time. */
export interface PendingCommits {
  /** In commit order. */
  readonly groups: readonly PendingGroup[];
  /** Applies a group's edits to a file. @throws ServiceError INVALID when the file cannot be read */
  render(group: PendingGroup, bytes: Buffer): Promise<RenderedFile>;
  /** Removes the strings that a group removes from the intermediate file. @throws ServiceError INVALID when it cannot be read */
  renderIntermediate(group: PendingGroup, bytes: Buffer): Promise<Buffer>;
  markCommitted(files: readonly CommittedFile[]): Promise<void>;
  close(): Promise<void>;
}

/** The translation service, as this service needs it. */
export interface Translations {
  /** Waiting edits, in the order of the commits to be made. */
  pending(component: Component): Promise<PendingGroup[]>;
  /** Whether edits wait in one of some components. */
  anyPending(components: readonly number[]): Promise<boolean>;
  /** Starts a commit operation on a component; the caller closes it. */
  openPending(component: Component): Promise<PendingCommits>;
  /** Applies a group's edits to a file. @throws ServiceError INVALID when the file cannot be read */
  render(component: Component, group: PendingGroup, bytes: Buffer): Promise<RenderedFile>;
  /** Merges three versions string by string; empty base: there was none. @throws ServiceError INVALID */
  merge(
    component: Component,
    translationId: number,
    versions: { base: Buffer; local: Buffer; upstream: Buffer },
  ): Promise<{ bytes: Buffer; conflicts: FileConflict[] }>;
  recordConflicts(conflicts: readonly FileConflict[], upstreamCommit: string): Promise<void>;
  discard(component: number): Promise<void>;
  /** Sends files and gives each answer as soon as it comes; sending does not wait for answers. */
  import(component: Component, options: ImportOptions, files: AsyncIterable<ImportFile>): AsyncIterable<ImportAnswer>;
  list(component: number): Promise<translation.Translation__Output[]>;
  /** Null: there is none. */
  get(id: number): Promise<translation.Translation__Output | null>;
  /** @param author who removes it */
  remove(id: number, author: common.Author): Promise<void>;
  /** Units of a translation that a query selects, in file order. @throws ServiceError INVALID when the query does not parse */
  units(translationId: number, query: string): Promise<translation.Unit__Output[]>;
  unit(id: number): Promise<translation.Unit__Output | null>;
  /** An edit of an add-on. @throws ServiceError LOCKED, INVALID, PERMISSION_DENIED (read-only), NOT_FOUND */
  edit(id: number, edit: UnitEdit, addon: translation.AddonEdit): Promise<void>;
  /**
   * Removes a component's suggestions that were made before a time (milliseconds since the epoch) and have at most so many votes;
   * answers how many.
   */
  removeOldSuggestions(component: number, before: number, maxVotes: number): Promise<number>;
  /** The same for comments. */
  removeOldComments(component: number, before: number): Promise<number>;
  /** Translates automatically and waits for the end; answers a sentence for people. @throws ServiceError INVALID, LOCKED */
  autotranslate(translationId: number, wish: Omit<translation.AutotranslateRequest, 'translationId'>): Promise<string>;
  /** The file with everything that waits; null when it has none. */
  file(id: number): Promise<Buffer | null>;
}

/** The media service, as this service needs it. */
export interface Media {
  /** Screenshots of a component that come from its repository: ids by path. */
  ofComponent(component: number): Promise<Map<string, number>>;
  /** @throws ServiceError INVALID when the bytes are no image that is taken */
  create(translation: translation.Translation__Output, name: string, path: string, bytes: Buffer): Promise<void>;
  /** Puts another image in the place of the one there is. @throws ServiceError INVALID */
  replace(id: number, path: string, bytes: Buffer): Promise<void>;
}

/** The catalog, as this service needs it. */
export interface Catalog {
  /** With credentials. Null: there is no such component. */
  component(id: number): Promise<Component | null>;
  components(ids: readonly number[]): Promise<Component[]>;
  /** Whether a caller may know of a component. */
  visible(id: number, as: string): Promise<boolean>;
  /** In the order of the codes; unknown languages are made. */
  resolve(project: number, codes: readonly string[], component: number): Promise<common.LanguageInfo__Output[]>;
  language(code: string): Promise<catalog.Language__Output | null>;
  /** Add-ons that act on one of the components: theirs, their projects', the site's. With their secrets. */
  addons(components: readonly number[]): Promise<StoredAddon[]>;
  /** Labels of a project: ids by name. */
  labels(project: number): Promise<Map<string, number>>;
  /** Add-ons with a name, wherever they are installed. */
  addonsNamed(name: string): Promise<StoredAddon[]>;
  /** @throws ServiceError INVALID */
  installAddon(component: number, name: string, configuration: Readonly<Record<string, unknown>>): Promise<void>;
  /** @returns the new component's id @throws ServiceError INVALID */
  createComponent(project: number, input: catalog.ComponentInput): Promise<number>;
  deleteComponent(id: number): Promise<void>;
  /** Shows people which task works for a component. */
  setTask(component: number, task: string, completed: boolean): Promise<void>;
}
