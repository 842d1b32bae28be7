import { mapInSlices } from '@parlance/workload';
import { fieldErrors } from '@parlance/errors';
import { randomUUID } from 'node:crypto';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { deriveState } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { idHash, isBlank, State, type Author, type Unit } from '../../domain/unit';
import { groupBy } from '../../domain/group-by';
import { blankUnit } from '../import/file-entry';
import { changeOf, historyText, type ChangeDraft } from '../history';
import { measure } from '../checks/unit-evaluator';
import { retryLost } from './contention';
import { insertUnits, writeUnits, writtenUnit, type WriteUnitsDeps } from './write-units';
import type {
  Clock,
  TranslationReader,
  TranslationWriter,
  UnitInserter,
  UnitKeys,
  UnitReader,
  UnitWriter,
} from '../../domain/ports';
import type { Glossary, UnitEvaluators } from '../caches/interfaces';

export interface InsertStringsDeps extends Omit<WriteUnitsDeps, 'units'>, Clock {
  units: UnitReader & UnitKeys & UnitInserter & UnitWriter;
  translations: TranslationReader & TranslationWriter;
  evaluators: UnitEvaluators;
  glossary: Glossary;
}

/** A string to add. */
export interface NewString {
  context: string;
  /** In a monolingual component, the text in the source language; equals `target`. */
  source: string[];
  /** For the source translation of a bilingual component: initial target of all other translations; absent: blank. */
  target: string[];
  state: number;
  note?: string;
  location?: string;
  flags?: string;
}

interface KeyedString extends NewString {
  key: string;
}

/**
 * Adds strings to one translation of a bilingual component, with their source strings; or to the source translation and all others.
 * Existing strings are skipped.
 * @param user acting user, if not the author
 * @returns the new units of the translation
 * @throws INVALID when no file can contain the strings: source strings of a bilingual component have no file of their own
 */
export async function insertStrings(
  deps: InsertStringsDeps,
  component: Component,
  translation: Translation,
  strings: readonly NewString[],
  author: Author,
  user = author.userId,
): Promise<Unit[]> {
  if (strings.length === 0) return [];
  const monolingual = component.template !== '';
  const keyed = strings.map((s): KeyedString => ({
    ...s,
    key: idHash(monolingual, s.context, monolingual ? [] : s.source),
  }));
  const all = await deps.translations.ofComponent(component.id);
  const source = translation.isSource ? translation : all.find((t) => t.isSource)!;
  const others = all.filter((t) => !t.isSource);
  if (others.length === 0 && !monolingual) throw noFileError();
  const insertion = new Insertion(deps, component, author, user);
  const { sourceUnits, inserted } = await insertion.sources(source, keyed);
  if (!translation.isSource) {
    const added = await insertion.attachToSources(source, await insertion.insertInto(translation, keyed, sourceUnits));
    if (component.isGlossary) await deps.glossary.termsChanged(component.project, translation.language.code);
    return added;
  }
  const insertedKeys = new Set(inserted.map((unit) => unit.key));
  const newStrings = keyed.filter(({ key }) => insertedKeys.has(key));
  for (const other of others)
    await insertion.insertInto(other, newStrings.map(initialString(other, monolingual)), sourceUnits);
  if (component.isGlossary && newStrings.length > 0) await deps.glossary.termsChanged(component.project, null);
  return inserted;
}

/** Initial string of a translation for a string added to the source translation. */
function initialString({ language }: Translation, monolingual: boolean) {
  return (added: KeyedString): KeyedString => {
    const given = monolingual ? [] : added.target;
    const forms = added.source.length > 1 ? language.pluralNumber : 1;
    // Languages differ in their number of plural forms.
    const target = Array.from({ length: forms }, (_, i) => given[i] ?? '');
    return { ...added, target, state: isBlank(target) ? State.empty : added.state };
  };
}

function noFileError() {
  return fieldErrors([
    {
      attr: 'non_field_errors',
      code: 'invalid',
      detail: 'The component has no translation with a file for the string. Add a translation first.',
    },
  ]);
}

/**
 * Restores the source strings of units whose source string was removed concurrently: a source string exists as long as one of its
 * translations.
 */
export async function keepSources(
  deps: InsertStringsDeps,
  component: Component,
  units: readonly Unit[],
  author: Author,
): Promise<void> {
  if (units.length === 0) return;
  const source = (await deps.translations.ofComponent(component.id)).find((t) => t.isSource);
  if (source) await new Insertion(deps, component, author, author.userId).attachToSources(source, units);
}

/** The source string of a bilingual component's string. */
function sourceOf({ key, context, source, note, location, flags }: Unit): KeyedString {
  return { key, context, source, target: source, state: State.readonly, note, location, flags };
}

class Insertion {
  constructor(
    private readonly deps: InsertStringsDeps,
    private readonly component: Component,
    private readonly author: Author,
    private readonly user: number,
  ) {}

  /** Finds or adds the source strings of strings. */
  async sources(
    source: Translation,
    strings: readonly KeyedString[],
  ): Promise<{ sourceUnits: Map<string, Unit>; inserted: Unit[] }> {
    const bilingual = this.component.template === '';
    const sourceUnits = new Map<string, Unit>();
    const inserted: Unit[] = [];
    const note = (units: readonly Unit[]) => {
      for (const unit of units) sourceUnits.set(unit.key, unit);
    };
    const missing = () => strings.filter(({ key }) => !sourceUnits.has(key));
    await retryLost(missing(), async (left) => {
      note(await this.known(source, left));
      const added = await this.insertInto(
        source,
        missing().map((s) => ({ ...s, target: s.source, ...(bilingual ? { state: State.readonly } : {}) })),
        sourceUnits,
      );
      note(added);
      inserted.push(...added);
      return missing();
    });
    return { sourceUnits, inserted };
  }

  private async known(source: Translation, strings: readonly KeyedString[]): Promise<Unit[]> {
    if (strings.length > 1) return this.deps.units.ofTranslation(source.id);
    const unit = await this.deps.units.byKey(source.id, strings[0]!.key);
    return unit ? [unit] : [];
  }

  /** Attaches units to existing source strings, after concurrent removals. */
  async attachToSources(source: Translation, units: readonly Unit[]): Promise<Unit[]> {
    const { deps } = this;
    const attached = new Map(units.map((unit) => [unit.id, unit]));
    const attach = async (todo: readonly Unit[]): Promise<Unit[]> => {
      const there = await deps.units.many([...new Set(todo.map(({ sourceUnit }) => sourceUnit))]);
      const known = new Set(there.map(({ id }) => id));
      const astray = todo.filter(({ sourceUnit }) => !known.has(sourceUnit));
      const strings = new Map(astray.map((unit) => [unit.key, sourceOf(unit)]));
      const { sourceUnits } = await this.sources(source, [...strings.values()]);
      const again: Unit[] = [];
      for (const [translation, some] of groupBy(astray, (unit) => unit.translation)) {
        const planned = some.map((unit) => ({
          unit,
          patch: { sourceUnit: sourceUnits.get(unit.key)!.id },
          changes: [],
        }));
        const by = { author: null, time: deps.now() };
        const { done, late } = await writeUnits(deps, translation, planned, by);
        const written = done.map(writtenUnit);
        for (const unit of written) attached.set(unit.id, unit);
        // A written unit may have lost its source string again.
        again.push(...written, ...(await deps.units.many(late.map(({ unit }) => unit.id))));
      }
      return again;
    };
    // The second pass checks the writes of the first pass.
    await retryLost(units, async (todo) => attach(await attach(todo)));
    return units.map(({ id }) => attached.get(id)!);
  }

  /** Adds strings to one translation. @returns the units whose keys did not exist */
  async insertInto(
    translation: Translation,
    strings: readonly KeyedString[],
    sourceUnits: ReadonlyMap<string, Unit>,
  ): Promise<Unit[]> {
    if (strings.length === 0) return [];
    const { deps, component, author } = this;
    const now = deps.now();
    const ids = await deps.ids.range('unit', strings.length);
    const evaluator = deps.evaluators.for(component, translation.language);
    const end = await deps.translations.reservePositions(translation.id, strings.length);
    const units = await mapInSlices(strings, (s, i): Unit => {
      const facts = sourceUnits.get(s.key);
      const entry = { note: '', location: '', flags: '', previousSource: [], ...s };
      const unit: Unit = {
        ...blankUnit(translation, entry, ids[i]!, now),
        ...measure(s.source, component.sourceLanguage.code),
        sourceUnit: facts?.id ?? ids[i]!,
        position: end + i + 1,
        priority: evaluator.priority(entry.flags, facts?.extraFlags ?? ''),
      };
      unit.checks = evaluator.checks({ ...unit, sourceExtraFlags: facts?.extraFlags ?? '' });
      if (this.isInFile(translation, unit))
        unit.edits = [{ id: randomUUID(), author, target: unit.target, state: unit.state, time: now, adds: true }];
      const flagged = evaluator.isReadonly(entry.flags, facts?.extraFlags ?? '');
      return Object.assign(unit, deriveState(unit, unit.source, flagged));
    });
    const planned = await mapInSlices(units, (unit) => ({ unit, change: this.change(unit, now) }));
    return insertUnits(deps, translation.id, planned, { author, time: now });
  }

  /** Whether the file contains the string: not for source strings of a bilingual component, nor for blank texts of a key. */
  private isInFile(translation: Translation, unit: Unit): boolean {
    return this.component.template === '' ? !translation.isSource : !isBlank(unit.target);
  }

  private change(unit: Unit, now: number): ChangeDraft {
    const details = {
      state: unit.state,
      old_state: unit.state,
      source: historyText(unit.source),
      context: unit.context,
    };
    const change = changeOf(unit, this.author, now, Action.stringAdded, historyText(unit.target), '', details);
    return { ...change, user: this.user };
  }
}
