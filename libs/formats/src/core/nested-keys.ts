import { FormatError } from '../format';
import { printable } from './document';

/** A value that is copied verbatim: not a text, or an encoded text. */
export class Literal {
  constructor(readonly text: string) {}
}

/** A value to write: a Map is an ordered map, null a gap in a list. */
export type NestedValue = string | Literal | null | NestedValue[] | Map<string, NestedValue>;

/** Key of a map or index of a list. */
export type Step = string | number;

/**
 * Content of a file at a step: a map or list with members, a `gap` (null, missing value, empty map or list), or another value.
 */
export type StepContent<C extends object> = C | 'gap' | 'taken';

/** View of a file's maps and lists for the insertion of new keys. */
export interface ContainerView<C extends object> {
  root: StepContent<C>;
  isList(container: C): boolean;
  /** All members or items. Of members with the same name, the last one wins. */
  members(container: C): Iterable<readonly [Step, StepContent<C>]>;
}

/** Insertions into one map or list of the file. */
export interface Insertion<C extends object> {
  container: C;
  /** New members of a map. */
  members: Map<string, NestedValue>;
  /** New items after the last one of a list. */
  items: NestedValue[];
  /** Values that replace gaps. */
  fills: Map<Step, NestedValue>;
}

/**
 * Syntax of paths in keys: `a.b[0].c`, `a->b->[0]->c`, `a.b[0]` with literal dots (`items`), or none: the key is one name (`flat`).
 */
export type KeyStyle = 'dots' | 'arrows' | 'items' | 'flat';

/** Maximum number of gaps in a list. Gaps are written, so a huge index would create a huge file. */
const MAX_AHEAD = 1000;
const MAX_STEPS = 200;

interface Piece {
  start: number;
  end: number;
  /** Syntax of a list index. */
  index: number | undefined;
}

function piecesOf(key: string, style: KeyStyle): Piece[] {
  const whole = [{ start: 0, end: key.length, index: undefined }];
  if (style === 'flat') return whole;
  const separator = style === 'arrows' ? '->' : '.';
  const pieces: Piece[] = [];
  let at = 0;
  for (const part of style === 'items' ? [key] : key.split(separator)) {
    const end = at + part.length;
    const name = part.slice(0, beforeIndexes(part));
    const brackets = part.slice(name.length);
    const alone = name === '' && (at === 0 || style === 'arrows');
    // A key that is a natural-language text may end in brackets too.
    const isList = brackets !== '' && (style === 'arrows' ? alone && !part.includes('][') : alone || /\S$/.test(name));
    if (style === 'dots' && part === '') return whole;
    if (!isList) pieces.push({ start: at, end, index: undefined });
    else {
      if (name !== '') pieces.push({ start: at, end: at + name.length, index: undefined });
      for (const bracket of brackets.matchAll(/\[(\d+)\]/g)) {
        const start = at + name.length + bracket.index;
        pieces.push({ start, end: start + bracket[0].length, index: Number(bracket[1]) });
      }
    }
    at = end + separator.length;
  }
  return pieces;
}

/** Offset of the trailing indexes of a part: `[0][12]`. */
function beforeIndexes(part: string): number {
  for (let end = part.length; ;) {
    const open = part.lastIndexOf('[', end - 1);
    if (open < 0 || end - open > 11 || !/^\[(?:0|[1-9]\d{0,8})\]$/.test(part.slice(open, end))) return end;
    end = open;
  }
}

function pieceOf(key: string, step: Step): Piece {
  return { start: 0, end: key.length, index: typeof step === 'number' ? step : undefined };
}

/** The list that a key of style `items` indexes. */
export function listOf(key: string): string | undefined {
  const [name, ...rest] = piecesOf(key, 'items');
  return rest.length === 1 && name?.index === undefined ? key.slice(0, name?.end) : undefined;
}

/** The text of a new key. */
class Leaf {
  constructor(readonly value: NestedValue) {}
}

/** An existing or new map or list on the path of new keys. */
class Branch<C extends object> {
  readonly added = new Map<Step, Branch<C> | Leaf>();
  readonly known: ReadonlyMap<Step, StepContent<C>>;

  constructor(
    /** Prefix of the key that leads here. */
    readonly path: string,
    readonly isList: boolean,
    readonly container?: C,
    members: Iterable<readonly [Step, StepContent<C>]> = [],
  ) {
    this.known = new Map(members);
  }

  get(step: Step): Branch<C> | Leaf | StepContent<C> | undefined {
    return this.added.get(step) ?? this.known.get(step);
  }

  /** The branch as a value. */
  toValue(): NestedValue {
    if (this.isList) return this.items(0);
    return new Map([...this.added].map(([step, node]) => [String(step), valueOf(node)]));
  }

  /** Items from an index on, with null for gaps. */
  items(from: number): NestedValue[] {
    const numbers = [...this.added.keys()].filter((step): step is number => typeof step === 'number' && step >= from);
    const length = numbers.reduce((most, step) => Math.max(most, step + 1), from) - from;
    if (length - numbers.length > MAX_AHEAD) {
      const message = `the list ${quoted(this.path)} has a gap of more than ${MAX_AHEAD} items before the new item`;
      throw new FormatError('limit', message);
    }
    return Array.from({ length }, (_, i) => {
      const node = this.added.get(from + i);
      return node === undefined ? null : valueOf(node);
    });
  }
}

function valueOf<C extends object>(node: Branch<C> | Leaf): NestedValue {
  return node instanceof Branch ? node.toValue() : node.value;
}

/**
 * Finds the positions of new keys in nested maps and lists, for all nested formats. Keys follow existing maps and lists (names may
 * contain separators: the longest existing name wins) and create missing ones. Gaps before a list index are filled with null until
 * their own key is added.
 */
export class NestedKeys<C extends object> {
  private root: Branch<C> | undefined;

  constructor(
    private readonly view: ContainerView<C>,
    private readonly style: KeyStyle,
    /** Whether names with dots stay flat if no part of the path exists. */
    private readonly keepsDots = false,
  ) {}

  /**
   * @param steps the path of the key, if another file shows it
   * @throws FormatError `duplicate` naming the key, if another value is in its position
   */
  add(key: string, value: NestedValue, steps?: readonly Step[]): void {
    const pieces = steps ? steps.map((step) => pieceOf(key, step)) : piecesOf(key, this.style);
    if (pieces.length > MAX_STEPS)
      throw new FormatError('limit', `the key ${quoted(key)} has more than ${MAX_STEPS} levels`);
    let branch = this.rootFor(pieces[0] as Piece);
    for (let at = 0; ;) {
      const { step, next } = steps
        ? givenStep(branch, key, steps, at)
        : nextStep(branch, key, pieces, at, this.keepsDots);
      if (next === pieces.length) {
        const found = branch.get(step);
        if (found !== undefined && found !== 'gap') throw taken(key);
        branch.added.set(step, new Leaf(value));
        return;
      }
      branch = this.enter(branch, step, key, pieces, next);
      at = next;
    }
  }

  private rootFor(first: Piece): Branch<C> {
    if (this.root) return this.root;
    const { root } = this.view;
    if (root === 'taken') throw new FormatError('unsupported', 'the file has no map or list for new keys');
    return (this.root = root === 'gap' ? new Branch<C>('', first.index !== undefined) : this.branchOf('', root));
  }

  private branchOf(path: string, container: C): Branch<C> {
    return new Branch(path, this.view.isList(container), container, this.view.members(container));
  }

  /** The map or list at a step. A missing one is created; the next step decides its kind. */
  private enter(branch: Branch<C>, step: Step, key: string, pieces: readonly Piece[], next: number): Branch<C> {
    const found = branch.get(step);
    if (found instanceof Branch) return found;
    if (found === 'taken' || found instanceof Leaf) throw taken(key);
    const path = key.slice(0, (pieces[next - 1] as Piece).end);
    const isNew = found === undefined || found === 'gap';
    const inner = isNew ? new Branch<C>(path, (pieces[next] as Piece).index !== undefined) : this.branchOf(path, found);
    branch.added.set(step, inner);
    return inner;
  }

  /** The insertions per map and list of the file. `whole` replaces an empty root. */
  plan(): { whole: NestedValue | undefined; insertions: Insertion<C>[] } {
    const insertions: Insertion<C>[] = [];
    const walk = (branch: Branch<C>): void => {
      const { container, known } = branch;
      if (!container) return;
      const insertion: Insertion<C> = { container, members: new Map(), items: [], fills: new Map() };
      for (const [step, node] of branch.added) {
        if (node instanceof Branch && node.container) walk(node);
        else if (known.has(step)) insertion.fills.set(step, valueOf(node));
        else if (typeof step === 'string') insertion.members.set(step, valueOf(node));
      }
      if (branch.isList) insertion.items = branch.items(known.size);
      if (insertion.members.size + insertion.items.length + insertion.fills.size > 0) insertions.push(insertion);
    };
    if (this.root) walk(this.root);
    return { whole: this.root && !this.root.container ? this.root.toValue() : undefined, insertions };
  }
}

function givenStep<C extends object>(
  branch: Branch<C>,
  key: string,
  steps: readonly Step[],
  at: number,
): { step: Step; next: number } {
  const step = steps[at] as Step;
  if (branch.isList !== (typeof step === 'number')) throw taken(key);
  return { step, next: at + 1 };
}

/** The longest existing name from here, or the first part. */
function nextStep<C extends object>(
  branch: Branch<C>,
  key: string,
  pieces: readonly Piece[],
  at: number,
  keepsDots: boolean,
): { step: Step; next: number } {
  const first = pieces[at] as Piece;
  if (branch.isList) {
    if (first.index === undefined) throw taken(key);
    return { step: first.index, next: at + 1 };
  }
  const nameTo = (next: number): string => key.slice(first.start, (pieces[next - 1] as Piece).end);
  for (let next = pieces.length; next > at; next--) {
    const found = branch.get(nameTo(next));
    if (found !== undefined && (next === pieces.length || (found !== 'taken' && !(found instanceof Leaf))))
      return { step: nameTo(next), next };
  }
  if (first.index !== undefined) {
    // Some languages allow named items in lists.
    if (branch.known.has(first.index)) return { step: first.index, next: at + 1 };
    throw taken(key);
  }
  let next = at + 1;
  if (keepsDots) while (next < pieces.length && pieces[next]?.index === undefined) next += 1;
  return { step: nameTo(next), next };
}

function taken(key: string): FormatError {
  return new FormatError('duplicate', `the file uses a part of ${quoted(key)} for something else`);
}

function quoted(key: string): string {
  return `"${printable(key, 100)}"`;
}
