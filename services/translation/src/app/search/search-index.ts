import type { Required } from '@parlance/search';
import { counter, logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import type { UnitQueries } from '../../domain/ports';
import { BrokenIndexError, type IndexBlock, type SearchIndexReader } from '../../domain/search/ports';
import { BLOCK_SIZE, blockOf, offsetOf, UnitSet } from '../../domain/search/postings';
import { addPostings, DictionaryPart } from '../../domain/search/dictionary';
import { selectTokens } from '../../domain/search/select-tokens';
import { conditionOf, type TokenTest } from '../../domain/search/tokens';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { SizedCache } from '../caches/sized-cache';

const searches = counter('parlance_search_index_total');

/** Units in one query by id. */
const IDS = 2_000;
/** Limits beyond which a scan of the units is faster. */
const MAX_FRESH = 20_000;
const MAX_OPEN = 200;
const MAX_VERIFIED = 50_000;
/** Memory for dictionaries and for postings, in bytes. */
const DICTIONARY_BYTES = 64 * 1024 * 1024;
const POSTINGS_BYTES = 32 * 1024 * 1024;

export interface IndexRequest {
  /** Condition on the texts, necessary for the query; null: the query selects all units of the translations. */
  required: Required | null;
  /** Selected translations; null: all. */
  translations: ReadonlySet<number> | null;
  /** Selects the same units in the store. */
  query: UnitQuery;
}

/** Units that match a request, by id. */
export class Matches {
  readonly total: number;
  private readonly sizes: number[];

  /** @param blocks by ascending id */
  constructor(private readonly blocks: readonly { id: number; set: UnitSet }[]) {
    this.sizes = blocks.map(({ set }) => set.size);
    this.total = this.sizes.reduce((sum, size) => sum + size, 0);
  }

  ids(skip: number, limit: number): number[] {
    const found: number[] = [];
    this.blocks.forEach(({ id, set }, at) => {
      const size = this.sizes[at]!;
      if (skip < size && found.length < limit)
        for (const offset of set.offsets(skip, limit - found.length)) found.push(id * BLOCK_SIZE + offset);
      skip = Math.max(0, skip - size);
    });
    return found;
  }
}

/** Units of a block that meet a condition for certain, and those that may meet it; null: every unit may. */
interface Verdict {
  sure: UnitSet;
  possible: UnitSet | null;
}

/** Answers searches from the index in the store. Results are exact and contain every acknowledged write. */
export class SearchIndex {
  private readonly blocks = new SizedCache<IndexBlock>(DICTIONARY_BYTES);
  private readonly parts = new SizedCache<DictionaryPart>(DICTIONARY_BYTES);
  private readonly chunks = new SizedCache<Uint8Array>(POSTINGS_BYTES);

  constructor(
    private readonly store: SearchIndexReader,
    private readonly units: Pick<UnitQueries, 'idsOf'>,
  ) {}

  /** @returns null when the store has to scan the units */
  async match(request: IndexRequest): Promise<Matches | null> {
    const found = await this.tryTwice(request);
    searches.inc({ answer: found ? 'index' : 'scan' });
    return found;
  }

  private async tryTwice(request: IndexRequest): Promise<Matches | null> {
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

  private async answer(request: IndexRequest): Promise<Matches | null> {
    const { translations, query, required } = request;
    // The marks are read before the index: a unit without a mark is indexed already.
    const [state, fresh, openTranslations] = await Promise.all([
      this.store.state(),
      this.store.freshUnits(MAX_FRESH + 1),
      this.store.openTranslations(),
    ]);
    if (!state?.ready || fresh.length > MAX_FRESH) return null;
    const selected = (translation: number): boolean => translations === null || translations.has(translation);
    const open = new Set(openTranslations.map(({ translation }) => translation));
    const openHere = [...open].filter(selected);
    if (openHere.length > MAX_OPEN || (openHere.length > 0 && (required === null || translations?.size === 1)))
      return null;
    const blocks = await this.currentBlocks();
    if (state.blocks.some((id) => !blocks.has(id))) return null;

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
    const found = await this.verify(candidates, openHere, query);
    for (const id of found) {
      const set = results.get(blockOf(id)) ?? new UnitSet();
      set.add(offsetOf(id));
      results.set(blockOf(id), set);
    }
    return new Matches([...results].sort(([a], [b]) => a - b).map(([id, set]) => ({ id, set })));
  }

  /** The units among candidates, and of translations, that match a query. */
  private async verify(
    candidates: readonly number[],
    translations: readonly number[],
    query: UnitQuery,
  ): Promise<number[]> {
    const found: number[] = [];
    for (let at = 0; at < candidates.length; at += IDS)
      for (const id of await this.units.idsOf(allOf({ kind: 'ids', ids: candidates.slice(at, at + IDS) }, query)))
        found.push(id);
    if (translations.length > 0)
      for (const id of await this.units.idsOf(allOf({ kind: 'translations', ids: translations }, query)))
        found.push(id);
    return found;
  }

  private async currentBlocks(): Promise<Map<number, IndexBlock>> {
    const versions = await this.store.blockVersions();
    const current = new Map<number, IndexBlock>();
    const changed: number[] = [];
    for (const [id, version] of versions) {
      const cached = this.blocks.get(String(id));
      if (cached?.version === version) current.set(id, cached);
      else changed.push(id);
    }
    for (const block of await this.store.blocks(changed)) {
      current.set(block.id, block);
      const tokens = block.amendments.reduce((sum, of) => sum + of.tokens.length, 0);
      this.blocks.set(String(block.id), block, block.runs.length * 80 + block.amendments.length * 80 + tokens * 40);
    }
    return new Map([...current].sort(([a], [b]) => a - b));
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
    const parts = await Promise.all(Array.from({ length: block.parts }, (_, part) => this.part(block, part)));
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
    const chunks = await this.readChunks(block, [...wanted.keys()]);
    for (const [key, positions] of wanted) {
      addPostings(chunks.get(key)!, positions[0], regular);
      addPostings(chunks.get(key)!, positions[1], irregular);
      if (slice.isOver()) await slice.next();
    }
  }

  private async part(block: IndexBlock, part: number): Promise<DictionaryPart> {
    const key = `${block.id}.${block.generation}.${part}`;
    let cached = this.parts.get(key);
    if (!cached) {
      cached = new DictionaryPart(await this.store.part(block, part));
      this.parts.set(key, cached, cached.size);
    }
    return cached;
  }

  private async readChunks(block: IndexBlock, keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const missing: string[] = [];
    const cacheKey = (key: string): string => `${block.id}.${block.generation}.${key}`;
    for (const key of keys) {
      const cached = this.chunks.get(cacheKey(key));
      if (cached) found.set(key, cached);
      else missing.push(key);
    }
    if (missing.length > 0)
      (await this.store.chunks(block, missing)).forEach((chunk, at) => {
        found.set(missing[at]!, chunk);
        this.chunks.set(cacheKey(missing[at]!), chunk, chunk.length);
      });
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
