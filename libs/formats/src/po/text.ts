/** Gettext string syntax: escapes, and wrapping in the style of the file. */

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** Decodes the content of a quoted string. Unknown escapes are kept verbatim. */
export function unescapePo(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/gs, (whole, code: string) => {
    const simple = ESCAPES[code];
    if (simple !== undefined) return simple;
    if (/^x./.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8) & 0xff);
    return whole;
  });
}

const NAMES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function escapePo(text: string): string {
  return text.replace(/[\\"\x07-\r]/g, (char) => NAMES[char] ?? char);
}

/** Wrapping style of a file. */
export interface WrapStyle {
  /** Line width in columns; Infinity if lines break only at line feeds. */
  width: number;
  /** False if line feeds inside a string do not break it either. */
  breakAtLineFeeds: boolean;
}

/** Lines of the quoted string, without line ends. `column` is the position of the opening quote. */
export function quoteLines(text: string, column: number, style: WrapStyle): string[] {
  const escaped = escapePo(text);
  const inner = text.indexOf('\n');
  const broken = style.breakAtLineFeeds && inner >= 0 && inner < text.length - 1;
  if (!broken && (style.width === Infinity || column + displayWidth(escaped) + 2 <= style.width))
    return [`"${escaped}"`];
  const lines: string[] = [];
  const paragraphs = style.breakAtLineFeeds ? escapedParagraphs(text) : [escaped];
  for (const paragraph of paragraphs) for (const line of wrap(paragraph, style.width - 2)) lines.push(line);
  if (lines.length === 1 && !broken && column + displayWidth(escaped) + 2 <= style.width) return [`"${escaped}"`];
  return ['""', ...lines.map((line) => `"${line}"`)];
}

function escapedParagraphs(text: string): string[] {
  const parts = text.split('\n');
  const last = parts.pop() ?? '';
  const lines = parts.map((part) => `${escapePo(part)}\\n`);
  return last === '' ? lines : [...lines, escapePo(last)];
}

/** Breaks after spaces, after a hyphen between letters, and between ideographs; never inside an escape. */
const PIECE =
  /(?:\\.|[^\\\s\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}-])+(?:-+(?=\p{L}))?[ \t]*|[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}][、。！？，．：；）」』】]?\s*|[\s\S]\s*/gu;

function wrap(escaped: string, width: number): string[] {
  if (width === Infinity) return [escaped];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const [piece] of escaped.matchAll(PIECE)) {
    const size = displayWidth(piece);
    if (line !== '' && used + size > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += piece;
    used += size;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Width in terminal columns: ideographs and full-width forms take two, combining marks none. */
function displayWidth(text: string): number {
  if (/^[\x00-\x7F]*$/.test(text)) return text.length;
  let width = 0;
  for (const char of text) {
    if (/\p{M}|\u200B|\u200D/u.test(char)) continue;
    width +=
      /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1;
  }
  return width;
}

const DEFAULT_WIDTH = 79;

/** Number of characters that are inspected for the wrapping style. */
const SAMPLE = 400_000;

/**
 * Detects the wrapping style of a file. `po_line_wrap` applies if the file shows none (columns inside the quotes; 65535: only at
 * line feeds; -1: never).
 */
export function detectWrapStyle(whole: string, param: number | undefined): WrapStyle {
  const text = whole.slice(0, SAMPLE);
  const fallback = param === undefined ? DEFAULT_WIDTH : param < 0 || param >= 65535 ? Infinity : param + 2;
  const unbroken = text.match(/^(?:msg\w+(?:\[\d+\])? )?"(?:[^"\\\n]|\\.)*\\n(?:[^"\\\n]|\\.)+"\r?$/gm)?.length ?? 0;
  const broken = text.match(/\\n"\r?\n"/g)?.length ?? 0;
  const breakAtLineFeeds = unbroken === 0 && broken === 0 ? param === undefined || param >= 0 : unbroken <= broken;
  let longest = 0;
  let wrapped = 0;
  for (const match of text.matchAll(/^"((?:[^"\\\n]|\\.)*)"\r?\n(?=")/gm)) {
    const inner = match[1] ?? '';
    if (inner === '' || inner.endsWith('\\n')) continue;
    wrapped += 1;
    if (/[ \t]\S+[ \t]*$/.test(inner)) longest = Math.max(longest, displayWidth(inner) + 2);
  }
  if (wrapped > 0) {
    const width = wrapped >= 10 && longest > 20 ? Math.max(longest, 40) : Math.max(longest, DEFAULT_WIDTH);
    return { width, breakAtLineFeeds };
  }
  const long = /^msg(?:id|str)[^"\n]* "[^"\n]{90,}"\r?$/m.exec(text);
  return { width: long && / /.test(long[0].slice(8, 80)) ? Infinity : fallback, breakAtLineFeeds };
}
