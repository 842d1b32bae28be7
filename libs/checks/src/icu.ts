import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { TextFacts } from './facts';
import type { Flags } from './flags';
import type { Pair, UnitFacts } from './unit';

/** Longer messages are not parsed: the parser is recursive and its time grows with the length. */
const MAX_LENGTH = 20_000;

/** `name kind` of every argument, with the keys of selects; null for broken syntax. */
type Arguments = ReadonlySet<string> | null;

const KINDS: Readonly<Partial<Record<TYPE, string>>> = {
  [TYPE.argument]: 'text',
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'select',
  [TYPE.plural]: 'plural',
};

function collect(elements: readonly MessageFormatElement[], found: Set<string>): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    if (element.type === TYPE.tag) {
      found.add(`<${element.value}>`);
      collect(element.children, found);
      continue;
    }
    let kind = KINDS[element.type] ?? '';
    if (element.type === TYPE.select) kind += ` ${Object.keys(element.options).sort().join('|')}`;
    if (element.type === TYPE.plural && element.pluralType === 'ordinal') kind = 'ordinal';
    found.add(`${element.value} ${kind}`);
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const option of Object.values(element.options)) collect(option.value, found);
    }
  }
}

function readMessage(text: string, withTags: boolean): Arguments {
  if (text.length > MAX_LENGTH) return new Set();
  try {
    const found = new Set<string>();
    collect(parse(text, { ignoreTag: !withTags, requiresOtherClause: true }), found);
    return found;
  } catch (error) {
    // SyntaxError for bad messages, RangeError for nesting that exhausts the stack.
    if (error instanceof Error) return null;
    throw error;
  }
}

const TAG_FLAGS = new Set(['xml', 'strict-xml']);

function argumentsOf(facts: TextFacts, flags: Flags): Arguments {
  const prefix = flags.value('icu-tag-prefix');
  const xml = (flags.values('icu-flags') ?? []).some((value) => typeof value === 'string' && TAG_FLAGS.has(value));
  const withTags = xml && prefix === undefined;
  const message = facts.remember(withTags ? 'icu-tags' : 'icu', (text) => readMessage(text, withTags));
  if (!message || !xml || prefix === undefined) return message;
  const tags = [...facts.text.matchAll(/<\/?([A-Za-z][\w.-]{0,60})/g)]
    .map((match) => match[1]!)
    .filter((name) => name.startsWith(prefix));
  return new Set([...message, ...tags.map((name) => `<${name}>`)]);
}

/** The translation has broken syntax, or other arguments or select keys than the source. */
export function icuMessageFormat({ source, target, unit }: Pair): boolean {
  const actual = argumentsOf(target, unit.flags);
  if (actual === null) return true;
  const expected = argumentsOf(source, unit.flags);
  if (expected === null) return false;
  return expected.size !== actual.size || [...expected].some((key) => !actual.has(key));
}

export const icuSyntax = ({ source, flags }: UnitFacts): boolean =>
  source.some((form) => argumentsOf(form, flags) === null);
