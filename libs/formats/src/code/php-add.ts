import type { Edit, TextDocument } from '../core/document';
import {
  Literal,
  NestedKeys,
  type Insertion,
  type NestedValue,
  type StepContent,
  type Step,
} from '../core/nested-keys';
import { keyText, nodes, quote, spanOf, variablePath, type Entry } from './php-nodes';
import type { PhpNode } from './php-scan';

/** A list that is returned or assigned as a whole. */
interface TopList {
  node: PhpNode;
  /** The variable; '' for a returned list. */
  path: string;
}

const VARIABLE = /^\$\w+(?:\['[^']*'\])*/;

/** Adds new strings at their paths: in lists, or as variables and constants. */
export function addPhp(
  document: TextDocument,
  program: PhpNode,
  all: readonly Entry[],
  values: readonly (readonly [key: string, text: string])[],
): Edit[] {
  const lists = topLists(program);
  const returned = lists.find(({ path }) => path === '');
  const constants = all.some(({ path, list }) => !list && !path.startsWith('$'));
  const writer = new PhpWriter(document, all);
  const keysOf = new Map<TopList, NestedKeys<PhpNode>>();
  const variables = new Map<string, NestedKeys<PhpNode>>();
  const statements: string[] = [];
  for (const [key, text] of values) {
    const variable = VARIABLE.exec(key)?.[0];
    const rest = variable === undefined ? key : key.slice(variable.length).replace(/^\./, '');
    if (variable !== undefined && rest === '') {
      statements.push(`${key} = ${quote(text, "'")};`);
      continue;
    }
    const own = lists.find(({ path }) => path !== '' && path === variable);
    const list = own ?? (variable === undefined && !(constants && !returned) ? (returned ?? lists.at(-1)) : undefined);
    if (list) {
      let keys = keysOf.get(list);
      if (!keys) keysOf.set(list, (keys = writer.keysOf(list.node)));
      keys.add(own ? rest : key, text);
    } else if (variable !== undefined) {
      let keys = variables.get(variable);
      if (!keys) variables.set(variable, (keys = writer.keysOf(undefined)));
      keys.add(rest, text);
    } else statements.push(`define(${quote(key, "'")}, ${quote(text, "'")});`);
  }
  for (const [variable, keys] of variables)
    statements.push(`${variable} = ${writer.render(keys.plan().whole ?? [], '', false)};`);
  return [
    ...writer.statements(statements, returned?.node),
    ...[...keysOf].flatMap(([list, keys]) => writer.write(list.node, keys)),
  ];
}

function topLists(program: PhpNode): TopList[] {
  const found: TopList[] = [];
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

/** Renders code in the style of a file. */
class PhpWriter {
  private readonly text: string;
  private readonly style: string;
  private readonly keepsDots: boolean;
  private open: readonly [string, string] = ['[', ']'];

  constructor(
    private readonly document: TextDocument,
    all: readonly Entry[],
  ) {
    this.text = document.text;
    const quotes = new Set(all.map(({ value }) => this.text[spanOf(value).start]));
    this.style = quotes.has('"') && !quotes.has("'") ? '"' : "'";
    this.keepsDots = all.some(({ owner }) => owner['key'] && keyText(owner['key'] as PhpNode)?.includes('.'));
  }

  /** Insertion point of a list; a new list has no node. */
  keysOf(list: PhpNode | undefined): NestedKeys<PhpNode> {
    const view = {
      root: list ? this.contentOf(list) : ('gap' as const),
      isList: (node: PhpNode) => nodes(node['items']).every((item) => !item['key']),
      members: (node: PhpNode) => this.membersOf(node),
    };
    return new NestedKeys<PhpNode>(view, 'dots', this.keepsDots);
  }

  private contentOf(value: PhpNode): StepContent<PhpNode> {
    if (value.kind === 'array') return nodes(value['items']).length === 0 ? 'gap' : value;
    const { start, end } = spanOf(value);
    return end - start === 4 && this.text.slice(start, end).toLowerCase() === 'null' ? 'gap' : 'taken';
  }

  private *membersOf(list: PhpNode): Generator<readonly [Step, StepContent<PhpNode>]> {
    for (const [i, item] of nodes(list['items']).entries()) {
      const key = item['key'] as PhpNode | null | undefined;
      const step = key ? keyText(key) : i;
      if (item.kind !== 'entry') yield [i, 'taken'];
      else if (step !== undefined) yield [step, this.contentOf(item['value'] as PhpNode)];
    }
  }

  write(list: PhpNode, keys: NestedKeys<PhpNode>): Edit[] {
    // New lists use the style of their parent.
    this.open = this.text.startsWith('[', spanOf(list).start) ? ['[', ']'] : ['array(', ')'];
    const { whole, insertions } = keys.plan();
    return [...(whole === undefined ? [] : this.fill(list, whole)), ...insertions.flatMap((into) => this.insert(into))];
  }

  private fill(node: PhpNode, value: NestedValue): Edit[] {
    const { start, end } = spanOf(node);
    const indent = /^[ \t]*/.exec(this.text.slice(this.document.lineStart(start), start))?.[0] ?? '';
    return [{ start, end, text: this.render(value, indent, false) }];
  }

  /** New items follow the last one. */
  private insert({ container, members, items, fills }: Insertion<PhpNode>): Edit[] {
    const { text, document } = this;
    const { eol } = document;
    const known = nodes(container['items']);
    const filled = [...fills].flatMap(([step, value]) => {
      const item = known.findLast((entry, i) => (entry['key'] ? keyText(entry['key'] as PhpNode) : i) === step);
      return this.fill(item?.['value'] as PhpNode, value);
    });
    if (members.size + items.length === 0) return filled;
    const close = spanOf(container).end - 1;
    const last = spanOf(known.at(-1) as PhpNode);
    const before = text.slice(document.lineStart(last.start), last.start);
    const comma = /^\s*,/.exec(text.slice(last.end, close));
    const inline = before.trim() !== '';
    const written = [
      ...this.members(members, before, inline),
      ...items.map((item) => this.render(item, before, inline)),
    ];
    const at = last.end + (comma?.[0].length ?? 0);
    if (inline) {
      const joined = written.join(', ');
      return [...filled, { start: at, end: at, text: comma ? ` ${joined},` : `, ${joined}` }];
    }
    if (!comma)
      return [...filled, { start: at, end: at, text: written.map((item) => `,${eol}${before}${item}`).join('') }];
    const end = Math.min(document.lineEnd(at), close);
    const broken = text[end - 1] === '\n';
    const lines = written.map((item) => (broken ? `${before}${item},${eol}` : `${eol}${before}${item},`));
    return [...filled, { start: end, end, text: lines.join('') }];
  }

  private members(members: ReadonlyMap<string, NestedValue>, indent: string, inline: boolean): string[] {
    return [...members].map(([name, value]) => `${quote(name, this.style)} => ${this.render(value, indent, inline)}`);
  }

  /** Renders a value. Items of multi-line lists are indented by four blanks. */
  render(value: NestedValue, indent: string, inline: boolean): string {
    if (value === null) return 'null';
    if (typeof value === 'string') return quote(value, this.style);
    if (value instanceof Literal) return value.text;
    const inner = `${indent}    `;
    const items =
      value instanceof Map ? this.members(value, inner, inline) : value.map((item) => this.render(item, inner, inline));
    const [open, close] = this.open;
    const { eol } = this.document;
    if (inline) return `${open}${items.join(', ')}${close}`;
    return `${open}${eol}${items.map((item) => `${inner}${item},${eol}`).join('')}${indent}${close}`;
  }

  /** New statements precede the `return` statement, else go to the end. */
  statements(lines: readonly string[], returned: PhpNode | undefined): Edit[] {
    if (lines.length === 0) return [];
    const { text, document } = this;
    const { eol } = document;
    const body = lines.map((line) => line + eol).join('');
    if (returned) {
      const at = document.lineStart(text.lastIndexOf('return', spanOf(returned).start));
      return [{ start: at, end: at, text: body }];
    }
    const end = /\?>\s*$/.exec(text)?.index ?? text.length;
    return [{ start: end, end, text: (end > 0 && text[end - 1] !== '\n' ? eol : '') + body }];
  }
}
