import { importMark } from '../../domain/import-marks';
import { ServiceError } from '@parlance/errors';
import { FormatError } from '@parlance/formats';
import { eachInSlices, mapInSlices } from '@parlance/workload';
import { currentComponent } from '../caches/current-component';
import { rerunIfChanged, type RerunIfChangedDeps } from '../checks/current-settings';
import { Action } from '../../domain/change';
import type { Component, Language } from '../../domain/component';
import { count, emptyCounters } from '../../domain/counters';
import type { Translation } from '../../domain/translation';
import { NO_AUTHOR } from '../../domain/pending';
import { deriveState } from '../../domain/source-text';
import { State, type Unit } from '../../domain/unit';
import { mergeIntermediate } from './intermediate-sources';
import { KeyFilter, KeyFilterError } from './key-filter';
import { withFormatPlurals } from './category-plurals';
import { withDeclaredPlurals, completeFromTemplate, blankUnit, type FileEntry, withPluralForms } from './file-entry';
import type { ImportOptions } from './import-options';
import { SourceStrings } from './source-strings';
import { readEntries } from './read-entries';
import { removeUnusedSources } from './remove-unused-sources';
import { changeOfTranslation, numberChanges } from '../history';
import { mergeIntoTranslation, type MergeCounts, type MergeImportDeps } from './merge-import';
import { type ApplySourceTextsDeps } from '../effects/apply-source-texts';
import { removeComponent, type RemoveComponentDeps } from '../remove-component';
import type {
  Announcer,
  Catalog,
  CatalogInvalidation,
  CheckMarks,
  HistoryWriter,
  PendingUnits,
  RemovalStore,
  SuggestionStore,
  TranslationReader,
  TranslationWriter,
  UnitFields,
} from '../../domain/ports';
import type { FileWorkerPool } from '../files/file-worker-pool';
import type { CacheInvalidation } from '../caches/interfaces';
import type { BackgroundChecks } from '../checks/background-checks';
import { removeTranslation, type RemoveTranslationDeps } from '../remove-translation';

export interface ImportDeps
  extends MergeImportDeps, ApplySourceTextsDeps, RemoveComponentDeps, RemoveTranslationDeps, RerunIfChangedDeps {
  units: MergeImportDeps['units'] & ApplySourceTextsDeps['units'] & UnitFields & PendingUnits;
  translations: MergeImportDeps['translations'] & CheckMarks & TranslationReader & TranslationWriter;
  removals: RemovalStore;
  changes: HistoryWriter;
  announcer: Announcer;
  suggestions: SuggestionStore;
  effects: MergeImportDeps['effects'] & ApplySourceTextsDeps['effects'];
  catalog: Catalog & Pick<CatalogInvalidation, 'forget'>;
  files: Pick<FileWorkerPool, 'parse'>;
  cacheGeneration: CacheInvalidation;
  contextChecks: BackgroundChecks;
}

/** A file of the repository. */
export interface ImportFile {
  path: string;
  language: Language;
  fileLanguageCode: string;
  revision: string;
  kind: 'translation' | 'template' | 'newBase' | 'intermediate';
  bytes: Buffer;
}

export interface FileProblem {
  path: string;
  line: number;
  column: number;
  message: string;
}

export interface ImportFileResult extends MergeCounts {
  path: string;
  translation: number;
  units: number;
  /** The import created the translation. */
  isNew?: true;
  error?: FileProblem;
}

/** Concurrent inserts: parsing continues while the store writes. */
const INSERTS_IN_FLIGHT = 2;

/**
 * Imports the files of one component. A new translation becomes visible when all of its strings are stored. Existing translations are
 * merged string by string; pending edits are never overwritten.
 */
export class ImportSession {
  private sources!: SourceStrings;
  /** Entries of the intermediate file; it precedes the base file. */
  private drafts: FileEntry[] | undefined;
  private readonly keyFilter = new KeyFilter();
  private readonly seenSources = new Set<string>();
  private readonly seenTranslations = new Set<number>();
  private readonly inserts = new Set<Promise<void>>();
  private insertFailure: { error: unknown } | undefined;
  private sourceTranslation!: Translation;
  private sourceIsNew = false;
  private readonly problems: FileProblem[] = [];
  private units = 0;
  private translations = 0;
  private known: Translation[] = [];
  /** The file with the source strings; '' if they come from the translation files. */
  private basePath = '';
  private readonly newTranslations: number[] = [];
  private readonly finishers: (() => Promise<void>)[] = [];

  private constructor(
    private readonly deps: ImportDeps,
    private readonly component: Component,
    private readonly options: ImportOptions,
  ) {}

  static async begin(deps: ImportDeps, component: Component, options: ImportOptions): Promise<ImportSession> {
    const session = new ImportSession(deps, component, options);
    await session.load();
    return session;
  }

  private get monolingual(): boolean {
    return this.component.template !== '';
  }

  private async load(): Promise<void> {
    const { deps, component } = this;
    this.known = await deps.translations.ofComponent(component.id);
    const source = this.known.find((t) => t.isSource);
    if (source) {
      this.sourceTranslation = source;
      this.sources = new SourceStrings(deps, component, this.options, source);
      await this.sources.load();
      return;
    }
    // Deletes the units of an interrupted first import.
    if (this.known.length === 0) await deps.units.removeUnlisted(component.id);
    this.sourceIsNew = true;
    this.sourceTranslation = {
      id: await deps.ids.next('translation'),
      component: component.id,
      project: component.project,
      language: component.sourceLanguage,
      fileLanguageCode: component.sourceLanguage.code,
      filename: component.template,
      revision: '',
      isTemplate: this.monolingual,
      isSource: true,
      counters: emptyCounters(),
      version: 1,
    };
    const insert = (units: Unit[]) => this.insert(units);
    this.sources = new SourceStrings(deps, component, this.options, this.sourceTranslation, insert);
  }

  /** Imports one file. An invalid file is reported and has no effect. */
  async file(file: ImportFile): Promise<ImportFileResult> {
    const unchanged = { path: file.path, translation: 0, units: 0, added: 0, updated: 0, removed: 0, conflicts: [] };
    const known = this.known.find(
      (t) => !t.isSource && (t.filename === file.path || t.language.code === file.language.code),
    );
    if (known && file.kind === 'translation') this.seenTranslations.add(known.id);
    let entries: FileEntry[];
    let language =
      file.kind === 'translation'
        ? withFormatPlurals(this.component.fileFormat, file.language, known?.language)
        : file.language;
    try {
      const parsed = await this.deps.files.parse(this.component.fileFormat, file.bytes, {
        language: file.language.code,
        sourceLanguage: this.component.sourceLanguage.code,
        ...(file.kind === 'newBase'
          ? {}
          : { plural: { count: language.pluralNumber, formula: language.pluralFormula } }),
        params: this.component.fileFormatParams,
        monolingual: this.monolingual,
      });
      entries = await readEntries(this.component, parsed, this.keyFilter);
      language = withDeclaredPlurals(language, parsed.metadata.plural);
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof KeyFilterError)) throw error;
      const { line, column } = error instanceof FormatError ? error : { line: 0, column: 0 };
      const problem = { path: file.path, line, column, message: error.message };
      this.problems.push(problem);
      return { ...unchanged, error: problem };
    }
    if (file.kind === 'intermediate') {
      this.drafts = entries;
      return { ...unchanged, units: entries.length };
    }
    const result =
      file.kind === 'translation'
        ? await this.translation({ ...file, language }, entries, known)
        : await this.importBase(file, entries);
    this.units += result.units;
    this.translations++;
    return result;
  }

  /** Reports a file without reading it. After a problem, the import removes no translations or strings. */
  rejectFile({ path }: Pick<ImportFile, 'path'>, message: string): ImportFileResult {
    const error = { path, line: 0, column: 0, message };
    this.problems.push(error);
    return { path, translation: 0, units: 0, added: 0, updated: 0, removed: 0, conflicts: [], error };
  }

  /** Imports the source strings of a base file. */
  private async importBase(file: ImportFile, read: readonly FileEntry[]): Promise<ImportFileResult> {
    const entries = this.drafts
      ? mergeIntermediate(this.drafts, read)
      : await mapInSlices(read, (entry) => {
          const source = this.monolingual ? entry.target : entry.source;
          return {
            ...entry,
            source,
            target: source,
            state: this.monolingual ? (entry.state === State.fuzzy ? State.fuzzy : State.translated) : State.readonly,
          };
        });
    this.sourceTranslation.revision = file.revision;
    this.basePath = file.path;
    if (this.monolingual) this.sourceTranslation.filename = file.path;
    await eachInSlices(entries, (entry) => this.seenSources.add(entry.key));
    const counts: MergeCounts = { added: 0, updated: 0, removed: 0, conflicts: [] };
    if (this.sourceIsNew) counts.added = await this.sources.add(entries);
    else {
      const merged = await mergeIntoTranslation(
        this.deps,
        this.component,
        this.sourceTranslation,
        entries,
        () => undefined,
        { ...this.options, revision: file.revision, removeMissing: this.monolingual },
      );
      Object.assign(counts, merged);
      await this.sources.load();
    }
    return { path: file.path, translation: this.sourceTranslation.id, units: entries.length, ...counts };
  }

  private async insert(units: Unit[]): Promise<void> {
    while (this.inserts.size >= INSERTS_IN_FLIGHT) await Promise.race(this.inserts);
    this.throwInsertFailure();
    const running: Promise<void> = this.deps.units
      .insert(units)
      .catch((error: unknown) => {
        this.insertFailure ??= { error };
      })
      .finally(() => this.inserts.delete(running));
    this.inserts.add(running);
  }

  /** Throws the error of an insert that failed since it was started. */
  private throwInsertFailure(): void {
    if (this.insertFailure) throw this.insertFailure.error;
  }

  private async translation(
    file: ImportFile,
    read: readonly FileEntry[],
    known: Translation | undefined,
  ): Promise<ImportFileResult> {
    const { pluralNumber } = file.language;
    const entries = await withPluralForms(
      this.monolingual ? await completeFromTemplate(this.sources.byKey, read, pluralNumber) : read,
      pluralNumber,
    );
    if (!this.monolingual) {
      await eachInSlices(entries, (entry) => this.seenSources.add(entry.key));
      await this.sources.add(entries, known);
    }
    if (known) {
      const counts = await mergeIntoTranslation(
        this.deps,
        this.component,
        known.language.code === file.language.code ? { ...known, language: file.language } : known,
        entries,
        (key) => this.sources.byKey.get(key),
        { ...this.options, revision: file.revision, removeMissing: true, filename: file.path },
      );
      return { path: file.path, translation: known.id, units: entries.length, ...counts };
    }
    const translation = await this.newTranslation(file, entries);
    return {
      path: file.path,
      translation,
      isNew: true,
      units: entries.length,
      added: entries.length,
      updated: 0,
      removed: 0,
      conflicts: [],
    };
  }

  private async newTranslation(file: ImportFile, entries: readonly FileEntry[]): Promise<number> {
    const id = await this.deps.ids.next('translation');
    const translation: Translation = {
      id,
      component: this.component.id,
      project: this.component.project,
      language: file.language,
      fileLanguageCode: file.fileLanguageCode,
      filename: file.path,
      revision: file.revision,
      isTemplate: false,
      isSource: false,
      counters: emptyCounters(),
      version: 1,
    };
    const ids = await this.deps.ids.range('unit', entries.length);
    const evaluator = this.deps.evaluators.for(this.component, file.language);
    const now = this.deps.now();
    const units = await mapInSlices(entries, (entry, i): Unit => {
      const sourceInfo = this.sources.byKey.get(entry.key)!;
      const unit: Unit = {
        ...blankUnit(translation, entry, ids[i]!, now),
        position: i + 1,
        words: sourceInfo.words,
        chars: sourceInfo.chars,
        sourceUnit: sourceInfo.id,
        priority: evaluator.priority(entry.flags, sourceInfo.extraFlags),
      };
      Object.assign(
        unit,
        deriveState(unit, unit.source, evaluator.isReadonly(entry.flags, sourceInfo.extraFlags) || !sourceInfo.ready),
      );
      Object.assign(unit, importMark(this.component.importMarks, unit, true, this.options.author, now));
      unit.checks = evaluator.checks({ ...unit, sourceExtraFlags: sourceInfo.extraFlags });
      count(translation.counters, unit, 1);
      return unit;
    });
    await this.insert(units);
    this.finishers.push(() => this.list(translation, file.path, now));
    this.newTranslations.push(id);
    return id;
  }

  /**
   * Waits for inserts, lists the new translations, and removes translations and source strings that no file contains.
   * @throws the errors of inserts and `requireCurrent`; NOT_FOUND when the component was deleted during the import; then all of its data is removed
   */
  async end(): Promise<{ units: number; translations: number; problems: FileProblem[] }> {
    await Promise.all(this.inserts);
    this.throwInsertFailure();
    await this.options.requireCurrent();
    if (this.sourceIsNew) {
      this.sourceTranslation.counters = this.sources.counters;
      await this.list(this.sourceTranslation, this.basePath, this.deps.now());
    } else if (this.sources.needRecount) {
      await this.deps.effects.recountTranslation(this.sourceTranslation.id, []);
    }
    for (const finish of this.finishers) await finish();
    if (this.monolingual && !this.sourceIsNew) await this.sources.spreadConcurrentEdits();
    await this.requireComponent();
    await this.deps.translations.markRecheck([...this.newTranslations]);
    await this.deps.cacheGeneration.changed();
    this.deps.contextChecks.scheduleRecheck();
    await rerunIfChanged(this.deps, this.component);
    if (this.options.complete && this.problems.length === 0) await this.removeMissing();
    return { units: this.units, translations: this.translations, problems: this.problems };
  }

  /** Makes a new translation visible and records it in the history. */
  private async list(translation: Translation, filename: string, time: number): Promise<void> {
    const author = this.options.author ?? NO_AUTHOR;
    const reason = this.options.initial ? 'component created' : 'new file';
    const details = { filename, reason };
    const change = changeOfTranslation(translation, author, author.userId, time, Action.fileUpdated, details);
    translation.counters.lastChange = time;
    await this.deps.translations.insert(translation);
    await this.deps.changes.insert(await numberChanges(this.deps, [change]));
    await this.deps.announcer.updated(translation, 'any');
  }

  /** Removes the data of a component that was deleted before the import listed its translations. */
  private async requireComponent(): Promise<void> {
    const { deps, component } = this;
    if (await currentComponent(deps.catalog, component.id)) return;
    await removeComponent(deps, component.id);
    throw new ServiceError('NOT_FOUND', { message: 'The component was deleted during the import.' });
  }

  private async removeMissing(): Promise<void> {
    for (const translation of this.known) {
      if (translation.isSource || this.seenTranslations.has(translation.id)) continue;
      await removeTranslation(this.deps, translation, this.options.author);
    }
    if (this.sourceIsNew) return;
    const unseen = [...this.sources.duplicates];
    if (!this.monolingual)
      unseen.push(...[...this.sources.byKey].filter(([key]) => !this.seenSources.has(key)).map(([, { id }]) => id));
    if (unseen.length === 0) return;
    await removeUnusedSources(this.deps, this.component.id, unseen, this.options.author);
    await this.deps.effects.recountTranslation(this.sourceTranslation.id, []);
  }
}
