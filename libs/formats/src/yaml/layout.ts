import { Literal, type NestedValue } from '../core/nested-keys';
import type { TextDocument } from '../core/document';
import type { FormatParams } from '../format';
import type { YamlItem, YamlLeaf } from './items';
import { doubleQuoted, foldLine, isPlainSafe } from './scalar';

const LINE_BREAKS = { dos: '\r\n', unix: '\n', mac: '\r' } as const;

/** Line width of files that wrap long lines, unless `yaml_line_wrap` is set. */
const DEFAULT_WIDTH = 80;

/** Value of `yaml_line_wrap` that disables wrapping. */
const UNLIMITED = 65535;

/** The line end that the parameters select. */
export function lineBreak(params: FormatParams | undefined): string {
  return LINE_BREAKS[params?.yaml_line_break ?? 'unix'];
}

/** `breaks` wraps long lines, `keeps` does not, `open` has no long lines. */
type WrappingHabit = 'breaks' | 'keeps' | 'open';

/** Renders values in the layout of a file: indentation, line width, flow or block style. */
export class YamlLayout {
  /** Line end of new lines. The parameter applies to files without line ends. */
  readonly eol: string;
  private readonly text: string;
  private habit: WrappingHabit | undefined;

  constructor(
    private readonly document: TextDocument,
    private readonly params: FormatParams,
    private readonly leaves: () => YamlLeaf[],
  ) {
    this.text = document.text;
    this.eol = this.text.includes('\n') ? document.eol : lineBreak(params);
  }

  /** Wraps a scalar that starts at a column if the file or the parameters wrap long lines. */
  fold(written: string, column: number, owner: YamlItem, broken = false): string {
    if (owner.container.flow || written.length < 30) return written;
    const width = this.widthFor(written, column, broken);
    if (width === undefined) return written;
    const indent = owner.start - this.document.lineStart(owner.start);
    const deeper = ' '.repeat(indent) + (owner.container.kind === 'map' ? this.indentUnit() : '');
    return foldLine(written, width, column, deeper, this.eol);
  }

  /** Line width for a text that starts at a column; undefined if it is not wrapped. */
  widthFor(written: string, column: number, broken: boolean): number | undefined {
    const param = this.params.yaml_line_wrap;
    const width = param ?? DEFAULT_WIDTH;
    if (width >= UNLIMITED || column + written.length <= width) return undefined;
    return broken || (this.habit ??= this.findHabit(width)) === 'breaks' || (param && this.habit === 'open')
      ? width
      : undefined;
  }

  /** How the file treats texts that are longer than a line; `open` if it has none. */
  private findHabit(width: number): WrappingHabit {
    let breaks = 0;
    let longLines = 0;
    for (const { node, container } of this.leaves()) {
      if (!node || container.flow || node.style === 'literal' || node.style === 'folded') continue;
      const { start, end } = node;
      if (end - start < 30) continue;
      const raw = this.text.slice(start, end);
      if (raw.includes('\n')) breaks += 1;
      else if (end - this.document.lineStart(start) > width && raw.includes(' ')) longLines += 1;
    }
    if (breaks === 0 && longLines === 0) return 'open';
    return breaks >= longLines ? 'breaks' : 'keeps';
  }

  inline(text: string | Literal, flow: boolean): string {
    if (text instanceof Literal) return text.text;
    return isPlainSafe(text, flow) ? text : doubleQuoted(text);
  }

  indentUnit(): string {
    const first = /^[^\s#][^\n]*:[ \t]*\r?\n([ ]+)\S/m.exec(this.text);
    return first ? (first[1] as string) : ' '.repeat(Math.min(Math.max(this.params.yaml_indent ?? 2, 1), 10));
  }

  /** Indentation of a list relative to its key. */
  listIndent(): string {
    const first = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n( *)-[ \r\n]/m.exec(this.text);
    return ' '.repeat(Math.max((first?.[2]?.length ?? 0) - (first?.[1]?.length ?? 0), 0));
  }

  key(name: string): string {
    return isPlainSafe(name, true) ? name : doubleQuoted(name);
  }

  renderInner(value: NestedValue, indent: string): string[] {
    if (value instanceof Map) return this.renderMap(value, indent);
    return this.renderList(Array.isArray(value) ? value : [value], indent);
  }

  renderMap(members: ReadonlyMap<string, NestedValue>, indent: string): string[] {
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

  renderList(items: readonly NestedValue[], indent: string): string[] {
    return items.flatMap((item) => {
      if (item === null) return [`${indent}- null`];
      const inner = `${indent}  `;
      if (isScalar(item)) return [this.renderText(`${indent}- `, item, inner)];
      const [first, ...rest] = this.renderInner(item, inner) as [string, ...string[]];
      return [`${indent}- ${first.slice(inner.length)}`, ...rest];
    });
  }

  renderText(start: string, value: string | Literal, deeper: string): string {
    const written = this.inline(value, false);
    const width = this.widthFor(written, start.length, false);
    return start + (width ? foldLine(written, width, start.length, deeper, this.eol) : written);
  }

  flowPair(key: string, value: NestedValue): string {
    return `${this.key(key)}: ${this.flowValue(value)}`;
  }

  flowValue(value: NestedValue): string {
    if (value === null) return 'null';
    if (isScalar(value)) return this.inline(value, true);
    if (Array.isArray(value)) return `[${value.map((item) => this.flowValue(item)).join(', ')}]`;
    return `{ ${[...value].map(([key, inner]) => this.flowPair(key, inner)).join(', ')} }`;
  }
}

export function isScalar(value: NestedValue): value is string | Literal {
  return typeof value === 'string' || value instanceof Literal;
}
