import type { Slot } from '../core/keyed';

const BLOCK_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|\/?>|$)/i;
const ANY_TAG =
  /^<(?:[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[A-Za-z][A-Za-z0-9-]*[ \t]*)>[ \t]*$/;
const RAW: readonly (readonly [start: RegExp, until: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];

/** Whether a line starts an HTML block, and its end condition. Without `until`, it ends at the next blank line. */
export function htmlBlockStart(line: string, interrupts: boolean): { until: RegExp | undefined } | undefined {
  for (const [start, until] of RAW) if (start.test(line)) return { until };
  if (BLOCK_TAG.test(line) || (!interrupts && ANY_TAG.test(line))) return { until: undefined };
  return undefined;
}

const LABEL = /\[(?=[^\]]*[^\s\]])(?:\\[^]|[^[\]\\]){1,999}\]:/y;
const DESTINATION = /<(?:\\.|[^<>\\\n])*>|(?!<)(?:\\[!-/:-@[-`{-~]|[^\s\x00-\x1F\x7F])+/y;
const TITLE = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\)/y;
const SPACE = /[ \t]*(?:\n[ \t]*)?/y;
const REST = /[ \t]*(?:\n|$)/y;

/** Number of leading lines of a paragraph that are link definitions. */
export function skipDefinitions(text: string, lines: readonly Slot[]): number {
  const body = lines.map(({ start, end }) => text.slice(start, end)).join('\n');
  let at = 0;
  let done = 0;
  while (body[at] === '[') {
    const end = definitionEnd(body, at);
    if (end === undefined) break;
    for (let i = at; i < end; i++) if (body[i] === '\n') done += 1;
    at = end;
    if (at >= body.length) return lines.length;
  }
  return done;
}

/** Offset after the line of the link definition at an offset. */
function definitionEnd(body: string, start: number): number | undefined {
  const take = (pattern: RegExp, at: number): number | undefined => {
    pattern.lastIndex = at;
    return pattern.test(body) ? pattern.lastIndex : undefined;
  };
  const label = take(LABEL, start);
  const destination = label === undefined ? undefined : take(DESTINATION, take(SPACE, label) ?? label);
  if (destination === undefined || !balanced(body.slice(label, destination).trim())) return undefined;
  const plain = take(REST, destination);
  const gap = take(SPACE, destination) ?? destination;
  const title = gap > destination ? take(TITLE, gap) : undefined;
  return (title === undefined ? undefined : take(REST, title)) ?? plain;
}

/** A bare destination holds parentheses only in pairs. */
function balanced(destination: string): boolean {
  if (destination.startsWith('<')) return true;
  let depth = 0;
  for (let i = 0; i < destination.length; i++) {
    const char = destination[i];
    if (char === '\\') i += 1;
    else if (char === '(') depth += 1;
    else if (char === ')' && (depth -= 1) < 0) return false;
  }
  return depth === 0;
}
