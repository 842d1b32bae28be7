import type { Required } from '@parlance/search';
import { counter, logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { addPostings } from '../../domain/search/dictionary';
import { BrokenIndexError, type IndexBlock, type IndexState, type SearchIndexReader } from '../../domain/search/ports';
import { BLOCK_SIZE, blockOf, offsetOf, UnitSet } from '../../domain/search/postings';
import { selectTokens } from '../../domain/search/select-tokens';
import { conditionOf, type TokenTest } from '../../domain/search/tokens';
import type { Page } from '../../domain/ports';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { SearchIndexCache, type IndexBlocks } from '../caches/search-index-cache';
import { Matches } from './matches';

const searches = counter('parlance_search_index_total');

/** Units in one query by id. */
const IDS = 2_000;
/** Candidates that are read as a whole when they are verified, because most of them are on the page. */
const READ = 200;
/** Limits beyond which a scan of the units is faster. */
const MAX_FRESH = 20_000;
const MAX_OPEN = 200;
const MAX_VERIFIED = 50_000;

export interface IndexRequest {
  /** Condition on the texts, necessary for the query; null: the query selects all units of the translations. */
  required: Required | null;
  /** Selected translations; null: all. */
  translations: ReadonlySet<number> | null;
  /** Selects the same units in the store. */
  query: UnitQuery;
  /** Units before the page, and its size. */
  skip: number;
  limit: number;
}

/** The units themselves. */
export interface IndexedUnits<U> {
  /** Unordered. */
  idsOf(query: UnitQuery): Promise<number[]>;
  /** Unordered. */
  all(query: UnitQuery): Promise<U[]>;
  many(ids: readonly number[]): Promise<U[]>;
}

/** What the index does not answer for. */
interface IndexMarks {
  state: IndexState | null;
  fresh: readonly { id: number; translation: number }[];
  /** Translations. */
  open: ReadonlySet<number>;
}

/** Units of a block that meet a condition for certain, and those that may meet it; null: every unit may. */
interface Verdict {
  sure: UnitSet;
  possible: UnitSet | null;
}

/** Answers searches from the index in the store. Results are exact and contain every acknowledged write. */
export class SearchIndex<U extends { id: number }> {
  private readonly documents: SearchIndexCache;

  constructor(
    private readonly store: SearchIndexReader,
    private readonly units: IndexedUnits<U>,
  ) {
    this.documents = new SearchIndexCache(store);
  }

  /** A page of the units that match, by id. @returns null when the store has to scan the units */
  async page(request: IndexRequest): Promise<Page<U> | null> {
    const found = await this.tryTwice(request);
    searches.inc({ answer: found ? 'index' : 'scan' });
    return found;
  }

  private async tryTwice(request: IndexRequest): Promise<Page<U> | null> {
    for (let retry = false; ; retry = true) {
      try {
        return await this.answer(request);
      } catch (error) {
        if (!(error instanceof BrokenIndexError || error instanceof RangeError)) throw error;
        // The first time, the block may have been replaced.
        if (!retry) continue;
        logger.error({ err: error }, 'search index: invalid, built again');
        await this.store.requestRebuild();
        return null;
      }
    }
  }

  private async answer(request: IndexRequest): Promise<Page<U> | null> {
    const marks = await this.marks();
    if (!isUsable(request, marks)) return null;
    // After the marks: a unit without a mark is in the blocks that are current from now on.
    const reading = this.store.blockVersions();
    const last = this.documents.lastBlocks(marks.state.blocks);
    if (last) {
      // Blocks change rarely, so the answer is computed while their versions are read. Documents of former blocks may be deleted.
      const [attempt] = await Promise.allSettled([this.find(request, marks, last), reading]);
      if (areCurrent(last, await reading)) return valueOf(attempt);
    }
    const blocks = await this.documents.currentBlocks(await reading);
    if (marks.state.blocks.some((id) => !blocks.has(id))) return null;
    return this.find(request, marks, blocks);
  }

  private async marks(): Promise<IndexMarks> {
    const [state, fresh, open] = await Promise.all([
      this.store.state(),
      this.store.freshUnits(MAX_FRESH + 1),
      this.store.openTranslations(),
    ]);
    return { state, fresh, open: new Set(open.map(({ translation }) => translation)) };
  }

  private async find(request: IndexRequest, marks: IndexMarks, blocks: IndexBlocks): Promise<Page<U> | null> {
    const { query, required, skip, limit } = request;
    const { fresh, open } = marks;
    const selected = (translation: number): boolean => isSelected(request, translation);
    const excluded = groupByBlock(fresh.map(({ id }) => id));
    const verdicts = await Promise.all(
      [...blocks.values()].map(async (block) => {
        const universe = universeOf(block, (translation) => selected(translation) && !open.has(translation));
        if (!universe) return null;
        for (const id of excluded.get(block.id) ?? []) universe.delete(offsetOf(id));
        const { sure, possible } = await this.evaluate(block, required, universe);
        return {
          id: block.id,
          set: sure.intersect(universe),
          possible: possible ? possible.intersect(universe) : universe,
        };
      }),
    );
    const results = new Map<number, UnitSet>();
    const candidates: number[] = [];
    for (const verdict of verdicts) {
      if (!verdict) continue;
      const { id, set, possible } = verdict;
      results.set(id, set);
      possible.subtract(set);
      if (candidates.length + possible.size > MAX_VERIFIED) return null;
      for (const offset of possible.offsets()) candidates.push(id * BLOCK_SIZE + offset);
    }
    for (const { id, translation } of fresh)
      if (translation > 0 && selected(translation) && !open.has(translation)) candidates.push(id);
    const read = new Map<number, U>();
    for (const id of await this.verify(candidates, openIn(request, marks), query, read)) {
      const set = results.get(blockOf(id)) ?? new UnitSet();
      set.add(offsetOf(id));
      results.set(blockOf(id), set);
    }
    const matches = new Matches([...results].sort(([a], [b]) => a - b).map(([id, set]) => ({ id, set })));
    return { items: await this.read(matches.ids(skip, limit), read), total: matches.total };
  }

  /**
   * The units among candidates, and of translations, that match a query.
   * @param read receives units that were read as a whole
   */
  private async verify(
    candidates: readonly number[],
    translations: readonly number[],
    query: UnitQuery,
    read: Map<number, U>,
  ): Promise<number[]> {
    const found: number[] = [];
    if (candidates.length > 0 && candidates.length <= READ)
      for (const unit of await this.units.all(allOf({ kind: 'ids', ids: [...candidates] }, query))) {
        read.set(unit.id, unit);
        found.push(unit.id);
      }
    else
      for (let at = 0; at < candidates.length; at += IDS)
        for (const id of await this.units.idsOf(allOf({ kind: 'ids', ids: candidates.slice(at, at + IDS) }, query)))
          found.push(id);
    if (translations.length > 0)
      for (const id of await this.units.idsOf(allOf({ kind: 'translations', ids: [...translations] }, query)))
        found.push(id);
    return found;
  }

  /** The units with these ids that still exist, by id. @param known units that need not be read */
  private async read(ids: readonly number[], known: ReadonlyMap<number, U>): Promise<U[]> {
    const missing = ids.filter((id) => !known.has(id));
    const units = missing.length > 0 ? await this.units.many(missing) : [];
    for (const id of ids) if (known.has(id)) units.push(known.get(id)!);
    return units.sort((a, b) => a.id - b.id);
  }

  private async evaluate(block: IndexBlock, required: Required | null, universe: UnitSet): Promise<Verdict> {
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

  private async evaluateText(block: IndexBlock, text: string, exact: boolean): Promise<Verdict> {
    const condition = conditionOf(text);
    if (!condition) return { sure: new UnitSet(), possible: null };
    const verdicts = await Promise.all(condition.tests.map((test) => this.evaluateTest(block, test)));
    const { sure, possible } = allVerdicts(verdicts);
    return { sure: exact && condition.exact ? sure : new UnitSet(), possible };
  }

  /** `sure`: units with a regular token that the test selects. */
  private async evaluateTest(block: IndexBlock, test: TokenTest): Promise<Verdict & { possible: UnitSet }> {
    const [sure, irregular] = [new UnitSet(), new UnitSet()];
    await this.addTokens(block, test, sure, irregular);
    const possible = irregular.union(sure);
    let alternative: UnitSet | null = null;
    for (const text of test.orAll) {
      const set = new UnitSet();
      await this.addTokens(block, { at: 'whole', text }, set, set);
      alternative = alternative ? alternative.intersect(set) : set;
    }
    if (alternative) possible.union(alternative);
    const amended = new UnitSet();
    for (const { offset } of block.amendments) amended.add(offset);
    sure.subtract(amended);
    possible.subtract(amended);
    for (const { offset, tokens } of block.amendments) {
      const [regular, other] = selectTokens(test, tokens);
      if (regular) sure.add(offset);
      if (regular || other) possible.add(offset);
    }
    return { sure, possible };
  }

  /** Adds the units whose postings list a token that the test selects. */
  private async addTokens(
    block: IndexBlock,
    test: Pick<TokenTest, 'at' | 'text'>,
    regular: UnitSet,
    irregular: UnitSet,
  ): Promise<void> {
    if (test.text === null) return;
    const slice = new TimeSlice();
    const parts = await Promise.all(Array.from({ length: block.parts }, (_, part) => this.documents.part(block, part)));
    const wanted = new Map<string, [number[], number[]]>();
    for (const [at, part] of parts.entries()) {
      const hits = part.select(test);
      for (const [kind, ranks] of [hits.regular, hits.irregular].entries())
        for (const rank of [...ranks].sort((a, b) => a - b)) {
          const { chunk, position } = part.locate(rank);
          const key = `${at}.${chunk}`;
          let positions = wanted.get(key);
          if (!positions) wanted.set(key, (positions = [[], []]));
          positions[kind]!.push(position);
        }
      if (slice.isOver()) await slice.next();
    }
    const chunks = await this.documents.chunks(block, [...wanted.keys()]);
    for (const [key, positions] of wanted) {
      addPostings(chunks.get(key)!, positions[0], regular);
      addPostings(chunks.get(key)!, positions[1], irregular);
      if (slice.isOver()) await slice.next();
    }
  }
}

function isUsable(request: IndexRequest, marks: IndexMarks): marks is IndexMarks & { state: IndexState } {
  if (!marks.state?.ready || marks.fresh.length > MAX_FRESH) return false;
  const open = openIn(request, marks).length;
  return open <= MAX_OPEN && (open === 0 || (request.required !== null && request.translations?.size !== 1));
}

const isSelected = ({ translations }: Pick<IndexRequest, 'translations'>, translation: number): boolean =>
  translations === null || translations.has(translation);

const openIn = (request: Pick<IndexRequest, 'translations'>, { open }: IndexMarks): number[] =>
  [...open].filter((translation) => isSelected(request, translation));

const areCurrent = (blocks: IndexBlocks, versions: ReadonlyMap<number, string>): boolean =>
  blocks.size === versions.size && [...blocks.values()].every(({ id, version }) => versions.get(id) === version);

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
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

/** The units of a block in selected translations; null without any. */
function universeOf(block: IndexBlock, selects: (translation: number) => boolean): UnitSet | null {
  let universe: UnitSet | null = null;
  for (const { start, length, translation } of block.runs) {
    if (!selects(translation)) continue;
    universe ??= new UnitSet();
    universe.addRange(start, length);
  }
  return universe;
}

function groupByBlock(ids: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const id of ids) {
    const group = groups.get(blockOf(id));
    if (group) group.push(id);
    else groups.set(blockOf(id), [id]);
  }
  return groups;
}
