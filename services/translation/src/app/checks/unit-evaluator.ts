import {
  CHECKS,
  countChars,
  countWords,
  findCheck,
  mergeFlags,
  parseFlags,
  runChecks,
  type CheckInput,
  type Flags,
} from '@parlance/checks';
import type { Component, Language } from '../../domain/component';
import { State } from '../../domain/unit';

/** Fields of a unit that its checks depend on. */
export interface CheckedUnit {
  source: readonly string[];
  target: readonly string[];
  state: number;
  isSource: boolean;
  /** Flags of the file. */
  flags: string;
  /** Flags that users set on the source unit. */
  sourceExtraFlags: string;
  dismissedChecks: readonly string[];
  /** Currently failing checks. Those that depend on other strings stay until the background checks rerun them. */
  checks?: readonly string[];
}

/** Whether a check depends on other strings. */
function isContextual(id: string): boolean {
  return findCheck(id)?.context !== 'none';
}

/** Runs checks for the units of one component in one language. */
export class UnitEvaluator {
  private readonly base: Flags;

  constructor(
    private readonly component: Component,
    private readonly language: Language,
  ) {
    this.base = parseFlags(component.checkFlags, { lenient: true });
  }

  /** Flags of component, file and source unit; invalid flags of files are ignored. */
  flags(fileFlags: string, sourceExtraFlags: string): Flags {
    if (fileFlags === '' && sourceExtraFlags === '') return this.base;
    return mergeFlags(
      this.base,
      parseFlags(fileFlags, { lenient: true }),
      parseFlags(sourceExtraFlags, { lenient: true }),
    );
  }

  /** Ids of failing checks, except dismissed ones. */
  checks(unit: CheckedUnit): string[] {
    if (!unit.isSource && unit.state === State.readonly) return [];
    const kept = (unit.checks ?? []).filter(isContextual);
    const flags = this.flags(unit.flags, unit.sourceExtraFlags);
    if (!unit.isSource && unit.state === State.empty) return this.orderFailing(kept, flags, unit.dismissedChecks);
    const failing = runChecks(this.input(unit, flags));
    if (kept.length > 0) return this.orderFailing([...failing, ...kept], flags, unit.dismissedChecks);
    return unit.dismissedChecks.length === 0 ? failing : failing.filter((id) => !unit.dismissedChecks.includes(id));
  }

  /** A unit as checks read it. @param flags see `flags` */
  input(unit: Pick<CheckedUnit, 'source' | 'target' | 'isSource' | 'state'>, flags: Flags): CheckInput {
    return {
      source: unit.source,
      target: unit.target,
      sourceLanguage: this.component.sourceLanguage.code,
      targetLanguage: this.language.code,
      flags,
      isSource: unit.isSource,
      state: unit.state,
      pluralFormula: this.language.pluralFormula,
      isGlossary: this.component.isGlossary,
      fonts: this.component.fonts,
    };
  }

  /** Orders failing checks as in the table; omits checks that are dismissed or disabled by flags. */
  orderFailing(failing: readonly string[], flags: Flags, dismissed: readonly string[]): string[] {
    if (failing.length === 0 || flags.has('ignore-all-checks')) return [];
    return CHECKS.filter(
      (check) =>
        failing.includes(check.id) &&
        !dismissed.includes(check.id) &&
        !flags.has(check.ignoreFlag) &&
        (check.flag === undefined || flags.has(check.flag)),
    ).map((check) => check.id);
  }

  priority(fileFlags: string, sourceExtraFlags: string): number {
    return this.flags(fileFlags, sourceExtraFlags).number('priority') ?? 100;
  }

  isReadonly(fileFlags: string, sourceExtraFlags: string): boolean {
    return this.flags(fileFlags, sourceExtraFlags).has('read-only');
  }
}

/** Words and characters of a source string, as statistics count them. */
export function measure(source: readonly string[], sourceLanguage: string): { words: number; chars: number } {
  let words = 0;
  for (const text of source) words += countWords(text, sourceLanguage);
  return { words, chars: countChars(source) };
}
