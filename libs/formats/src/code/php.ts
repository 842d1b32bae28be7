import { ownRegExp } from '@parlance/patterns';
import { Engine, type Node } from 'php-parser';
import { printable, type Edit, type TextDocument } from '../core/document';
import { keyedFormat, type KeyedContext, type KeyedParts, type Slot } from '../core/keyed';
import { FormatError, type AddChange, type FileFormat } from '../format';
import { addPhp } from './php-add';
import { keyText, nodes, quote, spanOf, variablePath, type Entry } from './php-nodes';
import type { PhpNode } from './php-scan';
import { parseSimplePhp } from './php-simple';
import { unescapeDouble, unescapeSingle } from './php-text';

/** Nesting limit of the recursive parser. */
const MAX_RUN = 200;
const NESTED = ownRegExp(`(?:(?:\\[|array\\s*\\(|\\()\\s*){${MAX_RUN}}`);

/** Parses any PHP with the library. */
export function parseWhole(text: string): PhpNode {
  const engine = new Engine({ parser: { extractDoc: false, version: 803 }, ast: { withPositions: true } });
  // The library's node types do not declare the positions that `withPositions` adds.
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
  const run = NESTED.exec(document.text);
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
    const text = printable(message.replace(/ on line \d.*$/, '').replace(/^Parse Error\s*:\s*/, ''), 80);
    throw new FormatError('syntax', `not valid PHP: ${text}`, lineNumber ?? 1, (columnNumber ?? 0) + 1);
  }
}

function entries(program: PhpNode): Entry[] {
  const found: Entry[] = [];
  const walkList = (list: PhpNode, path: string): void => {
    nodes(list['items']).forEach((item, i) => {
      const key = item['key'] as PhpNode | null | undefined;
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
  if (node.kind !== 'string') return undefined;
  const { start, end } = spanOf(node);
  const raw = text.slice(start, end);
  return raw.startsWith('"')
    ? unescapeDouble(raw.slice(1, -1))
    : raw.startsWith("'")
      ? unescapeSingle(raw.slice(1, -1))
      : undefined;
}

/** Flattens a concatenation of any length, which is nested on the left. */
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

function joined(change: AddChange, laravel: boolean): string {
  if (change.target.length > 1 && !laravel) throw new FormatError('invalid-change', 'the string has no plural forms');
  return change.target.join('|');
}

function phpFormat(id: string, laravel: boolean): FileFormat {
  return keyedFormat({
    id,
    empty: () => '<?php\n\nreturn [\n];\n',
    read: (context) => read(context, laravel),
    encode: ({ document }, text, slot) => quote(text, document.text[slot.start] === '"' ? '"' : "'"),
    add: ({ document }, changes) => {
      const program = parse(document);
      const values = changes.map((change) => [change.context, joined(change, laravel)] as const);
      return addPhp(document, program, entries(program), values);
    },
  });
}

/** PHP: returned and assigned lists, variables, and constants. */
export const php = phpFormat('php', false);

/** PHP with Laravel's plurals, whose forms are separated by `|`. */
export const laravel = phpFormat('laravel', true);
