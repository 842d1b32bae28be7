import { decodeXml } from '../xml/tree';

/**
 * The text of an Android string resource: blanks outside quotes collapse, quotes group, a backslash escapes. Markup and CDATA sections are kept verbatim, and so are character references in strings that have them.
 */
export function decodeAndroid(raw: string): string {
  if (!/[\\"<&\t\r\n]| {2}|^ | $/.test(raw)) return raw;
  const parts = splitMarkup(raw);
  const markup = parts.some((part) => part.markup);
  const state: Quoting = { quoted: false, blank: true, pending: '' };
  let result = '';
  for (const part of parts) {
    if (part.markup) {
      result += state.pending + part.text;
      state.pending = '';
      state.blank = false;
    } else result += unescapeText(markup ? part.text : decodeXml(part.text), state);
  }
  return result;
}

interface Quoting {
  quoted: boolean;
  /** Only blanks so far, or since the last blank that was kept. */
  blank: boolean;
  /** A pending blank that is dropped at the end. */
  pending: string;
}

function unescapeText(text: string, state: Quoting): string {
  let result = '';
  const emit = (piece: string): void => {
    result += state.pending + piece;
    state.pending = '';
    state.blank = false;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '"') {
      state.quoted = !state.quoted;
      if (state.quoted) emit('');
    } else if (char === '\\') {
      const unicode = /^u([0-9a-fA-F]{4})/.exec(text.slice(i + 1, i + 6));
      if (unicode) {
        emit(String.fromCharCode(parseInt(unicode[1] as string, 16)));
        i += 5;
        continue;
      }
      i += 1;
      const next = text[i];
      if (next === undefined) emit('\\');
      else if (next === 'n') emit('\n');
      else if (next === 't') emit('\t');
      else if (next === '\n' || next === '\r') emit('');
      else if (/["'@?\\#\s]/.test(next)) emit(next);
      else emit(`\\${next}`);
    } else if (!state.quoted && /[ \t\r\n]/.test(char)) {
      if (!state.blank && state.pending === '') state.pending = ' ';
    } else emit(char);
  }
  return result;
}

/** Splits a text into markup (tags, comments, CDATA sections) and text. */
function splitMarkup(raw: string): { text: string; markup: boolean }[] {
  const parts: { text: string; markup: boolean }[] = [];
  let at = 0;
  // eslint-disable-next-line regexp/no-super-linear-move -- well-formed: every < begins markup that ends
  for (const match of raw.matchAll(/<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/g)) {
    if (match.index > at) parts.push({ text: raw.slice(at, match.index), markup: false });
    parts.push({ text: match[0], markup: true });
    at = match.index + match[0].length;
  }
  if (at < raw.length) parts.push({ text: raw.slice(at), markup: false });
  return parts;
}

/** Escapes text between markup; `quote` is false if the file does not escape apostrophes. */
function escapeText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll("'", "\\'")
    .replaceAll('"', '\\"')
    .replace(/\r/g, '\\u000d')
    .replace(/[\u00A0\u2000-\u200B\u3000]/g, (char) => char);
  return escaped.replace(/ {2,}/g, (blanks) => ` ${'\\u0020'.repeat(blanks.length - 1)}`);
}

/** A quoted text with literal blanks and apostrophes. */
export function quoteAndroid(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\u000d');
  return `"${escaped}"`;
}

/** Encodes the content of a resource before XML escaping. Markup is unchanged. */
export function encodeAndroid(text: string, markup: boolean): string {
  const parts = markup ? splitMarkup(text) : [{ text, markup: false }];
  let result = parts.map((part) => (part.markup ? part.text : escapeText(part.text))).join('');
  result = result.replace(/^[@?]/, '\\$&').replace(/^ /, '\\u0020').replace(/ $/, '\\u0020');
  return result;
}
