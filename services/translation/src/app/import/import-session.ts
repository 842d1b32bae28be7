import { importMark } from '../../domain/import-marks';
import { ServiceError } from '@parlance/errors';
import { FormatError } from '@parlance/formats';
import { eachInSlices, flatMapInSlices, inPortions, mapInSlices } from '@parlance/workload';
import { Action } from '../../domain/change';
import type { Component, Language } from '../../domain/component';
import { count, emptyCounters, type Counters } from '../../domain/counters';
import type { Translation } from '../../domain/translation';
import { isToBeAdded, nobody } from '../../domain/pending';
import { followSource, shownSource } from '../../domain/source-text';
import { contentHash, State, type Author, type Unit } from '../../domain/unit';
import { measure } from '../checks/quality';
import { polished } from './polished-sources';
import { KeyFilter, KeyFilterError } from './key-filter';
import { withFormatPlurals } from './category-plurals';
import { asDeclared, asTemplate, blankUnit, factsOf, type FileEntry, inForms, type SourceFacts } from './file-entry';
import { readEntries } from './read-entries';
import { withoutTwins } from './duplicate-keys';
import { changeOf, changeOfTranslation, historyText, numberChanges } from '../history';
import { mergeIntoTranslation, type MergeCounts, type MergeImportDeps } from './merge-import';
import { spreadSourceTexts, type SpreadSourceTextsDeps } from '../edit/spread-source-texts';
import { removeComponent, type RemoveComponentDeps } from '../remove-component';
import type {
  Announcer,
  Catalog,
  CatalogInvalidation,
  HistoryWriter,
  PendingUnits,
  RemovalStore,
  SuggestionStore,
  TranslationReader,
  TranslationWriter,
  UnitFields,
} from '../../domain/ports';
import type { FileWork } from '../files/file-work';
import type { UnitEffects } from '../edit/unit-effects';
import type { Neighbours } from '../caches/interfaces';
import type { BackgroundChecks } from '../checks/background-checks';
import { removeTranslation, type RemoveTranslationDeps } from '../remove-translation';

export interface ImportDeps extends MergeImportDeps, SpreadSourceTextsDeps, RemoveComponentDeps, RemoveTranslationDeps {
  units: MergeImportDeps['units'] & SpreadSourceTextsDeps['units'] & UnitFields & PendingUnits;
  translations: MergeImportDeps['translations'] & TranslationReader & TranslationWriter;
  removals: RemovalStore;
  changes: HistoryWriter;
  announcer: Announcer;
  suggestions: SuggestionStore;
  effects: UnitEffects;
  catalog: Catalog & CatalogInvalidation;
  files: Pick<FileWork, 'parse'>;
  neighbours: Neighbours;
  contextChecks: BackgroundChecks;
}

/** A file as it comes from the repository. */
export interface ImportFile {
  path: string;
  language: Language;
  fileLanguageCode: string;
  revision: string;
  kind: 'translation' | 'template' | 'newBase' | 'intermediate';
  bytes: Buffer;
}

export interface ImportOptions {
  author: Author | null;
  /** Translations whose files do not come are gone. */
  complete: boolean;
  /** First import of a new component. */
  initial: boolean;
  /** The files were uploaded by a person. */
  upload: boolean;
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
  /** The translation was not there before. */
  isNew?: true;
  error?: FileProblem;
}

/** Source strings that are removed with one statement. */
const REMOVED_TOGETHER = 500;
/** Inserts at the same time: parsing goes on while the store writes. */
const INSERTS_IN_FLIGHT = 2;

/**
 * Reads the files of one component into units. New translations appear when all of their strings are stored; known ones are
 * merged string by string, and pending edits are never overwritten.
 */
export class ImportSession {
  private readonly sources = new Map<string, SourceFacts>();
  /** Versions of the source units that these facts are of. */
  private sourceVersions = new Map<number, number>();
  /** What the developers wrote, once the intermediate file has come. */
  private drafts: FileEntry[] | undefined;
  private readonly keyFilter = new KeyFilter();
  private readonly seenSources = new Set<string>();
  private readonly seenTranslations = new Set<number>();
  private readonly inserts = new Set<Promise<void>>();
  private sourceTranslation!: Translation;
  private sourceIsNew = false;
  private sourceTouched = false;
  private readonly sourceCounters: Counters = emptyCounters();
  private readonly problems: FileProblem[] = [];
  private units = 0;
  private translations = 0;
  private known: Translation[] = [];
  private sourcePosition = 0;
  /** Source units that no translation belongs to once all are read: others have the same keys. */
  private extraSources: number[] = [];
  /** The file that source strings came from; '' where they came from those of the translations. */
  private basePath = '';
  private readonly newTranslations: number[] = [];
  private readonly finishing: (() => Promise<void>)[] = [];

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
      await this.loadSources();
      return;
    }
    // What an interrupted first import left has no translation that lists it.
    if (this.known.length === 0) await deps.units.removeOfComponent(component.id);
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
  }

  /** The source strings as they are stored, in their order. */
  private async loadSources(): Promise<void> {
    const units = await this.deps.units.ofTranslation(this.sourceTranslation.id);
    const { stored, extra } = await withoutTwins(units);
    this.extraSources = extra.map(({ id }) => id);
    this.sources.clear();
    this.sourceVersions = new Map(units.map(({ id, version }) => [id, version]));
    await eachInSlices(
      [...stored.values()].sort((one, other) => one.position - other.position),
      (unit) => {
        this.sources.set(unit.key, factsOf(unit, this.component));
        this.sourcePosition = Math.max(this.sourcePosition, unit.position);
      },
    );
  }

  /** Reads one file. A file that cannot be read is reported and leaves everything as it was. */
  async file(file: ImportFile): Promise<ImportFileResult> {
    const nothing = { path: file.path, translation: 0, units: 0, added: 0, updated: 0, removed: 0, conflicts: [] };
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
      language = asDeclared(language, parsed.metadata.plural);
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof KeyFilterError)) throw error;
      const { line, column } = error instanceof FormatError ? error : { line: 0, column: 0 };
      const problem = { path: file.path, line, column, message: error.message };
      this.problems.push(problem);
      return { ...nothing, error: problem };
    }
    if (file.kind === 'intermediate') {
      this.drafts = entries;
      return { ...nothing, units: entries.length };
    }
    const result =
      file.kind === 'translation'
        ? await this.translation({ ...file, language }, entries, known)
        : await this.base(file, entries);
    this.units += result.units;
    this.translations++;
    return result;
  }

  /** A file that is not read: reported, and nothing counts as gone. */
  refuse({ path }: Pick<ImportFile, 'path'>, message: string): ImportFileResult {
    const error = { path, line: 0, column: 0, message };
    this.problems.push(error);
    return { path, translation: 0, units: 0, added: 0, updated: 0, removed: 0, conflicts: [], error };
  }

  /** Source strings that a base file holds. */
  private async base(file: ImportFile, read: readonly FileEntry[]): Promise<ImportFileResult> {
    const entries = this.drafts
      ? polished(this.drafts, read)
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
    if (this.sourceIsNew) counts.added = await this.addSources(entries);
    else {
      const merged = await mergeIntoTranslation(
        this.deps,
        this.component,
        this.sourceTranslation,
        entries,
        () => undefined,
        {
          author: this.options.author,
          revision: file.revision,
          removeMissing: this.monolingual,
          upload: this.options.upload,
        },
      );
      Object.assign(counts, merged);
      await this.loadSources();
    }
    return { path: file.path, translation: this.sourceTranslation.id, units: entries.length, ...counts };
  }

  /** @param of whose strings they are; absent: the source language's, or a new translation's */
  private async addSources(entries: readonly FileEntry[], of?: Translation): Promise<number> {
    let missing = await flatMapInSlices(entries, (entry) => (this.sources.has(entry.key) ? [] : [entry]));
    if (missing.length > 0 && of) {
      const deleted = await this.deps.removals.keysOf(of);
      missing = missing.filter(({ key }) => !deleted.has(key));
    }
    if (missing.length === 0) return 0;
    this.sourceTouched = true;
    const ids = await this.deps.ids.range('unit', missing.length);
    const judge = this.deps.judges.for(this.component, this.component.sourceLanguage);
    const now = this.deps.now();
    const units = await mapInSlices(missing, (entry, i): Unit => {
      const target = this.monolingual ? entry.target : entry.source;
      const { words, chars } = measure(
        shownSource({ source: entry.source, target }),
        this.component.sourceLanguage.code,
      );
      const unit: Unit = {
        ...blankUnit(this.sourceTranslation, { ...entry, target }, ids[i]!, now),
        isSource: true,
        state: this.monolingual ? entry.state : State.readonly,
        position: ++this.sourcePosition,
        words,
        chars,
        sourceUnit: ids[i]!,
        priority: judge.priority(entry.flags, ''),
      };
      // The strings that a component begins with are not new to anybody.
      if (!this.options.initial)
        Object.assign(unit, importMark(this.component.importMarks, unit, true, this.options.author, now));
      Object.assign(unit, followSource(unit, unit.source, judge.isReadonly(entry.flags, '')));
      unit.checks = judge.checks({ ...unit, sourceExtraFlags: '' });
      this.sources.set(entry.key, factsOf(unit, this.component));
      count(this.sourceCounters, unit, 1);
      return unit;
    });
    if (this.sourceIsNew) await this.insert(units);
    else await this.insertSources(units);
    return units.length;
  }

  /** People add source strings at the same moment: theirs are the ones then. */
  private async insertSources(units: readonly Unit[]): Promise<void> {
    for (let left = units; left.length > 0;) {
      const met = new Set(await this.deps.units.insertNew(left));
      const again: Unit[] = [];
      for (const unit of left.filter(({ id }) => met.has(id))) {
        const theirs = await this.deps.units.byKey(unit.translation, unit.key);
        if (theirs) this.sources.set(unit.key, factsOf(theirs, this.component));
        else again.push(unit);
      }
      left = again;
    }
  }

  private async insert(units: Unit[]): Promise<void> {
    while (this.inserts.size >= INSERTS_IN_FLIGHT) await Promise.race(this.inserts);
    const running = this.deps.units.insert(units);
    // The failure is thrown where the session waits for it; until then it must not count as unhandled.
    running.catch(() => undefined);
    const tracked: Promise<void> = running.finally(() => this.inserts.delete(tracked));
    tracked.catch(() => undefined);
    this.inserts.add(tracked);
  }

  private async translation(
    file: ImportFile,
    read: readonly FileEntry[],
    known: Translation | undefined,
  ): Promise<ImportFileResult> {
    const { pluralNumber } = file.language;
    const entries = await inForms(
      this.monolingual ? await asTemplate(this.sources, read, pluralNumber) : read,
      pluralNumber,
    );
    if (!this.monolingual) {
      await eachInSlices(entries, (entry) => this.seenSources.add(entry.key));
      await this.addSources(entries, known);
    }
    if (known) {
      const counts = await mergeIntoTranslation(
        this.deps,
        this.component,
        known.language.code === file.language.code ? { ...known, language: file.language } : known,
        entries,
        (key) => this.sources.get(key),
        {
          author: this.options.author,
          revision: file.revision,
          removeMissing: true,
          upload: this.options.upload,
          filename: file.path,
        },
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
    const judge = this.deps.judges.for(this.component, file.language);
    const now = this.deps.now();
    const units = await mapInSlices(entries, (entry, i): Unit => {
      const facts = this.sources.get(entry.key)!;
      const unit: Unit = {
        ...blankUnit(translation, entry, ids[i]!, now),
        position: i + 1,
        words: facts.words,
        chars: facts.chars,
        sourceUnit: facts.id,
        priority: judge.priority(entry.flags, facts.extraFlags),
      };
      Object.assign(
        unit,
        followSource(unit, unit.source, judge.isReadonly(entry.flags, facts.extraFlags) || !facts.ready),
      );
      Object.assign(unit, importMark(this.component.importMarks, unit, true, this.options.author, now));
      unit.checks = judge.checks({ ...unit, sourceExtraFlags: facts.extraFlags });
      count(translation.counters, unit, 1);
      return unit;
    });
    await this.insert(units);
    this.finishing.push(() => this.list(translation, file.path, now));
    this.seenTranslations.add(id);
    this.newTranslations.push(id);
    return id;
  }

  /**
   * Stores what is still on its way, lists the new translations, removes what is gone.
   * @throws NOT_FOUND when the component was deleted meanwhile; then nothing of it is left
   */
  async end(): Promise<{ units: number; translations: number; problems: FileProblem[] }> {
    await Promise.all(this.inserts);
    if (this.sourceIsNew) {
      this.sourceTranslation.counters = this.sourceCounters;
      await this.list(this.sourceTranslation, this.basePath, this.deps.now());
    } else if (this.sourceTouched) {
      await this.deps.effects.recountTranslation(this.sourceTranslation.id, []);
    }
    for (const finish of this.finishing) await finish();
    if (this.monolingual && !this.sourceIsNew) await this.followSources();
    await this.requireComponent();
    await this.deps.translations.markRecheck([...this.newTranslations], true);
    this.deps.neighbours.forget(this.component.project);
    this.deps.contextChecks.recheckSoon();
    if (this.options.complete && this.problems.length === 0) await this.removeGone();
    return { units: this.units, translations: this.translations, problems: this.problems };
  }

  /** Source strings that somebody edited meanwhile: translations were read with the text before, or after the edit looked for them. */
  private async followSources(): Promise<void> {
    const { units } = this.deps;
    const edited = (await units.versions(this.sourceTranslation.id)).filter(
      ({ id, version }) => (this.sourceVersions.get(id) ?? version) !== version,
    );
    if (edited.length === 0) return;
    const read = new Map<number, SourceFacts>();
    await eachInSlices(this.sources.values(), (facts) => read.set(facts.id, facts));
    const before = (await units.many(edited.map(({ id }) => id))).map((unit) => ({
      ...unit,
      contentHash: contentHash(unit.context, read.get(unit.id)!.source),
    }));
    await spreadSourceTexts(this.deps, this.component, before, this.options.author ?? nobody);
  }

  /** Makes a new translation known, with the history entry of the file that its strings came from. */
  private async list(translation: Translation, filename: string, time: number): Promise<void> {
    const author = this.options.author ?? nobody;
    const reason = this.options.initial ? 'component created' : 'new file';
    const details = { filename, reason };
    const change = changeOfTranslation(translation, author, author.userId, time, Action.fileUpdated, details);
    translation.counters.lastChange = time;
    await this.deps.translations.insert(translation);
    await this.deps.changes.insert(await numberChanges(this.deps, [change]));
    await this.deps.announcer.updated(translation, 'any');
  }

  /** A deletion that was announced before the translations were listed did not find them. */
  private async requireComponent(): Promise<void> {
    const { deps, component } = this;
    deps.catalog.forget(component.id);
    if (await deps.catalog.component(component.id, '')) return;
    await removeComponent(deps, component.id);
    throw new ServiceError('NOT_FOUND', { message: 'The component was deleted while it was read.' });
  }

  private async removeGone(): Promise<void> {
    for (const translation of this.known) {
      if (translation.isSource || this.seenTranslations.has(translation.id)) continue;
      await removeTranslation(this.deps, translation, this.options.author);
    }
    if (this.sourceIsNew) return;
    const unseen = [...this.extraSources];
    if (!this.monolingual)
      unseen.push(...[...this.sources].filter(([key]) => !this.seenSources.has(key)).map(([, { id }]) => id));
    if (unseen.length === 0) return;
    const waiting = (await this.deps.units.pendingOfComponent(this.component.id)).filter(isToBeAdded);
    const needed = new Set(waiting.map((unit) => unit.sourceUnit));
    const gone = unseen.filter((id) => !needed.has(id));
    const author = this.options.author ?? nobody;
    const time = this.deps.now();
    await inPortions(gone, REMOVED_TOGETHER, async (some) => {
      const changes = (await this.deps.units.many(some)).map((unit) => {
        const text = historyText(unit.target);
        return changeOf(unit, author, time, Action.stringRemoved, text, text, { source: text, context: unit.context });
      });
      await this.deps.changes.insert(await numberChanges(this.deps, changes));
      await this.deps.units.removeMany(some);
      return [];
    });
    await this.deps.effects.recountTranslation(this.sourceTranslation.id, []);
  }
}
