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
  /** Code as the file's name spells it. */
  code: string;
  /** Canonical code. */
  language: string;
  languageName: string;
  plural: { count: number; formula: string };
}

/** What every effect works with. Files are as they will be committed. */
export interface EffectContext {
  addon: InstalledAddon;
  component: Component;
  files: StagedFiles;
  log: Log;
  /** Variables of templates for a translation. */
  scope(file: TranslationFile): Promise<TemplateScope>;
}

/** A commit with edits of one translation is about to be made. */
export interface CommitContext extends EffectContext {
  file: TranslationFile;
  author: Signature;
}

/** Files are brought in order, in a commit of its own. */
export interface UpkeepContext extends EffectContext {
  event: AddonEvent;
  /** Of the component, its source language left out. */
  translations: readonly TranslationFile[];
}

/** Work outside of the repository's turn: on strings, languages and components. */
export interface ActContext {
  deps: Deps;
  addon: InstalledAddon;
  component: Component;
  event: AddonEvent;
  log: Log;
  /** Adds a language to a component in the name of the site. @throws ServiceError */
  addLanguage(component: number, code: string): Promise<number>;
}

/**
 * What an add-on does. Every part is repeatable: what is in order already stays untouched. When an add-on does it stands in the table
 * of add-ons (`events`).
 */
export interface Effect {
  /** On `commit`. */
  inCommit?(context: CommitContext): Promise<void>;
  /** On `install`, `update`, `language` and `daily`. */
  upkeep?(context: UpkeepContext): Promise<void>;
  /** On the same, after the files. */
  act?(context: ActContext): Promise<void>;
  /** On `push`. */
  beforePush?(deps: Deps, work: RepositoryWork, addon: InstalledAddon): Promise<void>;
}
