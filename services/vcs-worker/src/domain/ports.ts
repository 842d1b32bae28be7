import type { catalog, common, translation } from '@parlance/contracts';
import type { StoredAddon } from './addon';
import type { Component } from './component';

/** Generations of contents: gateways keep replies until their contents change (docs/adr/0058). */
export interface ContentGenerations {
  /**
   * Called after a write of what the state of repositories shows, and before its response. Does not fail.
   * @param places components that use the repository; 0: none
   */
  changed(places: readonly { project: number; component: number }[]): Promise<void>;
}

/** A file to import. */
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
  /** Translations without a file are deleted. */
  complete: boolean;
  initial: boolean;
  /** A user uploaded the files. */
  upload?: boolean;
  author?: common.Author;
  /** Marks of add-ons. */
  marks?: translation.ImportMarks;
  /** Repository of the files, and the fencing token of its lease. */
  lease: { repository: string; token: number };
  signal?: AbortSignal;
}

/** Result of a file, or of the whole import. */
export type ImportAnswer =
  { file: translation.ImportFileResult__Output } | { summary: translation.ImportSummary__Output };

export type PendingGroup = translation.PendingGroup__Output;
export type FileConflict = translation.Conflict__Output;

/** Changes of an add-on to a unit; missing fields keep their value. */
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
  /** Number of edits that the file cannot represent. */
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
  /** Applies a group's edits to a file. @throws ServiceError INVALID if the file cannot be parsed */
  render(group: PendingGroup, bytes: Buffer): Promise<RenderedFile>;
  /** Deletes the strings that a group deletes from the intermediate file. @throws ServiceError INVALID if it cannot be parsed */
  renderIntermediate(group: PendingGroup, bytes: Buffer): Promise<Buffer>;
  markCommitted(files: readonly CommittedFile[]): Promise<void>;
  close(): Promise<void>;
}

/** Calls to the translation service. */
export interface TranslationClient {
  /** Pending edits, in commit order. */
  pending(component: Component): Promise<PendingGroup[]>;
  /** Whether one of the components has pending edits. */
  anyPending(components: readonly number[]): Promise<boolean>;
  /** Starts a commit operation on a component; the caller closes it. */
  openPending(component: Component): Promise<PendingCommits>;
  /** Applies a group's edits to a file. @throws ServiceError INVALID if the file cannot be parsed */
  render(component: Component, group: PendingGroup, bytes: Buffer): Promise<RenderedFile>;
  /** Merges three versions string by string; an empty base means none. @throws ServiceError INVALID */
  merge(
    component: Component,
    translationId: number,
    versions: { base: Buffer; local: Buffer; upstream: Buffer },
  ): Promise<{ bytes: Buffer; conflicts: FileConflict[] }>;
  recordConflicts(conflicts: readonly FileConflict[], upstreamCommit: string): Promise<void>;
  discard(component: number): Promise<void>;
  /** Sends files and yields results as they arrive; sending does not wait for results. */
  import(component: Component, options: ImportOptions, files: AsyncIterable<ImportFile>): AsyncIterable<ImportAnswer>;
  list(component: number): Promise<translation.Translation__Output[]>;
  /** Null when it does not exist. */
  get(id: number): Promise<translation.Translation__Output | null>;
  /** @param author author of the removal */
  remove(id: number, author: common.Author): Promise<void>;
  /** Units of a translation that a query selects, in file order. @throws ServiceError INVALID when the query does not parse */
  units(translationId: number, query: string): Promise<translation.Unit__Output[]>;
  unit(id: number): Promise<translation.Unit__Output | null>;
  /** An edit of an add-on. @throws ServiceError LOCKED, INVALID, PERMISSION_DENIED (read-only), NOT_FOUND */
  edit(id: number, edit: UnitEdit, addon: translation.AddonEdit): Promise<void>;
  /**
   * Deletes a component's suggestions created before a time (milliseconds since the epoch) with at most `maxVotes` votes.
   * @returns their number
   */
  removeOldSuggestions(component: number, before: number, maxVotes: number): Promise<number>;
  /** The same for comments. */
  removeOldComments(component: number, before: number): Promise<number>;
  /** Runs automatic translation to its end. @returns a summary for users @throws ServiceError INVALID, LOCKED */
  autotranslate(
    translationId: number,
    request: Omit<translation.AutotranslateRequest, 'translationId'>,
  ): Promise<string>;
  /** The file with pending edits applied; null when the translation has no file. */
  file(id: number): Promise<Buffer | null>;
}

/** Calls to the media service. */
export interface MediaClient {
  /** Screenshots of a component that come from its repository: ids by path. */
  ofComponent(component: number): Promise<Map<string, number>>;
  /** @throws ServiceError INVALID if the bytes are not a supported image */
  create(translation: translation.Translation__Output, name: string, path: string, bytes: Buffer): Promise<void>;
  /** Replaces the image. @throws ServiceError INVALID */
  replace(id: number, path: string, bytes: Buffer): Promise<void>;
}

/** Calls to the catalog. */
export interface CatalogClient {
  /** A component with credentials; null when it does not exist. */
  component(id: number): Promise<Component | null>;
  /** @param generation of the catalog that the caller of a read has seen; absent: the current settings */
  components(ids: readonly number[], generation?: string): Promise<Component[]>;
  /** Whether a component is visible to a caller. */
  visible(id: number, as: string, generation: string): Promise<boolean>;
  /** Languages in the order of the codes; unknown ones are created. */
  resolve(project: number, codes: readonly string[], component: number): Promise<common.LanguageInfo__Output[]>;
  language(code: string): Promise<catalog.Language__Output | null>;
  /** Add-ons that apply to one of the components: theirs, their projects', the site's. Includes secrets. */
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
  /** Records the task that is shown for a component. */
  setTask(component: number, task: string, completed: boolean): Promise<void>;
}
