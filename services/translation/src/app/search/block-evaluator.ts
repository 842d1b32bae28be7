import type { Required } from '@parlance/search';
import { countLookup } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import type { SelectedUnits } from '../../domain/search/amended-units';
import { addPostings, type DictionaryPart } from '../../domain/search/dictionary';
import { documentId } from '../../domain/search/ports';
import { conditionOf, type TokenTest } from '../../domain/search/tokens';
import { UnitSet } from '../../domain/search/unit-set';
import type { CachedBlock, SearchIndexCache } from '../caches/search-index-cache';
import { SizedCache } from '../caches/sized-cache';

/** Memory for the units that the tokens of recent searches select, in bytes. */
const SELECTED_BYTES = 32 * 1024 * 1024;
/** Memory of a result besides its units: its key, and the objects that hold it. */
const ENTRY_BYTES = 600;

/** Units of a block that meet a condition for certain, and those that may meet it; null: every unit may. */
export interface Verdict {
  sure: UnitSet;
  possible: UnitSet | null;
}

/** Evaluates conditions on texts with the dictionary and the postings of a block. */
export class BlockEvaluator {
  /** The next page of a search reads no dictionary. Dictionary and postings of a block's generation never change. */
  private readonly selected = new SizedCache<SelectedUnits>(SELECTED_BYTES);

  constructor(private readonly documents: Pick<SearchIndexCache, 'part' | 'chunks'>) {}

  /**
   * @param required null: every unit meets it
   * @param universe units of which the caller wants to know
   * @throws BrokenIndexError
   */
  async evaluate(block: CachedBlock, required: Required | null, universe: UnitSet): Promise<Verdict> {
    if (required === null) return { sure: universe.clone(), possible: new UnitSet() };
    switch (required.type) {
      case 'any':
        return { sure: new UnitSet(), possible: null };
      case 'text':
        return this.evaluateText(block, required.value, required.exact);
      default: {
        const verdicts = await Promise.all(required.children.map((child) => this.evaluate(block, child, universe)));
        return required.type === 'and' ? allVerdicts(verdicts) : anyVerdict(verdicts);
      }
    }
  }

  private async evaluateText(block: CachedBlock, text: string, exact: boolean): Promise<Verdict> {
    const condition = conditionOf(text);
    if (!condition) return { sure: new UnitSet(), possible: null };
    const verdicts = await Promise.all(condition.tests.map((test) => this.evaluateTest(block, test)));
    const { sure, possible } = allVerdicts(verdicts);
    return { sure: exact && condition.exact ? sure : new UnitSet(), possible };
  }

  private async evaluateTest(block: CachedBlock, test: TokenTest): Promise<SelectedUnits> {
    const inPostings = await this.select(block, test);
    const { amended } = block;
    const inAmended = amended.select(test);
    return {
      sure: inPostings.sure.clone().subtract(amended.units).union(inAmended.sure),
      possible: inPostings.possible.clone().subtract(amended.units).union(inAmended.possible),
    };
  }

  /** Units whose postings meet a test. */
  private async select(block: CachedBlock, test: TokenTest): Promise<Readonly<SelectedUnits>> {
    const key = documentId(block, JSON.stringify(test));
    const known = countLookup('search-selections', this.selected.get(key));
    if (known) return known;
    const parts = await Promise.all(Array.from({ length: block.parts }, (_, part) => this.documents.part(block, part)));
    const { regular, irregular } = await this.readPostings(block, parts, test);
    const found = { sure: regular, possible: regular.clone().union(irregular) };
    if (test.orAll.length > 0 && parts.some((part) => part.hasLongWords)) {
      let alternative: UnitSet | null = null;
      for (const text of test.orAll) {
        const whole = await this.readPostings(block, parts, { at: 'whole', text });
        const set = whole.regular.union(whole.irregular);
        alternative = alternative ? alternative.intersect(set) : set;
      }
      found.possible.union(alternative!);
    }
    this.selected.set(key, found, found.sure.bytes + found.possible.bytes + ENTRY_BYTES);
    return found;
  }

  /** Units by whether a token that the test selects, ignoring its alternative, is regular. */
  private async readPostings(
    block: CachedBlock,
    parts: readonly DictionaryPart[],
    test: Pick<TokenTest, 'at' | 'text'>,
  ): Promise<{ regular: UnitSet; irregular: UnitSet }> {
    const [regular, irregular] = [new UnitSet(), new UnitSet()];
    const slice = new TimeSlice();
    const wanted = new Map<string, [number[], number[]]>();
    for (const [at, part] of parts.entries()) {
      const hits = part.select(test);
      for (const [kind, ranks] of [hits.regular, hits.irregular].entries())
        for (const rank of [...ranks].sort((a, b) => a - b)) {
          const { chunk, position } = part.locate(rank);
          const name = `${at}.${chunk}`;
          let positions = wanted.get(name);
          if (!positions) wanted.set(name, (positions = [[], []]));
          positions[kind]!.push(position);
        }
      if (slice.isOver()) await slice.next();
    }
    const chunks = await this.documents.chunks(block, [...wanted.keys()]);
    for (const [name, positions] of wanted) {
      addPostings(chunks.get(name)!, positions[0], regular);
      addPostings(chunks.get(name)!, positions[1], irregular);
      if (slice.isOver()) await slice.next();
    }
    return { regular, irregular };
  }
}

function allVerdicts(verdicts: readonly Verdict[]): Verdict {
  const [first, ...rest] = verdicts as [Verdict, ...Verdict[]];
  const sure = first.sure.clone();
  let possible = first.possible?.clone() ?? null;
  for (const verdict of rest) {
    sure.intersect(verdict.sure);
    if (verdict.possible) possible = possible ? possible.intersect(verdict.possible) : verdict.possible.clone();
  }
  return { sure, possible };
}

function anyVerdict(verdicts: readonly Verdict[]): Verdict {
  const sure = new UnitSet();
  let possible: UnitSet | null = new UnitSet();
  for (const verdict of verdicts) {
    sure.union(verdict.sure);
    possible = possible && verdict.possible ? possible.union(verdict.possible) : null;
  }
  return { sure, possible };
}
