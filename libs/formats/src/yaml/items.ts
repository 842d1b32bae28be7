import type { Container, YamlNode, YamlScalar } from './node';

/** A pair of a map or an item of a list. Offsets are computed on access, because most items are never edited. */
export class YamlItem {
  constructor(
    readonly container: Container,
    readonly index: number,
    readonly parent: YamlItem | undefined,
  ) {}

  get start(): number {
    return this.first?.start ?? 0;
  }

  /** Offset after the key of a pair. */
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

/** A scalar with its path. */
export class YamlLeaf extends YamlItem {
  constructor(
    container: Container,
    index: number,
    parent: YamlItem | undefined,
    /** Keys and `[n]` from the root to the container. Siblings share the array. */
    readonly path: readonly string[],
    /** Its key, or `[n]`. */
    readonly name: string,
    /** The scalar; undefined if the key has no value. */
    readonly node: YamlScalar | undefined,
    readonly text: string,
  ) {
    super(container, index, parent);
  }
}

/** The key of a pair, or an item of a list; undefined if the index is out of range or the key is empty. */
export function firstOf(container: Container, index: number): YamlNode | undefined {
  return container.kind === 'map' ? container.items[index]?.key : container.items[index];
}

/** End offset of the last item; undefined for an empty container. */
export function lastEnd(container: Container): number | undefined {
  const index = container.items.length - 1;
  return firstOf(container, index) && new YamlItem(container, index, undefined).end;
}
