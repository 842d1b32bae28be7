import { ownRegExp, trimEndOf } from '@parlance/patterns';
import { Composer, Parser, type Document, type YAMLParseError } from 'yaml';
import { printable, type Edit, type TextDocument } from '../core/document';
import { Literal, NestedKeys, type NestedValue, type Step } from '../core/nested-keys';
import type { FormatParams } from '../format';
import {
  fromLibrary,
  keyText,
  nameReferences,
  placeOf,
  placesOf,
  tooManyByAlias,
  type Container,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
  type YamlSeq,
} from './node';
import { parseSimple } from './simple';
import { blockLiteral, doubleQuoted, foldLine, isPlainSafe, isSameKind, writtenLike } from './scalar';

/** A pair of a map or an item of a list. Where it stands is looked up when it is asked for: most of a file's are not. */
export class YamlItem {
  constructor(
    readonly container: Container,
    readonly index: number,
    readonly parent: YamlItem | undefined,
  ) {}

  get start(): number {
    return this.first?.start ?? 0;
  }

  /** Behind the key of a pair. */
  get keyEnd(): number {
    return this.first?.end ?? 0;
  }

  get end(): number {
    const item = this.container.items[this.index];
    const value = item && 'key' in item ? item.value : item;
    return Math.max(value?.end ?? 0, this.keyEnd);
  }

  private get first(): YamlNode | undefined {
    return firstOf(this.container, this.index);
  }
}

/** A scalar with the way to it. */
export class YamlLeaf extends YamlItem {
  constructor(
    container: Container,
    index: number,
    parent: YamlItem | undefined,
    /** Names and `[n]` from the root to what it stands in, the same list for all that stand there. */
    readonly path: readonly string[],
    /** Its own name, or `[n]`. */
    readonly name: string,
    /** The scalar; undefined where a key has no value at all. */
    readonly node: YamlScalar | undefined,
    readonly text: string,
  ) {
    super(container, index, parent);
  }
}

const LINE_BREAKS = { dos: '\r\n', unix: '\n', mac: '\r' } as const;

/** Where long lines are broken in files that break some, and whose component does not say where. */
const DEFAULT_WIDTH = 80;

/** What stands for `yaml_line_wrap` without a limit. */
const UNLIMITED = 65535;

/** The line end that a component's parameters ask for. */
export function lineBreak(params: FormatParams | undefined): string {
  return LINE_BREAKS[params?.yaml_line_break ?? 'unix'];
}

/** Longest run of opening brackets that is worth parsing; what the library cannot take is deeper than that by far. */
const MAX_RUN = 200;
const NESTED = ownRegExp(`(?:[[{]\\s*){${MAX_RUN}}|(?:[-?] ){${MAX_RUN}}`);

/** A line with anything but a comment. The library takes 700 times the memory of a file that has none. */
const WRITTEN = /^[ \t]*[^ \t\r\n#]/m;

/** A YAML document with places, and the edits that keep to its style. */
export class YamlTree {
  readonly root: YamlNode | undefined;
  private readonly text: string;
  /** Line end of what is written; the parameter counts where the file has none. */
  private readonly eol: string;
  private habit: 'breaks' | 'keeps' | 'open' | undefined;

  constructor(
    readonly document: TextDocument,
    private readonly params: FormatParams = {},
  ) {
    this.text = document.text;
    this.eol = this.text.includes('\n') ? document.eol : lineBreak(params);
    const run = NESTED.exec(this.text);
    if (run) throw document.error(`more than ${MAX_RUN} nested levels`, run.index, 'limit');
    this.root = WRITTEN.test(this.text) ? (parseSimple(this.text) ?? this.parse()) : undefined;
    if (this.root?.kind === 'scalar' && this.root.value !== null)
      throw document.error('expected a map or a list', this.root.start);
    const { maxUnits } = document.limits;
    const alias = this.root && this.text.includes('*') ? tooManyByAlias(this.root, maxUnits) : undefined;
    if (alias) throw document.error(`aliases that stand for more than ${maxUnits} values`, alias.start, 'limit');
  }

  private parse(): YamlNode | undefined {
    let first: Document | undefined;
    let error: YAMLParseError | undefined;
    let exhausted: YAMLParseError | undefined;
    try {
      const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent', strict: true });
      // The strings are those of the first document, but what follows has to be YAML too.
      for (const document of composer.compose(new Parser().parse(this.text), true, this.text.length)) {
        first ??= document;
        error ??= document.errors[0];
        exhausted ??= document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
      }
    } catch (thrown) {
      if (thrown instanceof RangeError) throw this.document.error(`more than ${MAX_RUN} nested levels`, 0, 'limit');
      throw thrown;
    }
    if (exhausted) throw this.document.error(`more than ${MAX_RUN} nested levels`, exhausted.pos[0], 'limit');
    if (error)
      throw this.document.error(
        `not valid YAML: ${printable(error.message.split('\n')[0] as string, 80)}`,
        error.pos[0],
      );
    const root = fromLibrary(first?.contents, this.text);
    if (root) nameReferences(root);
    return root;
  }

  /** Whether the file holds nothing yet. */
  get isBlank(): boolean {
    return placeOf(this.root) === 'gap';
  }

  /** All scalars but null, in file order. An alias is a scalar of another place. */
  leaves(): YamlLeaf[] {
    const found: YamlLeaf[] = [];
    const { maxDepth } = this.document.limits;
    const walk = (container: Container, path: readonly string[], parent: YamlItem | undefined): void => {
      if (path.length > maxDepth)
        throw this.document.error(`more than ${maxDepth} nested levels`, container.start, 'limit');
      for (let index = 0; index < container.items.length; index++) {
        const pair = container.kind === 'map' ? container.items[index] : undefined;
        const value = pair ? pair.value : (container.items[index] as YamlNode | undefined);
        const name = pair ? keyText(pair) : `[${index}]`;
        if (name === undefined) continue;
        if (value?.kind === 'map' || value?.kind === 'seq') {
          walk(value, path.concat(name), new YamlItem(container, index, parent));
          continue;
        }
        const text = value?.kind === 'scalar' ? this.textOf(value) : value === undefined && pair ? '' : undefined;
        if (text === undefined) continue;
        found.push(new YamlLeaf(container, index, parent, path, name, value as YamlScalar | undefined, text));
      }
    };
    const { root } = this;
    if (root?.kind === 'map' || root?.kind === 'seq') walk(root, [], undefined);
    return found;
  }

  /** The text of a scalar; undefined for a null. */
  private textOf({ value, style, source, start, end }: YamlScalar): string | undefined {
    if (typeof value === 'string') return value;
    if (value === null) return undefined;
    return style === 'plain' ? this.text.slice(start, end).trim() : source;
  }

  setLeaf(leaf: YamlLeaf, text: string): Edit[] {
    if (text === leaf.text) return [];
    const { node, container } = leaf;
    if (!node) {
      const at = this.text.indexOf(':', leaf.keyEnd) + 1;
      if (at === 0) throw this.document.error('a key without a colon cannot take a text', leaf.start, 'unsupported');
      const column = at - this.document.lineStart(at) + 1;
      return [{ start: at, end: at, text: ` ${this.fold(this.inline(text, container.flow), column, leaf)}` }];
    }
    const { start, end } = node;
    if (node.isKey) throw this.document.error('the text is also a key of the file', start, 'unrepresentable');
    return [{ start, end, text: this.encode(text, node, leaf) }];
  }

  private encode(text: string, node: YamlScalar, owner: YamlItem): string {
    const { start, end } = node;
    const raw = this.text.slice(start, end);
    const fold = (written: string): string =>
      this.fold(written, start - this.document.lineStart(start), owner, raw.includes('\n'));
    if (isSameKind(node.value, text)) return text;
    if (node.style === 'literal' || node.style === 'folded') {
      const indent = /\n([ ]+)\S/.exec(raw)?.[1];
      const feed = /\r?\n$/.exec(raw)?.[0] ?? '';
      const block = indent === undefined ? undefined : this.block(text, node, indent, raw);
      if (block === undefined) return doubleQuoted(text) + feed;
      return feed === '' && !text.endsWith('\n') ? block.replace(/\r?\n$/, '') : block;
    }
    return fold(writtenLike(node, text) ?? this.inline(text, owner.container.flow));
  }

  private block(text: string, node: YamlScalar, indent: string, raw: string): string | undefined {
    const { eol } = this.document;
    if (node.style === 'literal') return blockLiteral(text, indent, eol, '|');
    const broken = /\n[ ]*\S[^\n]*\n[ ]*\S/.test(raw);
    return blockLiteral(text, indent, eol, '>', this.widthFor(text, indent.length, broken));
  }

  /** A scalar that begins at a column, over several lines where the file or the component breaks long ones. */
  private fold(written: string, column: number, owner: YamlItem, broken = false): string {
    if (owner.container.flow || written.length < 30) return written;
    const width = this.widthFor(written, column, broken);
    if (width === undefined) return written;
    const indent = owner.start - this.document.lineStart(owner.start);
    const deeper = ' '.repeat(indent) + (owner.container.kind === 'map' ? this.indentUnit() : '');
    return foldLine(written, width, column, deeper, this.eol);
  }

  /** Where to break a text that begins at a column; undefined: nowhere. */
  private widthFor(written: string, column: number, broken: boolean): number | undefined {
    const param = this.params.yaml_line_wrap;
    const width = param ?? DEFAULT_WIDTH;
    if (width >= UNLIMITED || column + written.length <= width) return undefined;
    return broken || (this.habit ??= this.findHabit(width)) === 'breaks' || (param && this.habit === 'open')
      ? width
      : undefined;
  }

  /** What the file does with texts that are too long for a line. */
  private findHabit(width: number): 'breaks' | 'keeps' | 'open' {
    let breaks = 0;
    let keeps = 0;
    for (const { node, container } of this.leaves()) {
      if (!node || container.flow || node.style === 'literal' || node.style === 'folded') continue;
      const { start, end } = node;
      if (end - start < 30) continue;
      const raw = this.text.slice(start, end);
      if (raw.includes('\n')) breaks += 1;
      else if (end - this.document.lineStart(start) > width && raw.includes(' ')) keeps += 1;
    }
    if (breaks === 0 && keeps === 0) return 'open';
    return breaks >= keeps ? 'breaks' : 'keeps';
  }

  private inline(text: string | Literal, flow: boolean): string {
    if (text instanceof Literal) return text.text;
    return isPlainSafe(text, flow) ? text : doubleQuoted(text);
  }

  renameKey(key: YamlScalar, name: string): Edit[] {
    if (key.value === name) return [];
    return [{ start: key.start, end: key.end, text: isPlainSafe(name, false) ? name : doubleQuoted(name) }];
  }

  /** Removes items; a container that loses all of them goes too, but for those that must stay (`keep`). */
  remove(items: readonly YamlItem[], keep: YamlItem | undefined): Edit[] {
    const byContainer = new Map<Container, Map<number, YamlItem>>();
    const queue = [...items];
    const emptied: YamlItem[] = [];
    for (let item = queue.pop(); item; item = queue.pop()) {
      const set = byContainer.get(item.container) ?? new Map<number, YamlItem>();
      byContainer.set(item.container, set.set(item.index, item));
      if (set.size < item.container.items.length) continue;
      if (item.parent && item.parent.container !== keep?.container) queue.push(item.parent);
      else emptied.push(item);
    }
    const whole = emptied.map(({ container }): Edit => {
      const { start, end } = container;
      const feed = this.text[end - 1] === '\n' ? this.document.eol : '';
      const inline = this.document.lineStart(start) === start && keep ? ' ' : '';
      if (!keep || !this.document.startsLine(start)) return { start, end, text: `{}${feed}` };
      const colon = this.text.lastIndexOf(':', start) + 1;
      return { start: colon, end, text: `${inline || ' '}{}${feed}` };
    });
    const inside = (edit: Edit): boolean => whole.some((outer) => outer.start <= edit.start && edit.end <= outer.end);
    const edits = [...byContainer].flatMap(([container, set]) =>
      set.size === container.items.length && (container !== this.root || emptied.length > 0)
        ? []
        : this.removeFrom(container, set),
    );
    return [...outermost(edits.filter((edit) => !inside(edit))), ...whole];
  }

  private removeFrom(container: Container, removed: ReadonlyMap<number, YamlItem>): Edit[] {
    if (container.flow) return this.removeFromFlow(container, removed);
    return [...removed.values()].map((item) => {
      const lineStart = this.document.lineStart(item.start);
      const before = this.text.slice(lineStart, item.start);
      const end = this.text[item.end - 1] === '\n' ? item.end : this.document.lineEnd(item.end);
      if (before.trim() === '' || (container.kind === 'seq' && /^[ ]*-[ ]+$/.test(before)))
        return { start: lineStart, end, text: '' };
      // The first pair of a map that begins behind a dash.
      const next = firstOf(container, item.index + 1);
      return { start: item.start, end: next ? next.start : end, text: '' };
    });
  }

  private removeFromFlow(container: Container, removed: ReadonlyMap<number, YamlItem>): Edit[] {
    const count = container.items.length;
    let kept = count;
    while (kept > 0 && removed.has(kept - 1)) kept -= 1;
    const item = (index: number): YamlItem => new YamlItem(container, index, undefined);
    const edits: Edit[] = [];
    for (let i = 0; i < kept; i++)
      if (removed.has(i)) edits.push({ start: item(i).start, end: item(i + 1).start, text: '' });
    if (kept < count && kept > 0) edits.push({ start: item(kept - 1).end, end: item(count - 1).end, text: '' });
    return edits;
  }

  /** Writes new strings, each where its key leads. */
  add(strings: readonly (readonly [key: string, value: NestedValue])[]): Edit[] {
    const keys = new NestedKeys<Container>(
      {
        root: placeOf(this.root),
        isList: (container) => container.kind === 'seq',
        places: (container) => placesOf(container),
      },
      'arrows',
    );
    for (const [key, value] of strings) keys.add(key, value);
    const { whole, insertions } = keys.plan();
    return [
      ...(whole === undefined ? [] : this.fillRoot(whole)),
      ...insertions.flatMap(({ container, members, items, fills }) => [
        ...(container.kind === 'map' && members.size > 0 ? this.insert(container, members) : []),
        ...(container.kind === 'seq' && items.length > 0 ? this.append(container, items) : []),
        ...[...fills].flatMap(([step, value]) => this.fill(container, step, value)),
      ]),
    ];
  }

  /** The first strings of a file that has none. */
  private fillRoot(value: NestedValue): Edit[] {
    const lines = this.renderInner(value, '').join(this.eol);
    const { root, eol, text } = this;
    if (root && root.start < root.end) {
      const { start, end } = root;
      return [{ start, end, text: (this.document.lineStart(start) === start ? '' : eol) + lines }];
    }
    const at = text.length;
    return [{ start: at, end: at, text: (at > 0 && !text.endsWith('\n') ? eol : '') + lines + eol }];
  }

  /** Puts new members into a map that has some: behind its last one, in the layout of the map. */
  insert(map: YamlMap, members: ReadonlyMap<string, NestedValue>): Edit[] {
    if (map.flow)
      return this.insertFlow(
        map,
        [...members].map(([key, value]) => this.flowPair(key, value)),
      );
    return this.insertBlock(map, this.renderMap(members, this.columnOf(map)));
  }

  /** The same for a list. */
  private append(list: YamlSeq, items: readonly NestedValue[]): Edit[] {
    if (list.flow)
      return this.insertFlow(
        list,
        items.map((item) => this.flowValue(item)),
      );
    return this.insertBlock(list, this.renderList(items, this.columnOf(list)));
  }

  private insertFlow(container: Container, items: readonly string[]): Edit[] {
    const end = lastEnd(container);
    if (end === undefined)
      throw this.document.error('a list that cannot take another item', container.start, 'unsupported');
    return [{ start: end, end, text: items.map((item) => `, ${item}`).join('') }];
  }

  private insertBlock(container: Container, lines: readonly string[]): Edit[] {
    const { eol, text } = this;
    const stop = lastEnd(container) ?? container.end;
    const end = text[stop - 1] === '\n' ? stop : this.document.lineEnd(stop);
    const open = text[end - 1] !== '\n';
    return [{ start: end, end, text: (open ? eol : '') + lines.join(eol) + (open ? '' : eol) }];
  }

  /** What the lines of a block begin with. */
  private columnOf(container: Container): string {
    const { start } = container;
    return ' '.repeat(start - this.document.lineStart(start));
  }

  /** Puts a value in the place of a null, of an empty map or list, or behind a key that has none. */
  private fill(container: Container, step: Step, value: NestedValue): Edit[] {
    const { text, eol, document } = this;
    const pair = container.kind === 'map' ? container.items.findLast((item) => keyText(item) === step) : undefined;
    const node = container.kind === 'map' ? pair?.value : container.items[step as number];
    let { start, end } = node ?? { start: 0, end: 0 };
    let before = '';
    if (!node) {
      const keyEnd = pair?.key?.end ?? 0;
      const colon = /^\s*:/.exec(text.slice(keyEnd, document.lineEnd(keyEnd)));
      if (!colon && !container.flow)
        throw document.error('a key without a colon cannot take a text', keyEnd, 'unsupported');
      start = end = keyEnd + (colon?.[0].length ?? 0);
      before = colon ? ' ' : ': ';
    } else if (start === end) {
      before = /[ \t]/.test(text[start - 1] ?? '') ? '' : ' ';
      end += /^[ \t]*(?=\r?\n|$)/.exec(text.slice(end, document.lineEnd(end)))?.[0].length ?? 0;
    }
    if (container.flow) return [{ start, end, text: before + this.flowValue(value) }];
    const indent = this.columnOf(container);
    if (isScalar(value)) return [{ start, end, text: before + this.inline(value, false) }];
    if (container.kind === 'seq') {
      const inner = `${indent}  `;
      return [{ start, end, text: before + this.renderInner(value, inner).join(eol).slice(inner.length) }];
    }
    // A note behind the key stays there.
    const line = text.slice(document.lineStart(start), start);
    const blanks = line.length - trimEndOf(line, ' \t').length;
    const lines = this.renderInner(value, indent + (Array.isArray(value) ? this.listIndent() : this.indentUnit()));
    const at = document.lineEnd(end);
    const open = text[at - 1] !== '\n';
    return [
      { start: start - (node ? blanks : 0), end, text: '' },
      { start: at, end: at, text: (open ? eol : '') + lines.join(eol) + (open ? '' : eol) },
    ];
  }

  private indentUnit(): string {
    const first = /^[^\s#][^\n]*:[ \t]*\r?\n([ ]+)\S/m.exec(this.text);
    return first ? (first[1] as string) : ' '.repeat(Math.min(Math.max(this.params.yaml_indent ?? 2, 1), 10));
  }

  /** How far a list stands to the right of its key. */
  private listIndent(): string {
    const first = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n( *)-[ \r\n]/m.exec(this.text);
    return ' '.repeat(Math.max((first?.[2]?.length ?? 0) - (first?.[1]?.length ?? 0), 0));
  }

  private key(name: string): string {
    return isPlainSafe(name, true) ? name : doubleQuoted(name);
  }

  private renderInner(value: NestedValue, indent: string): string[] {
    if (value instanceof Map) return this.renderMap(value, indent);
    return this.renderList(Array.isArray(value) ? value : [value], indent);
  }

  private renderMap(members: ReadonlyMap<string, NestedValue>, indent: string): string[] {
    return [...members].flatMap(([key, value]) => {
      const start = `${indent}${this.key(key)}:`;
      if (value === null) return [start];
      if (isScalar(value)) return [this.renderText(`${start} `, value, indent + this.indentUnit())];
      return [
        start,
        ...this.renderInner(value, indent + (Array.isArray(value) ? this.listIndent() : this.indentUnit())),
      ];
    });
  }

  private renderList(items: readonly NestedValue[], indent: string): string[] {
    return items.flatMap((item) => {
      if (item === null) return [`${indent}- null`];
      const inner = `${indent}  `;
      if (isScalar(item)) return [this.renderText(`${indent}- `, item, inner)];
      const [first, ...rest] = this.renderInner(item, inner) as [string, ...string[]];
      return [`${indent}- ${first.slice(inner.length)}`, ...rest];
    });
  }

  private renderText(start: string, value: string | Literal, deeper: string): string {
    const written = this.inline(value, false);
    const width = this.widthFor(written, start.length, false);
    return start + (width ? foldLine(written, width, start.length, deeper, this.eol) : written);
  }

  private flowPair(key: string, value: NestedValue): string {
    return `${this.key(key)}: ${this.flowValue(value)}`;
  }

  private flowValue(value: NestedValue): string {
    if (value === null) return 'null';
    if (isScalar(value)) return this.inline(value, true);
    if (Array.isArray(value)) return `[${value.map((item) => this.flowValue(item)).join(', ')}]`;
    return `{ ${[...value].map(([key, inner]) => this.flowPair(key, inner)).join(', ')} }`;
  }
}

function isScalar(value: NestedValue): value is string | Literal {
  return typeof value === 'string' || value instanceof Literal;
}

/** The key of a pair, or an item of a list; undefined where there is no such node. */
function firstOf(container: Container, index: number): YamlNode | undefined {
  return container.kind === 'map' ? container.items[index]?.key : container.items[index];
}

/** Where the last item ends; undefined where there is no such node. */
function lastEnd(container: Container): number | undefined {
  const index = container.items.length - 1;
  return firstOf(container, index) && new YamlItem(container, index, undefined).end;
}

function outermost(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Edit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    if (!last || edit.start >= last.end) kept.push(edit);
  }
  return kept;
}
