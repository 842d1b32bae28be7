import type { Required } from '@parlance/search';
import { countLookup } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { addPostings, type DictionaryPart } from '../../domain/search/dictionary';
import { UnitSet } from '../../domain/search/postings';
import { conditionOf, type TokenTest } from '../../domain/search/tokens';
import type { CachedBlock, SearchIndexCache } from '../caches/search-index-cache';
import { SizedCache } from '../caches/sized-cache';

/** Memory for the units that the tokens of recent searches select, in bytes. */
const SELECTED_BYTES = 32 * 1024 * 1024;

/** Units of a block that meet a condition for certain, and those that may meet it; null: every unit may. */
export interface Verdict {
  sure: UnitSet;
  possible: UnitSet | null;
}

/** Units whose postings list a token that a test selects, by whether the token is regular. Not to be changed. */
interface SelectedUnits {
  regular: UnitSet;
  irregular: UnitSet;
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
    const parts = await Promise.all(Array.from({ length: block.parts }, (_, part) => this.documents.part(block, part)));
    const verdicts = await Promise.all(condition.tests.map((test) => this.evaluateTest(block, parts, test)));
    const { sure, possible } = allVerdicts(verdicts);
    return { sure: exact && condition.exact ? sure : new UnitSet(), possible };
  }

  /** `sure`: units with a regular token that the test selects. */
  private async evaluateTest(
    block: CachedBlock,
    parts: readonly DictionaryPart[],
    test: TokenTest,
  ): Promise<Verdict & { possible: UnitSet }> {
    const { regular, irregular } = await this.select(block, parts, test);
    const sure = regular.clone();
    const possible = irregular.clone().union(sure);
    if (test.orAll.length > 0 && parts.some((part) => part.hasLongWords)) {
      let alternative: UnitSet | null = null;
      for (const text of test.orAll) {
        const whole = await this.select(block, parts, { at: 'whole', text });
        const set = whole.regular.clone().union(whole.irregular);
        alternative = alternative ? alternative.intersect(set) : set;
      }
      possible.union(alternative!);
    }
    const { amended } = block;
    const selected = amended.select(test);
    sure.subtract(amended.units).union(selected.sure);
    possible.subtract(amended.units).union(selected.possible);
    return { sure, possible };
  }

  /** Selects units without the alternative of the test. */
  private async select(
    block: CachedBlock,
    parts: readonly DictionaryPart[],
    test: Pick<TokenTest, 'at' | 'text'>,
  ): Promise<SelectedUnits> {
    const key = `${block.id}.${block.generation}.${test.at}.${test.text}`;
    const known = countLookup('search-selections', this.selected.get(key));
    if (known) return known;
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
    const found = { regular, irregular };
    this.selected.set(key, found, regular.bytes + irregular.bytes);
    return found;
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
