import { ownRegExp, trimEndOf } from '@parlance/patterns';
import { Composer, Parser, type Document, type YAMLParseError } from 'yaml';
import { printable, type Edit, type TextDocument } from '../core/document';
import { NestedKeys, type NestedValue, type Step } from '../core/nested-keys';
import type { FormatParams } from '../format';
import {
  fromLibrary,
  keyText,
  nameReferences,
  contentOf,
  membersOf,
  tooManyByAlias,
  type Container,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
  type YamlSeq,
} from './node';
import { lastEnd, YamlItem, YamlLeaf } from './items';
import { isScalar, YamlLayout } from './layout';
import { removeItems } from './removal';
import { parseSimple } from './simple';
import { blockLiteral, doubleQuoted, isPlainSafe, isSameKind, writtenLike } from './scalar';

/** Maximum run of opening brackets. The library overflows only at far deeper nesting. */
const MAX_RUN = 200;
const NESTED = ownRegExp(`(?:[[{]\\s*){${MAX_RUN}}|(?:[-?] ){${MAX_RUN}}`);

/** A line that is not a comment. The library takes 700 times the memory of a file without such lines. */
const WRITTEN = /^[ \t]*[^ \t\r\n#]/m;

/** A YAML document with source offsets. Computes edits in the style of the file. */
export class YamlTree {
  readonly root: YamlNode | undefined;
  private readonly text: string;
  private readonly layout: YamlLayout;

  constructor(
    readonly document: TextDocument,
    params: FormatParams = {},
  ) {
    this.text = document.text;
    this.layout = new YamlLayout(document, params, () => this.leaves());
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
      // Only the first document has strings, but the others must be valid YAML.
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

  /** Whether the file has no content. */
  get isBlank(): boolean {
    return contentOf(this.root) === 'gap';
  }

  /** All scalars except null, in file order. Aliases are skipped, because their scalar belongs to the anchor. */
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

  /** The text of a scalar; undefined for null. */
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
      return [
        { start: at, end: at, text: ` ${this.layout.fold(this.layout.inline(text, container.flow), column, leaf)}` },
      ];
    }
    const { start, end } = node;
    if (node.isKey) throw this.document.error('the text is also a key of the file', start, 'unrepresentable');
    return [{ start, end, text: this.encode(text, node, leaf) }];
  }

  private encode(text: string, node: YamlScalar, owner: YamlItem): string {
    const { start, end } = node;
    const raw = this.text.slice(start, end);
    const fold = (written: string): string =>
      this.layout.fold(written, start - this.document.lineStart(start), owner, raw.includes('\n'));
    if (isSameKind(node.value, text)) return text;
    if (node.style === 'literal' || node.style === 'folded') {
      const indent = /\n([ ]+)\S/.exec(raw)?.[1];
      const feed = /\r?\n$/.exec(raw)?.[0] ?? '';
      const block = indent === undefined ? undefined : this.block(text, node, indent, raw);
      if (block === undefined) return doubleQuoted(text) + feed;
      return feed === '' && !text.endsWith('\n') ? block.replace(/\r?\n$/, '') : block;
    }
    return fold(writtenLike(node, text) ?? this.layout.inline(text, owner.container.flow));
  }

  private block(text: string, node: YamlScalar, indent: string, raw: string): string | undefined {
    const { eol } = this.document;
    if (node.style === 'literal') return blockLiteral(text, indent, eol, '|');
    const broken = /\n[ ]*\S[^\n]*\n[ ]*\S/.test(raw);
    return blockLiteral(text, indent, eol, '>', this.layout.widthFor(text, indent.length, broken));
  }

  renameKey(key: YamlScalar, name: string): Edit[] {
    if (key.value === name) return [];
    return [{ start: key.start, end: key.end, text: isPlainSafe(name, false) ? name : doubleQuoted(name) }];
  }

  /** Removes items and the containers that become empty, except the container of `keep` and its ancestors. */
  remove(items: readonly YamlItem[], keep: YamlItem | undefined): Edit[] {
    return removeItems(this.document, this.root, items, keep);
  }

  /** Adds strings at the paths that their keys name. */
  add(strings: readonly (readonly [key: string, value: NestedValue])[]): Edit[] {
    const keys = new NestedKeys<Container>(
      {
        root: contentOf(this.root),
        isList: (container) => container.kind === 'seq',
        members: (container) => membersOf(container),
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

  /** Writes the first strings of a file without content. */
  private fillRoot(value: NestedValue): Edit[] {
    const lines = this.layout.renderInner(value, '').join(this.layout.eol);
    const { root, text } = this;
    const { eol } = this.layout;
    if (root && root.start < root.end) {
      const { start, end } = root;
      return [{ start, end, text: (this.document.lineStart(start) === start ? '' : eol) + lines }];
    }
    const at = text.length;
    return [{ start: at, end: at, text: (at > 0 && !text.endsWith('\n') ? eol : '') + lines + eol }];
  }

  /** Inserts members after the last one of a map that is not empty, in the layout of the map. */
  insert(map: YamlMap, members: ReadonlyMap<string, NestedValue>): Edit[] {
    if (map.flow)
      return this.insertFlow(
        map,
        [...members].map(([key, value]) => this.layout.flowPair(key, value)),
      );
    return this.insertBlock(map, this.layout.renderMap(members, this.columnOf(map)));
  }

  /** Appends items to a list that is not empty. */
  private append(list: YamlSeq, items: readonly NestedValue[]): Edit[] {
    if (list.flow)
      return this.insertFlow(
        list,
        items.map((item) => this.layout.flowValue(item)),
      );
    return this.insertBlock(list, this.layout.renderList(items, this.columnOf(list)));
  }

  private insertFlow(container: Container, items: readonly string[]): Edit[] {
    const end = lastEnd(container);
    if (end === undefined) throw this.document.error('the list cannot be extended', container.start, 'unsupported');
    return [{ start: end, end, text: items.map((item) => `, ${item}`).join('') }];
  }

  private insertBlock(container: Container, lines: readonly string[]): Edit[] {
    const { text } = this;
    const { eol } = this.layout;
    const stop = lastEnd(container) ?? container.end;
    const end = text[stop - 1] === '\n' ? stop : this.document.lineEnd(stop);
    const open = text[end - 1] !== '\n';
    return [{ start: end, end, text: (open ? eol : '') + lines.join(eol) + (open ? '' : eol) }];
  }

  /** Indentation of the lines of a block. */
  private columnOf(container: Container): string {
    const { start } = container;
    return ' '.repeat(start - this.document.lineStart(start));
  }

  /** Replaces a null or an empty map or list by a value, or adds the value to a key without one. */
  private fill(container: Container, step: Step, value: NestedValue): Edit[] {
    const { text, document } = this;
    const { eol } = this.layout;
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
    if (container.flow) return [{ start, end, text: before + this.layout.flowValue(value) }];
    const indent = this.columnOf(container);
    if (isScalar(value)) return [{ start, end, text: before + this.layout.inline(value, false) }];
    if (container.kind === 'seq') {
      const inner = `${indent}  `;
      return [{ start, end, text: before + this.layout.renderInner(value, inner).join(eol).slice(inner.length) }];
    }
    // A comment after the key stays on its line.
    const line = text.slice(document.lineStart(start), start);
    const blanks = line.length - trimEndOf(line, ' \t').length;
    const lines = this.layout.renderInner(
      value,
      indent + (Array.isArray(value) ? this.layout.listIndent() : this.layout.indentUnit()),
    );
    const at = document.lineEnd(end);
    const open = text[at - 1] !== '\n';
    return [
      { start: start - (node ? blanks : 0), end, text: '' },
      { start: at, end: at, text: (open ? eol : '') + lines.join(eol) + (open ? '' : eol) },
    ];
  }
}
