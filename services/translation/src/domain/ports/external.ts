import type { Component } from '../component';
import type { Author } from '../unit';

/** Component settings, cached. */
export interface Catalog {
  /** @param generation catalog generation that the caller has seen; '' when unknown: the settings are up to two seconds old */
  component(id: number, generation: string): Promise<Component | null>;
}

/** Generation of the settings of components; the catalog replaces it after each write. */
export interface CatalogGeneration {
  /** '' when unknown. */
  current(): Promise<string>;
  /** Replaces it for all processes. */
  replace(): Promise<void>;
}

export interface CatalogInvalidation {
  forget(id: number): void;
  forgetAll(): void;
}

/** Accepted contributor agreements. */
export interface Agreements {
  /** Whether a user accepted the current text of the agreement. */
  accepted(component: Component, userId: number): Promise<boolean>;
}

export interface UserLookup {
  userId(username: string): Promise<number | null>;
  /** Name and address for commits; null: there is no such user. */
  author(id: number): Promise<Author | null>;
  /** The deleted users among the ids, with their placeholder names. */
  deletedUsers(ids: readonly number[]): Promise<Author[]>;
  /** Case-insensitive. */
  userWithEmail(email: string): Promise<{ id: number; username: string } | null>;
}

export interface ProjectLookup {
  /**
   * Components of a project, or of all (0).
   * @param generation catalog generation that the caller has seen; '' when unknown
   */
  componentsOf(project: number, generation: string): Promise<readonly Component[]>;
  projectId(slug: string): Promise<number | null>;
  /** By label id. */
  labelNames(ids: readonly number[]): Promise<Map<number, string>>;
}

export interface ScreenshotLookup {
  /** Units that a screenshot shows. @param name of the screenshot; '': any. @param translations empty: any */
  screenshotUnits(translations: readonly number[], name: string, limit: number): Promise<readonly number[]>;
}

/** Data of other services that searches and rules refer to. */
export interface EntityLookup extends UserLookup, ProjectLookup, ScreenshotLookup {}

export interface RepositoryFile {
  bytes: Buffer;
  /** Hash of the bytes. */
  revision: string;
}

/** Files in a component's repository. */
export interface RepositoryFiles {
  /** @param known an earlier result, which is returned if the file is the same; its bytes are not sent again */
  readFile(component: number, path: string, known?: RepositoryFile): Promise<RepositoryFile | null>;
  /** Replaces a file, commits and imports it. @throws INVALID on field file */
  replaceFile(replacement: FileReplacement): Promise<void>;
}

export interface FileReplacement {
  component: number;
  path: string;
  bytes: Buffer;
  author: Author;
  /** The file is the base: every translation gets its strings in the same commit. */
  updateTranslations: boolean;
}

/** Progress of long-running work, shown to users. */
export interface Tasks {
  /** @returns the id of the task */
  start(component: number): Promise<string>;
  report(id: string, component: number, state: TaskState): Promise<void>;
}

export interface TaskState {
  /** Percent. */
  progress: number;
  log: string[];
  result: unknown;
  completed: boolean;
}
