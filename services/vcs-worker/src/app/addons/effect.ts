import type { AddonEvent, TemplateScope } from '@parlance/contracts';
import type { Signature } from '@parlance/git';
import type { InstalledAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import type { Log, Deps } from '../deps';
import type { RepositoryWork } from '../repository/repository-work';
import type { StagedFiles } from './staged-files';

/** A translation file of the component. */
export interface TranslationFile {
  translationId: number;
  path: string;
  /** Language code as in the file name. */
  code: string;
  /** Canonical language code. */
  language: string;
  languageName: string;
  plural: { count: number; formula: string };
}

/** Context of every effect. Files have the state of the next commit. */
export interface EffectContext {
  addon: InstalledAddon;
  component: Component;
  files: StagedFiles;
  log: Log;
  /** Template variables for a translation. */
  scope(file: TranslationFile): Promise<TemplateScope>;
}

/** A commit with edits of one translation is about to be created. */
export interface CommitContext extends EffectContext {
  file: TranslationFile;
  author: Signature;
}

/** Maintenance of files in a separate commit. */
export interface MaintenanceContext extends EffectContext {
  event: AddonEvent;
  /** Translations of the component without the source language. */
  translations: readonly TranslationFile[];
}

/** Work outside of the repository lease: on strings, languages and components. */
export interface TaskContext {
  deps: Deps;
  addon: InstalledAddon;
  component: Component;
  event: AddonEvent;
  log: Log;
  /** Adds a language to a component as the site. @throws ServiceError */
  addLanguage(component: number, code: string): Promise<number>;
}

/** Effect of an add-on. Every method is idempotent. The table of add-ons (`events`) determines when it runs. */
export interface Effect {
  /** On `commit`. */
  changeCommit?(context: CommitContext): Promise<void>;
  /** On `install`, `update`, `language` and `daily`. */
  maintainFiles?(context: MaintenanceContext): Promise<void>;
  /** On the same events, after the files. */
  runTask?(context: TaskContext): Promise<void>;
  /** On `push`. */
  beforePush?(deps: Deps, work: RepositoryWork, addon: InstalledAddon): Promise<void>;
}
