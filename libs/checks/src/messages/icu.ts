import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { AnalyzedText } from '../text/analyzed-text';
import type { Flags } from '../flags/flags';
import type { FormPair, AnalyzedUnit } from '../check-input';
import type { Extent } from '../spans/span';

/** Longer messages are not parsed: the parser is recursive and its time grows with the length. */
const MAX_LENGTH = 20_000;

/** Arguments of a message. */
interface MessageArguments {
  /** `name kind` of every argument. */
  names: ReadonlySet<string>;
  /** `name key` of every branch of a select. */
  branches: ReadonlySet<string>;
}
/** Null for invalid syntax. */
type ParsedArguments = MessageArguments | null;

/** Keys of plural branches; numbers are written `=1`. */
const PLURAL_KEY = /^(?:zero|one|two|few|many|other|=\d{1,9})$/;

const KINDS: Readonly<Partial<Record<TYPE, string>>> = {
  [TYPE.argument]: 'text',
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'select',
  [TYPE.plural]: 'plural',
};

interface Collected {
  names: Set<string>;
  branches: Set<string>;
  broken: boolean;
}

function collect(elements: readonly MessageFormatElement[], found: Collected): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    if (element.type === TYPE.tag) {
      found.names.add(`<${element.value}>`);
      collect(element.children, found);
      continue;
    }
    let kind = KINDS[element.type] ?? '';
    if (element.type === TYPE.select)
      for (const key of Object.keys(element.options)) found.branches.add(`${element.value} ${key}`);
    if (element.type === TYPE.plural) {
      if (element.pluralType === 'ordinal') kind = 'ordinal';
      if (!Object.keys(element.options).every((key) => PLURAL_KEY.test(key))) found.broken = true;
    }
    found.names.add(`${element.value} ${kind}`);
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const option of Object.values(element.options)) collect(option.value, found);
    }
  }
}

/** Whether an unquoted closing brace is unmatched. The parser accepts it as text. */
function hasLooseBrace(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === "'") {
      const next = text[index + 1];
      if (next === "'") index++;
      else if (next === '{' || next === '}') {
        const end = text.indexOf("'", index + 2);
        if (end < 0) return false;
        index = end;
      }
    } else if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return true;
  }
  return false;
}

function readMessage(text: string, withTags: boolean): ParsedArguments {
  if (text.length > MAX_LENGTH) return { names: new Set(), branches: new Set() };
  if (hasLooseBrace(text)) return null;
  try {
    const found: Collected = { names: new Set(), branches: new Set(), broken: false };
    collect(parse(text, { ignoreTag: !withTags, requiresOtherClause: true }), found);
    return found.broken ? null : found;
  } catch (error) {
    // SyntaxError for bad messages, RangeError for nesting that exhausts the stack.
    if (error instanceof Error) return null;
    throw error;
  }
}

const TAG_FLAGS = new Set(['xml', 'strict-xml']);

const allowsTags = (flags: Flags): boolean =>
  (flags.values('icu-flags') ?? []).some((value) => typeof value === 'string' && TAG_FLAGS.has(value));

function argumentsOf(message: AnalyzedText, flags: Flags): ParsedArguments {
  const prefix = flags.value('icu-tag-prefix');
  const xml = allowsTags(flags);
  const withTags = xml && prefix === undefined;
  const parsed = message.memoize(withTags ? 'icu-tags' : 'icu', (text) => readMessage(text, withTags));
  if (!parsed || !xml || prefix === undefined) return parsed;
  const tags = [...message.text.matchAll(/<\/?([A-Za-z][\w.-]{0,60})/g)]
    .map((match) => match[1]!)
    .filter((name) => name.startsWith(prefix));
  return { ...parsed, names: new Set([...parsed.names, ...tags.map((name) => `<${name}>`)]) };
}

/**
 * The translation has invalid syntax, other arguments than the source, or select branches that the source does not have.
 * It may have fewer branches: a language without genders needs only `other`.
 */
export function icuMessageFormat({ source, target, unit }: FormPair): boolean {
  const actual = argumentsOf(target, unit.flags);
  if (actual === null) return true;
  const expected = argumentsOf(source, unit.flags);
  if (expected === null) return false;
  if (expected.names.size !== actual.names.size) return true;
  for (const key of expected.names) if (!actual.names.has(key)) return true;
  for (const key of actual.branches) if (!expected.branches.has(key)) return true;
  return false;
}

export const icuSyntax = ({ source, flags }: AnalyzedUnit): boolean =>
  source.some((form) => argumentsOf(form, flags) === null);

/**
 * Parts of a message that a translation keeps: arguments, the number sign, and of a plural or select the beginning, its keys (of a select) and
 * the closing brace. Empty for invalid syntax.
 */
export function icuParts(text: string, flags: Flags): Extent[] {
  if (text.length > MAX_LENGTH || hasLooseBrace(text)) return [];
  const withTags = allowsTags(flags) && flags.value('icu-tag-prefix') === undefined;
  try {
    return locate(text, parse(text, { captureLocation: true, ignoreTag: !withTags, requiresOtherClause: true }));
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

function locate(text: string, elements: readonly MessageFormatElement[]): Extent[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [];
    if (element.type === TYPE.tag) return locate(text, element.children);
    const [start, end] = [element.location!.start.offset, element.location!.end.offset];
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return [{ start, end }];
    // `{name, kind,`: names contain no commas.
    const head = { start, end: text.indexOf(',', text.indexOf(',', start) + 1) + 1 };
    const branches = Object.entries(element.options).flatMap(([key, { value, location }]) => {
      const keyEnd = text.slice(0, location!.start.offset).trimEnd().length;
      const name = element.type === TYPE.select ? [{ start: keyEnd - key.length, end: keyEnd }] : [];
      return [...name, ...locate(text, value)];
    });
    return [head, ...branches, { start: end - 1, end }];
  });
}
