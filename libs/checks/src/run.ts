import { parsePluralFormula, pluralExamples, PluralFormulaError } from '@parlance/plurals';
import * as edges from './edges';
import { ANY_TRAIT, sourceFacts, TextFacts, TRAIT } from './facts';
import type { Flags } from './flags';
import * as fluent from './fluent';
import { formatChecks, looksLikeMessageFormat, unnamedFormat } from './formats';
import { safeHtml } from './html';
import { icuMessageFormat, icuSyntax } from './icu';
import * as markdown from './markdown';
import * as markup from './markup';
import * as rst from './rst';
import { same } from './same';
import * as sizes from './sizes';
import { CHECKS } from './table';
import * as texts from './texts';
import type { CheckInput, Pair, UnitFacts } from './unit';

/** How a check is run: on each pair of forms or on the unit as a whole. */
type Runner =
  | { traits: number; pair: (pair: Pair) => boolean }
  /** Concerns the unit as a whole. */
  | { traits: number; unit: (unit: UnitFacts) => boolean };

const onPair = (pair: (pair: Pair) => boolean, traits = ANY_TRAIT): Runner => ({ traits, pair });
const onUnit = (unit: (unit: UnitFacts) => boolean, traits = ANY_TRAIT): Runner => ({ traits, unit });

const ENDS = TRAIT.endStop | TRAIT.endQuestion | TRAIT.endExclamation | TRAIT.endInterrobang;

const RUNNERS: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['same', onPair(same)],
  ['begin_newline', onPair(edges.beginNewline, TRAIT.beginNewline)],
  ['end_newline', onPair(edges.endNewline, TRAIT.endNewline)],
  ['begin_space', onPair(edges.beginSpace, TRAIT.beginSpace)],
  ['end_space', onPair(edges.endSpace, TRAIT.endSpace)],
  ['double_space', onPair(edges.doubleSpace, TRAIT.doubleSpace)],
  ['end_stop', onPair(edges.endStop, TRAIT.endStop)],
  ['end_colon', onPair(edges.endColon, TRAIT.endColon)],
  ['end_question', onPair(edges.endQuestion, ENDS)],
  ['end_exclamation', onPair(edges.endExclamation, ENDS)],
  ['end_interrobang', onPair(edges.endInterrobang, TRAIT.endInterrobang)],
  ['end_ellipsis', onPair(edges.endEllipsis, TRAIT.endEllipsis)],
  ['end_semicolon', onPair(edges.endSemicolon, TRAIT.endSemicolon)],
  ['max-length', onPair(sizes.maxLength)],
  ['max-size', onPair(sizes.maxSize)],
  ['kashida', onPair(texts.kashida, TRAIT.kashida)],
  ['punctuation_spacing', onPair(texts.punctuationSpacing, TRAIT.doublePunctuation)],
  ['kabyle-characters', onPair(texts.kabyleCharacters, TRAIT.greek)],
  ...formatChecks.map(([id, check]) => [id, onPair(check)] as const),
  ['icu_message_format', onPair(icuMessageFormat)],
  ['icu_message_format_syntax', onUnit(icuSyntax)],
  ['plurals', onUnit(texts.plurals)],
  ['same-plurals', onUnit(texts.samePlurals)],
  ['escaped_newline', onPair(texts.escapedNewline, TRAIT.backslashN)],
  ['newline-count', onPair(texts.newlineCount, TRAIT.newline)],
  ['bbcode', onPair(markup.bbcode)],
  ['zero-width-space', onPair(texts.zeroWidthSpace, TRAIT.zeroWidth)],
  ['xml-invalid', onPair(markup.xmlInvalid)],
  ['xml-tags', onPair(markup.xmlTags)],
  ['md-reflink', onPair(markdown.mdReflink)],
  ['md-link', onPair(markdown.mdLink)],
  ['md-syntax', onPair(markdown.mdSyntax)],
  ['url', onPair(texts.url)],
  ['safe-html', onPair(safeHtml)],
  ['rst-references', onPair(rst.rstReferences)],
  ['rst-syntax', onPair(rst.rstSyntax)],
  ['placeholders', onPair(sizes.placeholders)],
  ['regex', onPair(sizes.regex)],
  ['duplicate', onPair(texts.duplicate, TRAIT.repeatedWord)],
  ['optional_plural', onUnit(texts.optionalPlural, TRAIT.openBracket)],
  ['ellipsis', onUnit(texts.ellipsis, TRAIT.threeDots)],
  ['unnamed_format', onUnit(unnamedFormat)],
  ['prohibited_initial_character', onPair(texts.prohibitedInitialCharacter)],
  ['fluent-source-syntax', onUnit(fluent.fluentSourceSyntax)],
  ['fluent-target-syntax', onPair(fluent.fluentTargetSyntax)],
  ['fluent-parts', onPair(fluent.fluentParts)],
  ['fluent-references', onPair(fluent.fluentReferences)],
  ['fluent-source-inner-html', onUnit(fluent.fluentSourceInnerHtml)],
  ['fluent-target-inner-html', onPair(fluent.fluentTargetInnerHtml)],
]);

/** Ids of the checks that {@link runChecks} can report. */
export const RUNNABLE_CHECKS: ReadonlySet<string> = new Set(RUNNERS.keys());

interface Step {
  id: string;
  runner: Runner;
}

/** The checks to run for given flags, in the order of the table. */
interface Plan {
  source: readonly Step[];
  target: readonly Step[];
  glossary: readonly Step[];
}

const plans = new WeakMap<Flags, Plan>();

function planFor(flags: Flags): Plan {
  const known = plans.get(flags);
  if (known) return known;
  const xml = flags.has('xml-text');
  const steps = (applies: 'source' | 'target'): Step[] =>
    flags.has('ignore-all-checks')
      ? []
      : CHECKS.flatMap((check): Step[] => {
          const runner = RUNNERS.get(check.id);
          if (!runner || check.applies !== applies) return [];
          if (flags.has(check.ignoreFlag)) return [];
          if (check.flag !== undefined && !flags.has(check.flag)) {
            if (check.id !== 'java_format' || !flags.has('auto-java-messageformat') || !('pair' in runner)) return [];
            const { pair } = runner;
            return [{ id: check.id, runner: onPair((forms) => looksLikeMessageFormat(forms) && pair(forms)) }];
          }
          // Without the flag only texts with a tag are XML.
          const needsTag = !xml && (check.id === 'xml-invalid' || check.id === 'xml-tags');
          return [{ id: check.id, runner: needsTag ? { ...runner, traits: TRAIT.lessThan } : runner }];
        });
  const glossary = steps('target');
  const target = glossary.filter((step) => step.id !== 'prohibited_initial_character');
  const plan = { source: steps('source'), target, glossary };
  plans.set(flags, plan);
  return plan;
}

/** For each target form: does it stand for one, and for a single number only? */
interface FormUse {
  one: boolean;
  single: boolean;
}

const formUses = new Map<string, readonly FormUse[]>();

function usesOf(formula: string | undefined, forms: number): readonly FormUse[] {
  const key = `${forms} ${formula ?? ''}`;
  let uses = formUses.get(key);
  if (!uses) {
    uses = Array.from({ length: forms }, (_, index): FormUse => ({
      one: index === 0,
      single: index === 0 && forms > 1,
    }));
    if (formula !== undefined && forms > 1) {
      try {
        const examples = pluralExamples(formula, forms, 2);
        const one = parsePluralFormula(formula).evaluate(1);
        uses = examples.map((numbers, index) => ({ one: index === one, single: numbers.length === 1 }));
      } catch (error) {
        // A language may have been stored before its formula was checked: fall back to "first form is the singular".
        if (!(error instanceof PluralFormulaError)) throw error;
      }
    }
    if (formUses.size > 500) formUses.clear();
    formUses.set(key, uses);
  }
  return uses;
}

const baseLanguage = (code: string): string => {
  for (let index = 0; index < code.length; index++) {
    const char = code.charCodeAt(index);
    if (char === 95 || char === 45 || char === 64) return code.slice(0, index).toLowerCase();
  }
  return code;
};

function pairsOf(unit: UnitFacts): Pair[] {
  const { source, target } = unit;
  const last = source.length - 1;
  if (target.length === 1) {
    if (target[0]!.blank) return [];
    return [{ unit, source: source[last]!, target: target[0]!, form: 0, singleNumber: false }];
  }
  const uses = usesOf(unit.input.pluralFormula, target.length);
  const pairs: Pair[] = [];
  target.forEach((form, index) => {
    if (form.blank) return;
    const use = uses[index]!;
    pairs.push({ unit, source: source[use.one ? 0 : last]!, target: form, form: index, singleNumber: use.single });
  });
  return pairs;
}

/**
 * Runs the checks that the flags allow and that need nothing but the unit.
 *
 * Translations in state 0 and 100, blank ones and those of a blank source are not checked. With `isSource` the checks of sources run, else those of
 * translations.
 *
 * @returns ids of the failing checks, in the order of the table, each once
 */
export function runChecks(input: CheckInput): string[] {
  const failing: string[] = [];
  // Nothing can be said of a translation against a source that has no text.
  if (input.source.every((text) => text === '')) return failing;
  const { flags, isSource = false } = input;
  const plan = planFor(flags);
  if (!isSource && (input.state === 0 || input.state === 100 || input.target.length === 0)) return failing;
  const source = input.source.length === 1 ? [sourceFacts(input.source[0]!)] : input.source.map(sourceFacts);
  const steps = isSource ? plan.source : input.isGlossary ? plan.glossary : plan.target;
  if (steps.length === 0) return failing;
  const target = isSource
    ? []
    : input.target.length === 1
      ? [new TextFacts(input.target[0]!)]
      : input.target.map((text) => new TextFacts(text));
  const unit: UnitFacts = { input, flags, source, target, language: baseLanguage(input.targetLanguage) };
  const pairs = isSource ? [] : pairsOf(unit);
  if (!isSource && pairs.length === 0) return failing;
  let traits = 0;
  for (const facts of source) traits |= facts.traits;
  for (const facts of target) traits |= facts.traits;
  for (const { id, runner } of steps) {
    if (runner.traits !== ANY_TRAIT && (traits & runner.traits) === 0) continue;
    const fails = 'pair' in runner ? somePair(pairs, runner.pair) : runner.unit(unit);
    if (fails) failing.push(id);
  }
  return failing;
}

function somePair(pairs: readonly Pair[], check: (pair: Pair) => boolean): boolean {
  for (const pair of pairs) if (check(pair)) return true;
  return false;
}
