import { ownRegExp } from '@parlance/patterns';
import type { Markup } from './engine';

/** Parts of texts that engines must not change: common placeholders, tags, entities, URLs, line breaks. */
const PROTECTED = ownRegExp(
  [
    String.raw`%(?:\([^()]{1,100}\)|\d{1,3}\$)?[-+ #0]{0,5}(?:\d{1,4})?(?:\.\d{1,4})?(?:hh|h|ll|l|L|q|j|z|t)?[diouxXeEfFgGcsrabn@p](?![A-Za-z])`,
    String.raw`%[{(][^{}()]{1,100}[)}]`,
    '%%',
    String.raw`\$\{[^{}]{1,100}\}`,
    String.raw`\{\{[^{}]{1,100}\}\}`,
    String.raw`\{[\w.:!%#,+ -]{0,100}\}`,
    String.raw`</?[A-Za-z][^<>]{0,500}>`,
    String.raw`&(?:[A-Za-z]{2,30}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});`,
    String.raw`[a-z][a-z0-9+.-]{1,9}://[^\s<>"]{1,500}`,
    String.raw`(?<!\s)[^\S\n]*\n\s*`,
  ].join('|'),
  'g',
);

/** A text with protected parts. */
export interface ProtectedText {
  text: string;
  /** Restores the protected parts in the engine's response; null if a part is missing or duplicated. */
  restore(answer: string): string | null;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescape(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Marks the parts of a text that an engine must not change. */
export function protect(text: string, markup: Markup): ProtectedText {
  // Engines drop leading and trailing white space.
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  const [before, after] = [text.slice(0, start), text.slice(start + inner.length)];
  const parts = [...inner.matchAll(PROTECTED)].map(([part]) => part);
  const around = (middle: string | null) => (middle === null ? null : before + middle.trim() + after);
  if (markup === 'plain') return { text: inner, restore: (answer) => around(hasAll(answer, parts) ? answer : null) };
  let next = 0;
  let sent = '';
  let at = 0;
  for (const found of inner.matchAll(PROTECTED)) {
    sent += escape(inner.slice(at, found.index)) + mark(next++, found[0], markup);
    at = found.index + found[0].length;
  }
  sent += escape(inner.slice(at));
  return { text: sent, restore: (answer) => around(restoreMarks(answer, parts, markup)) };
}

function mark(index: number, part: string, markup: 'html' | 'xml'): string {
  return markup === 'xml'
    ? `<x id="${index}"/>`
    : `<span class="notranslate" translate="no" id="${index}">${escape(part)}</span>`;
}

const marks = {
  html: /<span\b[^<>]*\bid\s*=\s*["']?(\d{1,5})["']?[^<>]*>[\s\S]*?<\/span\s*>/gi,
  xml: /<x\s+id\s*=\s*["'](\d{1,5})["']\s*(?:\/>|>\s*<\/x\s*>)/gi,
} as const;

function restoreMarks(answer: string, parts: readonly string[], markup: 'html' | 'xml'): string | null {
  const seen = new Set<number>();
  let result = '';
  let at = 0;
  for (const found of answer.matchAll(marks[markup])) {
    const index = Number(found[1]);
    if (index >= parts.length || seen.has(index)) return null;
    seen.add(index);
    result += unescape(answer.slice(at, found.index)) + parts[index]!;
    at = found.index + found[0].length;
  }
  const rest = answer.slice(at);
  return seen.size === parts.length ? result + unescape(rest) : null;
}

/** Whether a text contains each part at least as often as it occurs in `parts`. */
function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => {
    const wanted = parts.filter((other) => other.trim() === part.trim()).length;
    return part.trim() === '' || text.split(part.trim()).length - 1 >= wanted;
  });
}
