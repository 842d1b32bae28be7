import {
  type BaseNode,
  type Entry,
  FluentParser,
  type Message,
  type Pattern,
  type Placeable,
  type SelectExpression,
  type Term,
  type TextElement,
  Visitor,
} from '@fluent/syntax';
import type { TextFacts } from './facts';
import { htmlElements } from './html';
import { sameList } from './markup';
import type { Flags } from './flags';
import type { Pair, UnitFacts } from './unit';

/** Longer messages are not parsed, as the parser is recursive. */
const MAX_LENGTH = 20_000;

const parser = new FluentParser({ withSpans: false });

type Parsed = Message | Term;

/** Puts the text of a unit behind a key, so that it is an entry of a Fluent file. */
function readEntry(text: string, isTerm: boolean): Parsed | null {
  if (text.length > MAX_LENGTH) return null;
  const body = text.split(/\r\n|\n/).map((line) => `    ${line}`);
  let entry: Entry;
  try {
    entry = parser.parseEntry(`${isTerm ? '-' : ''}key =\n${body.join('\n')}\n`);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return entry.type === 'Message' || entry.type === 'Term' ? (entry as Parsed) : null;
}

function entryOf(facts: TextFacts, flags: Flags): Parsed | null {
  const isTerm = flags.value('fluent-type')?.toLowerCase() === 'term';
  return facts.remember(isTerm ? 'fluent-term' : 'fluent', (text) => readEntry(text, isTerm));
}

/** Whether the parser took everything: what follows a broken line would silently be left out. */
function isComplete(facts: TextFacts, flags: Flags): boolean {
  const entry = entryOf(facts, flags);
  if (!entry) return false;
  return facts.remember('fluent-complete', (text) => {
    const body = text.split(/\r\n|\n/).map((line) => `    ${line}`);
    const resource = parser.parse(`${entry.type === 'Term' ? '-' : ''}key =\n${body.join('\n')}\n`);
    return resource.body.length === 1 && resource.body[0]!.type !== 'Junk';
  });
}

function partsOf(entry: Parsed): string[] {
  const value = entry.value ? ['value'] : [];
  // The attributes of a term say what its translation is, its gender for example; each language has its own.
  return entry.type === 'Term' ? value : [...value, ...entry.attributes.map((attribute) => `.${attribute.id.name}`)];
}

class ReferenceCollector extends Visitor {
  readonly found = new Set<string>();

  override visitVariableReference(node: { id: { name: string } }): void {
    this.found.add(`$${node.id.name}`);
  }
  override visitMessageReference(node: { id: { name: string }; attribute?: { name: string } | null }): void {
    this.found.add(node.id.name + (node.attribute ? `.${node.attribute.name}` : ''));
  }
  override visitTermReference(node: BaseNode & { id: { name: string } }): void {
    this.found.add(`-${node.id.name}`);
    this.genericVisit(node);
  }
}

function referencesOf(entry: Parsed): string[] {
  const collector = new ReferenceCollector();
  collector.visit(entry);
  return [...collector.found];
}

/** More variants of one message are not looked at. */
const MAX_VARIANTS = 50;

/** The texts that a pattern can give, one for each variant, with a mark where something is put in. */
function variantsOf(pattern: Pattern): string[] {
  let texts = [''];
  for (const element of pattern.elements) {
    let parts = ['\ufffc'];
    if (element.type === 'TextElement') parts = [(element as TextElement).value];
    else {
      const { expression } = element as Placeable;
      if (expression.type === 'SelectExpression')
        parts = (expression as SelectExpression).variants.flatMap((variant) => variantsOf(variant.value));
    }
    texts = texts.flatMap((text) => parts.map((part) => text + part)).slice(0, MAX_VARIANTS);
  }
  return texts;
}

/**
 * The elements of each variant of the value, sorted; undefined when the HTML of one is broken. Attributes of a message are
 * shown as plain text.
 */
function innerElements(entry: Parsed): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const text of entry.value ? variantsOf(entry.value) : []) {
    const elements = htmlElements(text);
    if (!elements) return undefined;
    found.add(elements.sort().join(','));
  }
  return found;
}

export const fluentSourceSyntax = ({ source, flags }: UnitFacts): boolean =>
  source.some((form) => !isComplete(form, flags));

export const fluentTargetSyntax = ({ target, unit }: Pair): boolean => !isComplete(target, unit.flags);

/** Compares what `read` finds in both texts, when both are valid. */
function compare({ source, target, unit }: Pair, read: (entry: Parsed) => string[]): boolean {
  const [expected, actual] = [entryOf(source, unit.flags), entryOf(target, unit.flags)];
  return expected !== null && actual !== null && !sameList(read(expected), read(actual));
}

export const fluentParts = (pair: Pair): boolean => compare(pair, partsOf);

export const fluentReferences = (pair: Pair): boolean => compare(pair, referencesOf);

export function fluentSourceInnerHtml({ source, flags }: UnitFacts): boolean {
  return source.some((form) => {
    const entry = entryOf(form, flags);
    return entry !== null && innerElements(entry) === undefined;
  });
}

export function fluentTargetInnerHtml({ source, target, unit }: Pair): boolean {
  const entry = entryOf(target, unit.flags);
  if (!entry) return false;
  const actual = innerElements(entry);
  if (!actual) return true;
  const sourceEntry = entryOf(source, unit.flags);
  const expected = sourceEntry && innerElements(sourceEntry);
  if (!expected) return false;
  for (const elements of actual) if (!expected.has(elements)) return true;
  return false;
}
