import { Engine, type Node } from 'php-parser';
import { printable, type Edit, type TextDocument } from '../core/document';
import { keyedFormat, type KeyedContext, type KeyedParts, type KeyedUnit, type Slot } from '../core/keyed';
import { FormatError, type AddChange, type FileFormat } from '../format';
import type { PhpNode } from './php-scan';
import { parseSimplePhp } from './php-simple';
import { unescapeDouble, unescapeSingle } from './php-text';

interface Entry {
  path: string;
  value: PhpNode;
  /** The whole item or statement. */
  owner: PhpNode;
  /** List that the item stands in. */
  list: PhpNode | undefined;
}

/** Levels of nested lists that the parser itself survives. */
const MAX_RUN = 200;

function nodes(value: unknown): PhpNode[] {
  return Array.isArray(value) ? (value.filter((item) => typeof item === 'object' && item !== null) as PhpNode[]) : [];
}

/** Reads any PHP, as slowly as that takes. */
export function parseWhole(text: string): PhpNode {
  const engine = new Engine({ parser: { extractDoc: false, version: 803 }, ast: { withPositions: true } });
  return engine.parseCode(text, 'file.php') as Node as unknown as PhpNode;
}

function isValid(code: string): boolean {
  try {
    parseWhole(`<?php\n${code}`);
    return true;
  } catch {
    return false;
  }
}

function parse(document: TextDocument): PhpNode {
  const run = new RegExp(`(?:(?:\\[|array\\s*\\(|\\()\\s*){${MAX_RUN}}`).exec(document.text);
  if (run) throw document.error(`more than ${MAX_RUN} nested levels`, run.index, 'limit');
  const code = document.text.search(/<\?(?:php\b|=|\s)/i);
  if (code < 0 && document.text.trim() !== '') throw document.error('expected <?php', 0);
  const simple = parseSimplePhp(document.text, isValid);
  if (simple) return simple;
  try {
    return parseWhole(document.text);
  } catch (error) {
    if (error instanceof RangeError) throw document.error('too many nested levels', 0, 'limit');
    const { lineNumber, columnNumber, message } = error as Error & { lineNumber?: number; columnNumber?: number };
    const text = printable(message.replace(/ on line \d+.*$/, '').replace(/^Parse Error\s*:\s*/, ''), 80);
    throw new FormatError('syntax', `not valid PHP: ${text}`, lineNumber ?? 1, (columnNumber ?? 0) + 1);
  }
}

function entries(program: PhpNode): Entry[] {
  const found: Entry[] = [];
  const walkList = (list: PhpNode, path: string): void => {
    nodes(list['items']).forEach((item, i) => {
      const key = item['key'] as PhpNode | null;
      const name = key === null || key === undefined ? `[${i}]` : keyText(key);
      if (name === undefined || item.kind !== 'entry') return;
      const here = path === '' || name.startsWith('[') ? path + name : `${path}.${name}`;
      const value = item['value'] as PhpNode;
      if (value.kind === 'array') walkList(value, here);
      else found.push({ path: here, value, owner: item, list });
    });
  };
  const walk = (statement: PhpNode): void => {
    if (statement.kind === 'return') {
      const value = statement['expr'] as PhpNode | null;
      if (value?.kind === 'array') walkList(value, '');
    } else if (statement.kind === 'expressionstatement') {
      const expression = statement['expression'] as PhpNode;
      if (expression.kind === 'assign') {
        const path = variablePath(expression['left'] as PhpNode);
        const value = expression['right'] as PhpNode;
        if (path !== undefined && value.kind === 'array') walkList(value, path);
        else if (path !== undefined) found.push({ path, value, owner: statement, list: undefined });
      } else if (expression.kind === 'call') walkDefine(expression, statement);
    } else for (const child of nodes(statement['children'])) walk(child);
  };
  const walkDefine = (call: PhpNode, statement: PhpNode): void => {
    const name = (call['what'] as PhpNode)['name'];
    const [key, value] = nodes(call['arguments']);
    const constant = key && keyText(key);
    if (name === 'define' && value && constant !== undefined)
      found.push({ path: constant, value, owner: statement, list: undefined });
  };
  for (const child of nodes(program['children'])) walk(child);
  return found;
}

function keyText(node: PhpNode): string | undefined {
  if (node.kind === 'string' || node.kind === 'number') return String(node['value']);
  return undefined;
}

function variablePath(node: PhpNode): string | undefined {
  if (node.kind === 'variable' && typeof node['name'] === 'string') return `$${node['name']}`;
  if (node.kind !== 'offsetlookup') return undefined;
  const base = variablePath(node['what'] as PhpNode);
  const key = node['offset'] as PhpNode | false;
  const name = key ? keyText(key) : '';
  return base === undefined || name === undefined ? undefined : `${base}['${name}']`;
}

/** A string literal, several joined by dots, or a heredoc without variables. */
function literalText(node: PhpNode, text: string): string | undefined {
  if (node.kind === 'bin' && node['type'] === '.') return joinedText(node, text);
  if (node.kind === 'nowdoc') return String(node['value']);
  if (node.kind === 'encapsed' && node['type'] === 'heredoc') {
    const parts = nodes(node['value']);
    if (parts.some((part) => ((part['expression'] as PhpNode | undefined)?.kind ?? part.kind) !== 'string'))
      return undefined;
    return parts.map((part) => String(((part['expression'] as PhpNode | undefined) ?? part)['value'])).join('');
  }
  if (node.kind !== 'string' || !node.loc) return undefined;
  const raw = text.slice(node.loc.start.offset, node.loc.end.offset);
  return raw.startsWith('"')
    ? unescapeDouble(raw.slice(1, -1))
    : raw.startsWith("'")
      ? unescapeSingle(raw.slice(1, -1))
      : undefined;
}

/** A chain of joined texts, however long: each join holds the one before on its left. */
function joinedText(chain: PhpNode, text: string): string | undefined {
  const parts: string[] = [];
  let node = chain;
  for (; node.kind === 'bin' && node['type'] === '.'; node = node['left'] as PhpNode) {
    const right = literalText(node['right'] as PhpNode, text);
    if (right === undefined) return undefined;
    parts.push(right);
  }
  const first = literalText(node, text);
  return first === undefined ? undefined : first + parts.reverse().join('');
}

function quote(text: string, style: string): string {
  if (style !== '"') return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '\\$')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

function spanOf(node: PhpNode): Slot {
  return { start: node.loc?.start.offset ?? 0, end: node.loc?.end.offset ?? 0 };
}

function read({ document }: KeyedContext, laravel: boolean): KeyedParts[] {
  const { text } = document;
  return entries(parse(document)).flatMap((entry): KeyedParts[] => {
    const value = literalText(entry.value, text);
    if (value === undefined) return [];
    const slot = spanOf(entry.value);
    const style = text[slot.start] === '"' ? '"' : "'";
    const plural = laravel && value.includes('|');
    const write = (target: readonly string[]): Edit[] => [{ ...slot, text: quote(target.join('|'), style) }];
    return [
      {
        context: entry.path,
        target: plural ? value.split('|') : [value],
        plural,
        offset: spanOf(entry.owner).start,
        slots: [slot],
        removal: [removalOf(document, entry)],
        ...(plural ? { write } : {}),
      },
    ];
  });
}

/** An item with its comma, or a statement, with its line. */
function removalOf(document: TextDocument, entry: Entry): Slot {
  const { text } = document;
  const span = spanOf(entry.owner);
  let { start, end } = span;
  const comma = entry.list ? /^\s*,/.exec(text.slice(end, end + 200)) : /^[ \t]*;/.exec(text.slice(end, end + 20));
  if (comma) end += comma[0].length;
  const lineStart = document.lineStart(start);
  const lineEnd = document.lineEnd(end);
  const alone = document.startsLine(start) && /^[ \t]*(?:(?:\/\/|#)[^\n]*)?\r?\n?$/.test(text.slice(end, lineEnd));
  if (alone && comma) return { start: lineStart, end: lineEnd };
  if (alone) return { start: lineStart, end: lineEnd };
  if (comma) end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  else if (entry.list) start -= /,\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0;
  return { start, end };
}

function add(
  { document }: KeyedContext,
  changes: readonly AddChange[],
  units: readonly KeyedUnit[],
  laravel: boolean,
): Edit[] {
  const { text, eol } = document;
  const all = entries(parse(document));
  const texts = changes.map((change) => ({ key: change.context, text: joined(change, laravel) }));
  const isVariable = /^\$\w+(?:\['[^']*'\])*$/;
  const assigned = units.length > 0 && units.every((unit) => unit.context.startsWith('$'));
  const lists = topLists(parse(document));
  if (lists.length === 0 || (assigned && texts.every(({ key }) => isVariable.test(key)))) {
    const end = /\?>\s*$/.exec(text)?.index ?? text.length;
    const open = end > 0 && text[end - 1] !== '\n' ? eol : '';
    const lines = texts.map(({ key, text: value }) => {
      const name = isVariable.test(key) ? key : undefined;
      return name ? `${name} = ${quote(value, "'")};${eol}` : `define(${quote(key, "'")}, ${quote(value, "'")});${eol}`;
    });
    return [{ start: end, end, text: open + lines.join('') }];
  }
  const list = lists.at(-1) as { node: PhpNode; path: string };
  return insertItems(document, list, texts, all);
}

function joined(change: AddChange, laravel: boolean): string {
  if (change.target.length > 1 && !laravel) throw new FormatError('invalid-change', 'the string has no plural forms');
  return change.target.join('|');
}

/** Lists that are returned or assigned as a whole. */
function topLists(program: PhpNode): { node: PhpNode; path: string }[] {
  const found: { node: PhpNode; path: string }[] = [];
  const walk = (statement: PhpNode): void => {
    const returned = statement.kind === 'return' ? (statement['expr'] as PhpNode | null) : undefined;
    if (returned?.kind === 'array') found.push({ node: returned, path: '' });
    const expression = statement['expression'] as PhpNode | undefined;
    const right = expression?.kind === 'assign' ? (expression['right'] as PhpNode) : undefined;
    const path = right?.kind === 'array' ? variablePath(expression?.['left'] as PhpNode) : undefined;
    if (right && path !== undefined) found.push({ node: right, path });
    if (statement.kind !== 'return' && statement.kind !== 'expressionstatement')
      for (const child of nodes(statement['children'])) walk(child);
  };
  for (const child of nodes(program['children'])) walk(child);
  return found;
}

/** New items go behind the last one of the list that their key leads to; keys with dots that lead nowhere stay whole. */
function insertItems(
  document: TextDocument,
  list: { node: PhpNode; path: string },
  texts: readonly { key: string; text: string }[],
  all: readonly Entry[],
): Edit[] {
  const { text, eol } = document;
  const style =
    all.find((entry) => text[spanOf(entry.value).start] === '"') &&
    !all.some((entry) => text[spanOf(entry.value).start] === "'")
      ? '"'
      : "'";
  const groups = new Map<PhpNode, string[]>();
  for (const { key, text: value } of texts) {
    const { node, name } = descend(
      list.node,
      list.path !== '' && key.startsWith(`${list.path}.`) ? key.slice(list.path.length + 1) : key,
    );
    if (nodes(node['items']).some((item) => item['key'] && keyText(item['key'] as PhpNode) === name))
      throw new FormatError('duplicate', `the file uses "${printable(key)}" for something else`);
    groups.set(node, [...(groups.get(node) ?? []), `${quote(name, style)} => ${quote(value, style)}`]);
  }
  return [...groups].map(([node, items]) => {
    const last = nodes(node['items']).at(-1);
    const span = spanOf(node);
    const close = span.end - 1;
    if (!last) {
      const indent = /^[ \t]*/.exec(text.slice(document.lineStart(span.start)))?.[0] ?? '';
      const lines = items.map((item) => `${indent}    ${item},${eol}`).join('');
      const open = text.startsWith('[', span.start) ? span.start + 1 : text.indexOf('(', span.start) + 1;
      return { start: open, end: close, text: `${eol}${lines}${indent}` };
    }
    const lastSpan = spanOf(last);
    const lineStart = document.lineStart(lastSpan.start);
    const indent = text.slice(lineStart, lastSpan.start);
    const rest = text.slice(lastSpan.end, close);
    const comma = /^\s*,/.exec(rest);
    if (indent.trim() !== '') {
      const at = lastSpan.end + (comma?.[0].length ?? 0);
      return { start: at, end: at, text: comma ? ` ${items.join(', ')},` : `, ${items.join(', ')}` };
    }
    if (!comma)
      return { start: lastSpan.end, end: lastSpan.end, text: items.map((item) => `,${eol}${indent}${item}`).join('') };
    const at = Math.min(document.lineEnd(lastSpan.end + comma[0].length), close);
    const broken = text[at - 1] === '\n';
    return {
      start: at,
      end: at,
      text: broken
        ? items.map((item) => `${indent}${item},${eol}`).join('')
        : items.map((item) => `${eol}${indent}${item},`).join(''),
    };
  });
}

function descend(list: PhpNode, key: string): { node: PhpNode; name: string } {
  const names = key.split('.');
  for (let count = 1; count < names.length; count++) {
    const name = names.slice(0, count).join('.');
    const item = nodes(list['items']).find((entry) => entry['key'] && keyText(entry['key'] as PhpNode) === name);
    const value = item?.['value'] as PhpNode | undefined;
    if (value?.kind === 'array') return descend(value, names.slice(count).join('.'));
  }
  return { node: list, name: key };
}

function phpFormat(id: string, laravel: boolean): FileFormat {
  return keyedFormat({
    id,
    empty: () => '<?php\n\nreturn [\n];\n',
    read: (context) => read(context, laravel),
    encode: ({ document }, text, slot) => quote(text, document.text[slot.start] === '"' ? '"' : "'"),
    add: (context, changes, units) => add(context, changes, units, laravel),
  });
}

/** PHP: returned and assigned lists, single variables, and constants. */
export const php = phpFormat('php', false);

/** The same with Laravel's plurals, whose forms stand between `|`. */
export const laravel = phpFormat('laravel', true);
