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
import type { AnalyzedText } from '../text/analyzed-text';
import { htmlElements } from '../markup/html';
import { haveSameItems } from '../text/measures';
import type { Flags } from '../flags/flags';
import type { FormPair, AnalyzedUnit } from '../check-input';

/** Longer messages are not parsed, because the parser is recursive. */
const MAX_LENGTH = 20_000;

const parser = new FluentParser({ withSpans: false });

type FluentEntry = Message | Term;

/** Parses the text of a unit as the value of an entry in a Fluent file. */
function readEntry(text: string, isTerm: boolean): FluentEntry | null {
  if (text.length > MAX_LENGTH) return null;
  const body = text.split(/\r\n|\n/).map((line) => `    ${line}`);
  let entry: Entry;
  try {
    entry = parser.parseEntry(`${isTerm ? '-' : ''}key =\n${body.join('\n')}\n`);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return entry.type === 'Message' || entry.type === 'Term' ? (entry as FluentEntry) : null;
}

function entryOf(text: AnalyzedText, flags: Flags): FluentEntry | null {
  const isTerm = flags.value('fluent-type')?.toLowerCase() === 'term';
  return text.memoize(isTerm ? 'fluent-term' : 'fluent', (body) => readEntry(body, isTerm));
}

/** Whether the parser consumed the whole text. It silently drops everything after a malformed line. */
function isComplete(text: AnalyzedText, flags: Flags): boolean {
  const entry = entryOf(text, flags);
  if (!entry) return false;
  return text.memoize('fluent-complete', (message) => {
    const body = message.split(/\r\n|\n/).map((line) => `    ${line}`);
    const resource = parser.parse(`${entry.type === 'Term' ? '-' : ''}key =\n${body.join('\n')}\n`);
    return resource.body.length === 1 && resource.body[0]!.type !== 'Junk';
  });
}

function partsOf(entry: FluentEntry): string[] {
  const value = entry.value ? ['value'] : [];
  // Attributes of a term describe its translation (gender, for example), so they differ between languages.
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

function referencesOf(entry: FluentEntry): string[] {
  const collector = new ReferenceCollector();
  collector.visit(entry);
  return [...collector.found];
}

/** Maximum number of variants that are expanded per message. */
const MAX_VARIANTS = 50;

/** The possible texts of a pattern, one per variant. U+FFFC stands for each placeable. */
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
 * The sorted elements of each variant of the value; undefined if the HTML of one is malformed. Attributes of a message are
 * plain text, so they are excluded.
 */
function innerElements(entry: FluentEntry): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const text of entry.value ? variantsOf(entry.value) : []) {
    const elements = htmlElements(text);
    if (!elements) return undefined;
    found.add(elements.sort().join(','));
  }
  return found;
}

export const fluentSourceSyntax = ({ source, flags }: AnalyzedUnit): boolean =>
  source.some((form) => !isComplete(form, flags));

export const fluentTargetSyntax = ({ target, unit }: FormPair): boolean => !isComplete(target, unit.flags);

/** Whether the lists that `read` extracts from source and target differ; false unless both are valid. */
function listsDiffer({ source, target, unit }: FormPair, read: (entry: FluentEntry) => string[]): boolean {
  const [expected, actual] = [entryOf(source, unit.flags), entryOf(target, unit.flags)];
  return expected !== null && actual !== null && !haveSameItems(read(expected), read(actual));
}

export const fluentParts = (pair: FormPair): boolean => listsDiffer(pair, partsOf);

export const fluentReferences = (pair: FormPair): boolean => listsDiffer(pair, referencesOf);

export function fluentSourceInnerHtml({ source, flags }: AnalyzedUnit): boolean {
  return source.some((form) => {
    const entry = entryOf(form, flags);
    return entry !== null && innerElements(entry) === undefined;
  });
}

export function fluentTargetInnerHtml({ source, target, unit }: FormPair): boolean {
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
