import { parsePluralFormula, pluralExamples, PluralFormulaError } from '@parlance/plurals';
import { CHECKS } from './check-definitions';
import type { AnalyzedUnit, CheckInput, FormPair } from './check-input';
import type { Flags } from './flags/flags';
import { bbcode } from './markup/bbcode';
import { safeHtml } from './markup/html';
import * as markdown from './markup/markdown';
import * as rst from './markup/rst';
import * as xml from './markup/xml';
import * as fluent from './messages/fluent';
import { icuMessageFormat, icuSyntax } from './messages/icu';
import { requiredPattern, requiredPlaceholders } from './placeholders/flag-checks';
import { formatChecks, looksLikeMessageFormat, unnamedFormat } from './placeholders/format-checks';
import * as endMarks from './punctuation/end-marks';
import { punctuationSpacing } from './punctuation/french-spacing';
import * as whitespace from './punctuation/whitespace';
import { AnalyzedText, analyzeSource, ANY_TRAIT, TRAIT } from './text/analyzed-text';
import * as characters from './wording/characters';
import { maxLength, maxSize } from './wording/length';
import * as pluralForms from './wording/plural-forms';
import { duplicate } from './wording/repeated-words';
import { prohibitedInitialCharacter } from './wording/spreadsheet-formula';
import { same } from './wording/untranslated';
import { url } from './wording/web-address';

/** Implementation of a check. It fails if its function returns true for any pair of forms, or for the unit. */
type Runner =
  { traits: number; pair: (pair: FormPair) => boolean } | { traits: number; unit: (unit: AnalyzedUnit) => boolean };

const onPair = (pair: (pair: FormPair) => boolean, traits = ANY_TRAIT): Runner => ({ traits, pair });
const onUnit = (unit: (unit: AnalyzedUnit) => boolean, traits = ANY_TRAIT): Runner => ({ traits, unit });

const ENDS = TRAIT.endStop | TRAIT.endQuestion | TRAIT.endExclamation | TRAIT.endInterrobang;

const RUNNERS: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['same', onPair(same)],
  ['begin_newline', onPair(whitespace.beginNewline, TRAIT.beginNewline)],
  ['end_newline', onPair(whitespace.endNewline, TRAIT.endNewline)],
  ['begin_space', onPair(whitespace.beginSpace, TRAIT.beginSpace)],
  ['end_space', onPair(whitespace.endSpace, TRAIT.endSpace)],
  ['double_space', onPair(whitespace.doubleSpace, TRAIT.doubleSpace)],
  ['end_stop', onPair(endMarks.endStop, TRAIT.endStop)],
  ['end_colon', onPair(endMarks.endColon, TRAIT.endColon)],
  ['end_question', onPair(endMarks.endQuestion, ENDS)],
  ['end_exclamation', onPair(endMarks.endExclamation, ENDS)],
  ['end_interrobang', onPair(endMarks.endInterrobang, TRAIT.endInterrobang)],
  ['end_ellipsis', onPair(endMarks.endEllipsis, TRAIT.endEllipsis)],
  ['end_semicolon', onPair(endMarks.endSemicolon, TRAIT.endSemicolon)],
  ['max-length', onPair(maxLength)],
  ['max-size', onPair(maxSize)],
  ['kashida', onPair(characters.kashida, TRAIT.kashida)],
  ['punctuation_spacing', onPair(punctuationSpacing, TRAIT.doublePunctuation)],
  ['kabyle-characters', onPair(characters.kabyleCharacters, TRAIT.greek)],
  ...formatChecks.map(([id, check]) => [id, onPair(check)] as const),
  ['icu_message_format', onPair(icuMessageFormat)],
  ['icu_message_format_syntax', onUnit(icuSyntax)],
  ['plurals', onUnit(pluralForms.plurals)],
  ['same-plurals', onUnit(pluralForms.samePlurals)],
  ['escaped_newline', onPair(whitespace.escapedNewline, TRAIT.backslashN)],
  ['newline-count', onPair(whitespace.newlineCount, TRAIT.newline)],
  ['bbcode', onPair(bbcode)],
  ['zero-width-space', onPair(characters.zeroWidthSpace, TRAIT.zeroWidth)],
  ['xml-invalid', onPair(xml.xmlInvalid)],
  ['xml-tags', onPair(xml.xmlTags)],
  ['md-reflink', onPair(markdown.mdReflink)],
  ['md-link', onPair(markdown.mdLink)],
  ['md-syntax', onPair(markdown.mdSyntax)],
  ['url', onPair(url)],
  ['safe-html', onPair(safeHtml)],
  ['rst-references', onPair(rst.rstReferences)],
  ['rst-syntax', onPair(rst.rstSyntax)],
  ['placeholders', onPair(requiredPlaceholders)],
  ['regex', onPair(requiredPattern)],
  ['duplicate', onPair(duplicate, TRAIT.repeatedWord)],
  ['optional_plural', onUnit(pluralForms.optionalPlural, TRAIT.openParenthesis)],
  ['ellipsis', onUnit(endMarks.ellipsis, TRAIT.threeDots)],
  ['unnamed_format', onUnit(unnamedFormat)],
  ['prohibited_initial_character', onPair(prohibitedInitialCharacter)],
  ['fluent-source-syntax', onUnit(fluent.fluentSourceSyntax)],
  ['fluent-target-syntax', onPair(fluent.fluentTargetSyntax)],
  ['fluent-parts', onPair(fluent.fluentParts)],
  ['fluent-references', onPair(fluent.fluentReferences)],
  ['fluent-source-inner-html', onUnit(fluent.fluentSourceInnerHtml)],
  ['fluent-target-inner-html', onPair(fluent.fluentTargetInnerHtml)],
]);

/** Ids of the checks that {@link runChecks} can report. */
export const RUNNABLE_CHECKS: ReadonlySet<string> = new Set(RUNNERS.keys());

interface PlannedCheck {
  id: string;
  runner: Runner;
}

/** The checks to run for given flags, in reporting order. */
interface Plan {
  source: readonly PlannedCheck[];
  target: readonly PlannedCheck[];
  glossary: readonly PlannedCheck[];
}

const planCache = new WeakMap<Flags, Plan>();

function planFor(flags: Flags): Plan {
  const known = planCache.get(flags);
  if (known) return known;
  const isXml = flags.has('xml-text');
  const steps = (applies: 'source' | 'target'): PlannedCheck[] =>
    flags.has('ignore-all-checks')
      ? []
      : CHECKS.flatMap((check): PlannedCheck[] => {
          const runner = RUNNERS.get(check.id);
          if (!runner || check.applies !== applies) return [];
          if (flags.has(check.ignoreFlag)) return [];
          if (check.flag !== undefined && !flags.has(check.flag)) {
            if (check.id !== 'java_format' || !flags.has('auto-java-messageformat') || !('pair' in runner)) return [];
            const { pair } = runner;
            return [{ id: check.id, runner: onPair((forms) => looksLikeMessageFormat(forms) && pair(forms)) }];
          }
          // Without the flag, only texts with a tag count as XML.
          const needsTag = !isXml && (check.id === 'xml-invalid' || check.id === 'xml-tags');
          return [{ id: check.id, runner: needsTag ? { ...runner, traits: TRAIT.lessThan } : runner }];
        });
  const glossary = steps('target');
  const target = glossary.filter((step) => step.id !== 'prohibited_initial_character');
  const plan = { source: steps('source'), target, glossary };
  planCache.set(flags, plan);
  return plan;
}

/** Role of a target form: it applies to the number 1; it applies to a single number. */
interface FormRole {
  includesOne: boolean;
  singleNumber: boolean;
}

const formRolesCache = new Map<string, readonly FormRole[]>();

function formRoles(formula: string | undefined, forms: number): readonly FormRole[] {
  const key = `${forms} ${formula ?? ''}`;
  let roles = formRolesCache.get(key);
  if (!roles) {
    roles = Array.from({ length: forms }, (_, index): FormRole => ({
      includesOne: index === 0,
      singleNumber: index === 0 && forms > 1,
    }));
    if (formula !== undefined && forms > 1) {
      try {
        const examples = pluralExamples(formula, forms, 2);
        const one = parsePluralFormula(formula).evaluate(1);
        roles = examples.map((numbers, index) => ({
          includesOne: index === one,
          singleNumber: numbers.length === 1,
        }));
      } catch (error) {
        // Languages stored before formulas were validated may have an invalid one. The first form is the singular then.
        if (!(error instanceof PluralFormulaError)) throw error;
      }
    }
    if (formRolesCache.size > 500) formRolesCache.clear();
    formRolesCache.set(key, roles);
  }
  return roles;
}

const baseLanguage = (code: string): string => {
  for (let index = 0; index < code.length; index++) {
    const char = code.charCodeAt(index);
    if (char === 95 || char === 45 || char === 64) return code.slice(0, index).toLowerCase();
  }
  return code;
};

function comparedForms(unit: AnalyzedUnit): FormPair[] {
  const { source, target } = unit;
  const last = source.length - 1;
  if (target.length === 1) {
    if (target[0]!.blank) return [];
    return [{ unit, source: source[last]!, target: target[0]!, form: 0, singleNumber: false }];
  }
  const roles = formRoles(unit.input.pluralFormula, target.length);
  const pairs: FormPair[] = [];
  target.forEach((form, index) => {
    if (form.blank) return;
    const role = roles[index]!;
    pairs.push({
      unit,
      source: source[role.includesOne ? 0 : last]!,
      target: form,
      form: index,
      singleNumber: role.singleNumber,
    });
  });
  return pairs;
}

function analyzed(input: CheckInput, source: readonly AnalyzedText[]): AnalyzedUnit {
  const target = input.isSource
    ? []
    : input.target.length === 1
      ? [new AnalyzedText(input.target[0]!)]
      : input.target.map((text) => new AnalyzedText(text));
  return { input, flags: input.flags, source, target, language: baseLanguage(input.targetLanguage) };
}

/** The pairs of forms that fail a check, whatever the flags enable; all pairs for checks that look at all forms together. */
export function failingPairs(id: string, input: CheckInput): FormPair[] {
  const unit = analyzed(input, input.source.map(analyzeSource));
  const runner = RUNNERS.get(id);
  const pairs = comparedForms(unit);
  return runner && 'pair' in runner ? pairs.filter(runner.pair) : pairs;
}

/**
 * Runs the checks that the flags enable and that need no data besides the unit: source checks if `isSource` is set, target
 * checks otherwise. Translations in state 0 or 100, blank translations, and translations of a blank source are skipped.
 *
 * @returns distinct ids of the failing checks in reporting order
 */
export function runChecks(input: CheckInput): string[] {
  const failing: string[] = [];
  if (input.source.every((text) => text === '')) return failing;
  const { flags, isSource = false } = input;
  const plan = planFor(flags);
  if (!isSource && (input.state === 0 || input.state === 100 || input.target.length === 0)) return failing;
  const source = input.source.length === 1 ? [analyzeSource(input.source[0]!)] : input.source.map(analyzeSource);
  const steps = isSource ? plan.source : input.isGlossary ? plan.glossary : plan.target;
  if (steps.length === 0) return failing;
  const unit = analyzed(input, source);
  const { target } = unit;
  const pairs = isSource ? [] : comparedForms(unit);
  if (!isSource && pairs.length === 0) return failing;
  let traits = 0;
  for (const text of source) traits |= text.traits;
  for (const text of target) traits |= text.traits;
  for (const { id, runner } of steps) {
    if (runner.traits !== ANY_TRAIT && (traits & runner.traits) === 0) continue;
    const fails = 'pair' in runner ? somePair(pairs, runner.pair) : runner.unit(unit);
    if (fails) failing.push(id);
  }
  return failing;
}

function somePair(pairs: readonly FormPair[], check: (pair: FormPair) => boolean): boolean {
  for (const pair of pairs) if (check(pair)) return true;
  return false;
}
