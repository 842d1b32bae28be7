import { Pair, Scalar, YAMLMap } from 'yaml';
import { isPlainSafe } from './scalar';

interface Level {
  indent: number;
  map: YAMLMap;
  /** The pair whose value would be a map of the next level. */
  open: Pair<Scalar, Scalar | YAMLMap> | undefined;
}

const LINE =
  /( *)(?:([A-Za-z][\w.-]*)|"([^"\\\r\n]+)"|'([^'\r\n]+)'):(?:[ ]+(?:"((?:[^"\\\r\n]|\\["\\/nt])*)"|'((?:[^'\r\n]|'')*)'|([^\s#&*!|>'"%@`,[\]{}?:-][^\r\n]*?)))?[ ]*(?:[ ]#[^\r\n]*)?\r?(?:\n|$)/y;
const SKIP = /[ ]*(?:#[^\r\n]*)?\r?(?:\n|$)/y;
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/**
 * Reads what nearly all translation files consist of, maps of one-line texts, many times faster than the whole language. Gives
 * undefined for a file with anything else in it, which the library then reads; both give the same tree.
 */
export function parseSimple(text: string): YAMLMap | undefined {
  let at = /^---[ ]*\r?\n/.exec(text)?.[0].length ?? 0;
  const levels: Level[] = [];
  let end = 0;
  while (at < text.length) {
    SKIP.lastIndex = at;
    const skipped = SKIP.exec(text);
    if (skipped && skipped[0] !== '') {
      at = SKIP.lastIndex;
      continue;
    }
    LINE.lastIndex = at;
    const match = LINE.exec(text);
    if (!match) return undefined;
    const indent = (match[1] as string).length;
    const level = levelAt(levels, indent, at, text.length);
    const pair = level && pairOf(match, at);
    if (!level || !pair) return undefined;
    level.map.items.push(pair);
    level.open = isOpen(match) ? pair : undefined;
    end = pair.value?.range?.[1] ?? 0;
    for (const { map } of levels) if (map.range) map.range = [map.range[0], end, end];
    at = LINE.lastIndex;
  }
  return levels[0]?.map;
}

function isOpen(match: RegExpExecArray): boolean {
  return match[5] === undefined && match[6] === undefined && match[7] === undefined;
}

/** The map that a line with this indentation belongs to, or undefined where the indentation fits none. */
function levelAt(levels: Level[], indent: number, at: number, length: number): Level | undefined {
  while (levels.length > 0 && (levels.at(-1) as Level).indent > indent) levels.pop();
  const last = levels.at(-1);
  if (last?.indent === indent) return last;
  if (levels.length > 100 || (last ? !last.open : indent !== 0)) return undefined;
  const map = new YAMLMap();
  map.range = [at + indent, length, length];
  if (last?.open) last.open.value = map;
  const level: Level = { indent, map, open: undefined };
  levels.push(level);
  return level;
}

function pairOf(match: RegExpExecArray, at: number): Pair<Scalar, Scalar | YAMLMap> | undefined {
  const [line, indent, bare, double, single, doubleValue, singleValue, plain] = match as unknown as [
    string,
    string,
    ...(string | undefined)[],
  ];
  const name = bare ?? double ?? single ?? '';
  if (bare !== undefined && RESERVED.test(bare)) return undefined;
  const keyStart = at + indent.length;
  const keyEnd = keyStart + name.length + (bare === undefined ? 2 : 0);
  const key = scalar(name, bare === undefined ? 'QUOTE_DOUBLE' : 'PLAIN', keyStart, keyEnd);
  const gap = /^[ ]*/.exec(line.slice(keyEnd + 1 - at))?.[0].length ?? 0;
  const start = keyEnd + 1 + gap;
  if (doubleValue !== undefined)
    return new Pair(key, scalar(unescape(doubleValue), 'QUOTE_DOUBLE', start, start + doubleValue.length + 2));
  if (singleValue !== undefined)
    return new Pair(
      key,
      scalar(singleValue.replaceAll("''", "'"), 'QUOTE_SINGLE', start, start + singleValue.length + 2),
    );
  if (plain === undefined) return new Pair(key, scalar(null, 'PLAIN', keyEnd + 1, keyEnd + 1));
  return isPlainSafe(plain, false) ? new Pair(key, scalar(plain, 'PLAIN', start, start + plain.length)) : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function unescape(raw: string): string {
  return raw.includes('\\') ? raw.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char) : raw;
}

function scalar(
  value: string | null,
  type: 'PLAIN' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE',
  start: number,
  end: number,
): Scalar {
  const node = new Scalar(value);
  node.type = type;
  node.source = value ?? '';
  node.range = [start, end, end];
  return node;
}
