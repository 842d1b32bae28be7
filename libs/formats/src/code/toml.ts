import { parse as validate, TomlError } from 'smol-toml';
import { printable, type TextDocument } from '../core/document';
import { keyedFormat, onlyText, type KeyedParts } from '../core/keyed';
import { Literal } from '../core/nested-keys';
import { FormatError } from '../format';
import { addToml } from './toml-add';
import { basic, escapeBasic, TomlScanner, type TomlLeaf } from './toml-scan';

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[-+]\d\d:\d\d)?)?$/;

function encode(document: TextDocument, text: string, old: string): string {
  const literal = !/['\u0000-\u001F\u007F]/.test(text);
  if (old.startsWith('"""') || old.startsWith("'''")) {
    const open = /^...(\r?\n)/.exec(old)?.[1] ?? (text.startsWith('\n') ? document.eol : '');
    if (old.startsWith('"""')) return `"""${open}${escapeBasic(text, false).replaceAll('\n', document.eol)}"""`;
    return /'|[\u0000-\u0008\u000B-\u001F\u007F]/.test(text)
      ? basic(text)
      : `'''${open}${text.replaceAll('\n', document.eol)}'''`;
  }
  if (old.startsWith("'")) return literal ? `'${text}'` : basic(text);
  if (old.startsWith('"')) return basic(text);
  const kinds = [/^(?:true|false)$/, /^[-+]?\d+$/, /^[-+]?\d+\.\d+$/];
  const kind = kinds.find((pattern) => pattern.test(old) && pattern.test(text));
  if (kind && (kind !== kinds[1] || isInt64(text))) return text;
  const dates = [old, text].every((date) => DATE.test(date) && !Number.isNaN(Date.parse(date)));
  return dates ? text : basic(text);
}

/** Largest integer that parsers must support. */
function isInt64(digits: string): boolean {
  return digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

/**
 * The scanner runs first, because it limits nesting and the library does not.
 */
function scanValid(document: TextDocument): TomlScanner {
  const scanner = new TomlScanner(document);
  let stopped: unknown;
  try {
    scanner.scan();
  } catch (error) {
    if (!(error instanceof FormatError) || error.code === 'limit') throw error;
    stopped = error;
  }
  try {
    const read = stopped === undefined ? document.text : document.text.slice(0, scanner.at + 1);
    validate(read, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = printable(error.message.split('\n')[0] as string, 80).replace(/^Invalid TOML document: /, '');
    throw new FormatError('syntax', `not valid TOML: ${message}`, error.line, error.column);
  }
  if (stopped !== undefined) throw stopped;
  return scanner;
}

/** TOML: one string per value. */
export const toml = keyedFormat({
  id: 'toml',
  // A blank is neither a number nor a boolean or date. In a list the strings behind it would get other keys.
  dropOnCreate: ({ context, slots }, { text }) =>
    !/["']/.test(text[slots[0]?.start ?? 0] ?? '') && !context.endsWith(']'),
  empty: () => '',
  read({ document }) {
    return scanValid(document).leaves.map((leaf): KeyedParts => ({
      context: leaf.path,
      target: [leaf.text],
      offset: leaf.start,
      note: leaf.note,
      slots: [{ start: leaf.start, end: leaf.end }],
      removal: [leaf.inner ? innerSpan(document, leaf) : { start: leaf.lineStart, end: leaf.lineEnd }],
    }));
  },
  encode: ({ document }, text, slot) => encode(document, text, document.text.slice(slot.start, slot.end)),
  add({ document }, changes, _, base) {
    const { root, headers } = new TomlScanner(document).scan();
    return addToml(
      document,
      root,
      headers,
      changes.map((change) => {
        const text = onlyText(change);
        const slot = base?.entryOf(change)?.slots[0];
        const sample = slot && base.document.text.slice(slot.start, slot.end);
        return [change.context, sample === undefined ? text : new Literal(encode(document, text, sample))];
      }),
    );
  },
});

/** A value in an array with its comma, or a member of an inline table with its key. */
function innerSpan({ text }: TextDocument, leaf: TomlLeaf): { start: number; end: number } {
  const { keyStart: start } = leaf;
  const after = /^\s*,[ \t]*/.exec(text.slice(leaf.end, leaf.end + 200));
  if (after) return { start, end: leaf.end + after[0].length };
  let comma = start - 1;
  while (comma > leaf.lineStart && /\s/.test(text[comma] as string)) comma -= 1;
  return { start: text[comma] === ',' ? comma : start, end: leaf.end };
}
