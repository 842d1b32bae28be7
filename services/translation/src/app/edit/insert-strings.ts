import { fieldErrors } from '@parlance/errors';
import { randomUUID } from 'node:crypto';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import { idHash, isBlank, State, type Author, type Unit } from '../../domain/unit';
import { blankUnit } from '../import/file-entry';
import { changeOf, historyText, type NewChange } from '../history';
import type { Parts } from '../parts';
import { measure } from '../checks/quality';
import { insertUnits } from './write-units';

/** A string that a person or program adds. */
export interface NewString {
  context: string;
  /** In a monolingual component the text in the source language, which is then `target` too. */
  source: string[];
  /** For the source translation of a bilingual component: what every other translation begins with; none: without a text. */
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
 * Adds strings: to one translation of a bilingual component, with their source strings; to the source translation, and with it to
 * every other. A string that is there by now is left out.
 * @param user who adds them, when that is not the author
 * @returns the new units of the translation
 * @throws INVALID when no file could hold the strings: source strings of a bilingual component lie in those of its translations
 */
export async function insertStrings(
  parts: Parts,
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
  const all = await parts.translations.ofComponent(component.id);
  const source = translation.isSource ? translation : all.find((t) => t.isSource)!;
  const others = all.filter((t) => !t.isSource);
  if (others.length === 0 && !monolingual) throw noFile();
  const insertion = new Insertion(parts, component, author, user);
  const known = keyed.length === 1 ? await one(parts, source, keyed[0]!) : await parts.units.ofTranslation(source.id);
  const sourceUnits = new Map(known.map((unit) => [unit.key, unit]));
  const missing = keyed
    .filter(({ key }) => !sourceUnits.has(key))
    .map((s) => ({ ...s, target: s.source, ...(monolingual ? {} : { state: State.readonly }) }));
  const made = await insertion.into(source, missing, sourceUnits);
  for (const unit of made) sourceUnits.set(unit.key, unit);
  if (!translation.isSource) {
    const added = await insertion.into(translation, keyed, sourceUnits);
    if (component.isGlossary) await parts.termsChanged(component.project, translation.language.code);
    return added;
  }
  const fresh = new Set(made.map((unit) => unit.key));
  const begun = keyed.filter(({ key }) => fresh.has(key));
  for (const other of others) await insertion.into(other, begun.map(beginning(other, monolingual)), sourceUnits);
  if (component.isGlossary && begun.length > 0) await parts.termsChanged(component.project, null);
  return made;
}

/** What a translation begins with when a string comes to the source translation. */
function beginning({ language }: Translation, monolingual: boolean) {
  return (added: KeyedString): KeyedString => {
    const given = monolingual ? [] : added.target;
    const forms = added.source.length > 1 ? language.pluralNumber : 1;
    // Languages have different numbers of forms: each takes those that it has.
    const target = Array.from({ length: forms }, (_, i) => given[i] ?? '');
    return { ...added, target, state: isBlank(target) ? State.empty : added.state };
  };
}

function noFile() {
  return fieldErrors([
    {
      attr: 'non_field_errors',
      code: 'invalid',
      detail: 'The component has no translation whose file could hold the string.',
    },
  ]);
}

async function one(parts: Parts, translation: Translation, { key }: KeyedString): Promise<Unit[]> {
  const unit = await parts.units.byKey(translation.id, key);
  return unit ? [unit] : [];
}

class Insertion {
  constructor(
    private readonly parts: Parts,
    private readonly component: Component,
    private readonly author: Author,
    private readonly user: number,
  ) {}

  /** Adds strings to one translation. @returns those that were not there yet */
  async into(
    translation: Translation,
    strings: readonly KeyedString[],
    sourceUnits: ReadonlyMap<string, Unit>,
  ): Promise<Unit[]> {
    if (strings.length === 0) return [];
    const { parts, component, author } = this;
    const now = parts.now();
    const ids = await parts.ids.range('unit', strings.length);
    const judge = parts.judge(component, translation.language);
    const end = translation.counters.all.s;
    const units = strings.map((s, i): Unit => {
      const facts = sourceUnits.get(s.key);
      const entry = { note: '', location: '', flags: '', previousSource: [], ...s };
      const unit: Unit = {
        ...blankUnit(translation, entry, ids[i]!, now),
        ...measure(s.source, component.sourceLanguage.code),
        sourceUnit: facts?.id ?? ids[i]!,
        position: end + i + 1,
        priority: judge.priority(entry.flags, facts?.extraFlags ?? ''),
      };
      unit.checks = judge.checks({ ...unit, sourceExtraFlags: facts?.extraFlags ?? '' });
      if (this.inFile(translation, unit))
        unit.edits = [{ id: randomUUID(), author, target: unit.target, state: unit.state, time: now, adds: true }];
      return unit;
    });
    const planned = units.map((unit) => ({ unit, change: this.change(unit, now) }));
    return insertUnits(parts, translation.id, planned, { author, time: now });
  }

  /** Whether the string's place is in a file: source strings of a bilingual component and blank texts of a key have none. */
  private inFile(translation: Translation, unit: Unit): boolean {
    return this.component.template === '' ? !translation.isSource : !isBlank(unit.target);
  }

  private change(unit: Unit, now: number): NewChange {
    const details = { state: unit.state, source: historyText(unit.source), context: unit.context };
    const change = changeOf(unit, this.author, now, Action.stringAdded, historyText(unit.target), '', details);
    return { ...change, user: this.user };
  }
}
