import type { PluralInfo } from '@parlance/formats';
import { PluralFormulaError, validatePlural } from '@parlance/plurals';
import { eachInSlices, mapInSlices } from '@parlance/workload';
import type { Component, Language } from '../../domain/component';
import { isReady, effectiveSource } from '../../domain/source-text';
import type { Translation } from '../../domain/translation';
import { contentHash, isBlank, State, type Unit } from '../../domain/unit';

/** A string of a file, in the form of the stored unit with the same key. */
export interface FileEntry {
  key: string;
  context: string;
  source: string[];
  target: string[];
  state: number;
  note: string;
  location: string;
  flags: string;
  previousSource: string[];
}

/** Data of a source unit that its translations depend on. */
export interface SourceInfo {
  id: number;
  context: string;
  source: string[];
  words: number;
  chars: number;
  extraFlags: string;
  explanation: string;
  /** Whether it may be translated; see `isReady`. */
  ready: boolean;
}

export function sourceInfoOf(unit: Unit, component: Component): SourceInfo {
  return {
    ready: isReady(component, unit),
    id: unit.id,
    context: unit.context,
    source: effectiveSource(unit),
    words: unit.words,
    chars: unit.chars,
    extraFlags: unit.extraFlags,
    explanation: unit.explanation,
  };
}

/**
 * The entries of a monolingual file, completed by a blank entry for each missing string of the template, in the template's order.
 * @param forms number of plural forms
 */
export async function completeFromTemplate(
  sources: ReadonlyMap<string, SourceInfo>,
  entries: readonly FileEntry[],
  forms: number,
): Promise<FileEntry[]> {
  const byKey = new Map<string, FileEntry>();
  await eachInSlices(entries, (entry) => byKey.set(entry.key, entry));
  return mapInSlices(sources, ([key, { context, source }]) => {
    const blank = {
      key,
      context,
      target: new Array<string>(source.length > 1 ? forms : 1).fill(''),
      state: State.empty,
      note: '',
      location: '',
      flags: '',
      previousSource: [],
    };
    return { ...(byKey.get(key) ?? blank), source };
  });
}

/** Gives untranslated plurals the number of forms of their language, independent of the file. */
export function withPluralForms(entries: readonly FileEntry[], forms: number): Promise<FileEntry[]> {
  const needsForms = ({ source, target }: FileEntry) => source.length > 1 && target.length !== forms && isBlank(target);
  return mapInSlices(entries, (entry) =>
    needsForms(entry) ? { ...entry, target: new Array<string>(forms).fill('') } : entry,
  );
}

/** The language with the plural forms that a file declares, if they are valid. */
export function withDeclaredPlurals<L extends Pick<Language, 'pluralNumber' | 'pluralFormula'>>(
  language: L,
  declared: PluralInfo | undefined,
): L {
  if (!declared) return language;
  try {
    validatePlural(declared.count, declared.formula);
    return { ...language, pluralNumber: declared.count, pluralFormula: declared.formula };
  } catch (error) {
    if (error instanceof PluralFormulaError) return language;
    throw error;
  }
}

/** A unit from a file's entry, without checks, position, length and source unit. */
export function blankUnit(translation: Translation, entry: FileEntry, id: number, now: number): Unit {
  return {
    id,
    translation: translation.id,
    component: translation.component,
    project: translation.project,
    language: translation.language.code,
    isSource: translation.isSource,
    key: entry.key,
    contentHash: contentHash(entry.context, translation.isSource ? effectiveSource(entry) : entry.source),
    position: 0,
    source: entry.source,
    target: entry.target,
    previousSource: entry.previousSource,
    context: entry.context,
    note: entry.note,
    location: entry.location,
    flags: entry.flags,
    state: entry.state,
    checks: [],
    dismissedChecks: [],
    words: 0,
    chars: 0,
    priority: 100,
    explanation: '',
    extraFlags: '',
    labels: [],
    suggestions: 0,
    comments: 0,
    sourceUnit: 0,
    edits: [],
    created: now,
    updated: now,
    version: 1,
  };
}
