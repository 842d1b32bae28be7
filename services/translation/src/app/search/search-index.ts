import type { Required } from '@parlance/search';
import { counter, logger } from '@parlance/telemetry';
import { yieldToEventLoop } from '@parlance/workload';
import { BrokenIndexError, type SearchIndexReader } from '../../domain/search/ports';
import { BLOCK_SIZE, blockOf, offsetOf } from '../../domain/search/postings';
import { UnitSet } from '../../domain/search/unit-set';
import type { Page, TranslationFilter, TranslationQueries } from '../../domain/ports';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { SearchIndexCache, type CachedBlock, type IndexBlocks } from '../caches/search-index-cache';
import { BlockEvaluator, type Verdict } from './block-evaluator';
import { Matches } from './matches';

const searches = counter('parlance_search_index_total');

/** Units in one query by id. */
const IDS = 5_000;
/** Matches up to which candidates are read as a whole when they are verified, because they are on the page. */
const WHOLE = 200;
/** Translations in one query. */
const TRANSLATIONS = 500;
/** Limits beyond which a scan of the units is faster. */
const MAX_FRESH = 20_000;
const MAX_VERIFIED = 50_000;
/** A unit that the store finds by its translation takes as long as so many units of a scan. */
const SCANNED_FOR_ONE = 3;

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
  /** By id. @param after id of the last unit read */
  pageAfter(query: UnitQuery, after: number, size: number): Promise<U[]>;
  many(ids: readonly number[]): Promise<U[]>;
}

/** Units and translations that the index does not cover yet. */
export interface IndexMarks {
  fresh: readonly { id: number; translation: number }[];
  /** Translations. */
  open: ReadonlySet<number>;
}

/** Verdict on the units of a block in selected translations, `universe`. */
interface BlockVerdict extends Verdict {
  block: CachedBlock;
  universe: UnitSet;
}

/** Answers searches from the index in the store. Results are exact and contain every acknowledged write. */
export class SearchIndex<U extends { id: number }> {
  private readonly documents: SearchIndexCache;
  private readonly evaluator: BlockEvaluator;
  /** Blocks of the index when this process last read them. */
  private ids: readonly number[] | null = null;

  constructor(
    private readonly store: SearchIndexReader,
    private readonly units: IndexedUnits<U>,
    private readonly translations: Pick<TranslationQueries, 'sumGroups'>,
  ) {
    this.documents = new SearchIndexCache(store);
    this.evaluator = new BlockEvaluator(this.documents);
  }

  /**
   * A page of the units that match, by id.
   * @param marks from {@link readMarks}, if the caller has read them already
   * @returns null when the store has to scan the units
   */
  async page(request: IndexRequest, marks: IndexMarks | null = null): Promise<Page<U> | null> {
    const found = await this.tryTwice(request, marks);
    searches.inc({ answer: found ? 'index' : 'scan' });
    return found;
  }

  /** Marks for {@link page}. Results contain the writes that were acknowledged before. Null: they would not be used. */
  readMarks(): Promise<IndexMarks> | null {
    return this.lastBlocks() && this.currentMarks();
  }

  private async tryTwice(request: IndexRequest, marks: IndexMarks | null): Promise<Page<U> | null> {
    for (let retry = false; ; retry = true) {
      try {
        return await this.answer(request, retry ? null : marks);
      } catch (error) {
        if (!(error instanceof BrokenIndexError || error instanceof RangeError)) throw error;
        // The first time, the block may have been replaced.
        if (!retry) continue;
        logger.warn({ err: error }, 'search index: invalid, built again');
        this.ids = null;
        await this.store.requestRebuild();
        return null;
      }
    }
  }

  private async answer(request: IndexRequest, known: IndexMarks | null): Promise<Page<U> | null> {
    const last = this.lastBlocks();
    if (!last) return this.answerAfresh(request);
    // Blocks change rarely, so the answer is computed while marks and versions are read. Documents of former blocks may be deleted.
    const marking = known ?? this.currentMarks();
    const evaluating = yieldToEventLoop().then(() => this.evaluate(request, last));
    evaluating.catch(() => undefined);
    const marks = await marking;
    if (!(await this.isUsable(request, marks))) return null;
    // After the marks: a unit without a mark is in the blocks that are current from now on.
    const reading = Promise.all([this.store.state(), this.store.blockVersions()]);
    const [attempt] = await Promise.allSettled([this.find(request, marks, evaluating), reading]);
    const [state, versions] = await reading;
    return state?.ready && areAll(state.blocks, versions) && areCurrent(last, versions)
      ? valueOf(attempt)
      : this.answerAfresh(request);
  }

  private async answerAfresh(request: IndexRequest): Promise<Page<U> | null> {
    const state = await this.store.state();
    if (!state?.ready) return null;
    const marks = await this.currentMarks();
    if (!(await this.isUsable(request, marks))) return null;
    const blocks = await this.documents.currentBlocks(await this.store.blockVersions());
    if (state.blocks.some((id) => !blocks.has(id))) return null;
    this.ids = [...blocks.keys()];
    return this.find(request, marks, this.evaluate(request, blocks));
  }

  /** Whether the index with a look at marked units is faster than a scan. */
  private async isUsable(request: IndexRequest, marks: IndexMarks): Promise<boolean> {
    if (marks.fresh.length > MAX_FRESH) return false;
    const open = openIn(request, marks);
    if (open.length === 0) return true;
    const { required, translations, skip } = request;
    if (translations?.size === 1) return false;
    const sum = async (filters: readonly TranslationFilter[]) => (await this.translations.sumGroups(filters)).all;
    // If all units match, the store reads only those before the page.
    const scanned = required === null ? skip : sum(translations ? [{ translations: [...translations] }] : []);
    const [marked, most] = await Promise.all([sum([{ translations: open }]), scanned]);
    return marked * SCANNED_FOR_ONE <= most;
  }

  private lastBlocks(): IndexBlocks | null {
    return this.ids && this.documents.lastBlocks(this.ids);
  }

  private async currentMarks(): Promise<IndexMarks> {
    const [fresh, open] = await Promise.all([this.store.freshUnits(MAX_FRESH + 1), this.store.openTranslations()]);
    return { fresh, open: new Set(open.map(({ translation }) => translation)) };
  }

  /** Verdicts on the indexed units of selected translations. */
  private evaluate(request: IndexRequest, blocks: IndexBlocks): Promise<(BlockVerdict | null)[]> {
    return Promise.all(
      [...blocks.values()].map(async (block) => {
        const universe = unitsOf(block, (translation) => isSelected(request, translation));
        return universe && { block, universe, ...(await this.evaluator.evaluate(block, request.required, universe)) };
      }),
    );
  }

  /** @param evaluating verdicts on the blocks, also on units for which the index does not answer */
  private async find(
    request: IndexRequest,
    marks: IndexMarks,
    evaluating: Promise<readonly (BlockVerdict | null)[]>,
  ): Promise<Page<U> | null> {
    const { skip, limit } = request;
    const { fresh, open } = marks;
    const excluded = groupByBlock(fresh.map(({ id }) => id));
    const results = new Map<number, UnitSet>();
    const candidates: number[] = [];
    for (const verdict of await evaluating) {
      if (!verdict) continue;
      const { block, universe, sure, possible } = verdict;
      const opened = open.size > 0 && unitsOf(block, (translation) => open.has(translation));
      if (opened) universe.subtract(opened);
      for (const id of excluded.get(block.id) ?? []) universe.delete(offsetOf(id));
      const set = sure.intersect(universe);
      results.set(block.id, set);
      const unsure = (possible ? possible.intersect(universe) : universe).subtract(set);
      if (unsure.isEmpty) continue;
      if (candidates.length + unsure.size > MAX_VERIFIED) return null;
      for (const offset of unsure.offsets()) candidates.push(block.id * BLOCK_SIZE + offset);
    }
    for (const { id, translation } of fresh)
      if (translation > 0 && isSelected(request, translation) && !open.has(translation)) candidates.push(id);
    const read = new Map<number, U>();
    for (const id of await this.verify(request, candidates, openIn(request, marks), read)) {
      const set = results.get(blockOf(id)) ?? new UnitSet();
      set.add(offsetOf(id));
      results.set(blockOf(id), set);
    }
    const matches = new Matches([...results].sort(([a], [b]) => a - b).map(([id, set]) => ({ id, set })));
    return { items: await this.read(matches.ids(skip, limit), read), total: matches.total };
  }

  /**
   * The units among candidates, and of translations, that match the query.
   * @param read receives units that were read as a whole
   */
  private async verify(
    { query, skip, limit }: IndexRequest,
    candidates: readonly number[],
    translations: readonly number[],
    read: Map<number, U>,
  ): Promise<number[]> {
    const found: number[] = [];
    const addIds = async (part: UnitQuery): Promise<void> => {
      for (const id of await this.units.idsOf(allOf(part, query))) found.push(id);
    };
    const addParts = async (kind: 'ids' | 'translations', ids: readonly number[], size: number): Promise<void> => {
      for (let at = 0; at < ids.length; at += size) await addIds({ kind, ids: ids.slice(at, at + size) });
    };
    const addAmong = (ids: readonly number[]): Promise<void> => addParts('ids', ids, IDS);
    const whole = skip + limit <= WHOLE ? skip + limit : 0;
    const addUnits = async (ids: number[]): Promise<void> => {
      const units = await this.units.pageAfter(allOf({ kind: 'ids', ids }, query), 0, whole);
      for (const unit of units) read.set(unit.id, unit);
      for (const { id } of units) found.push(id);
      // The page is full: of other units, only the number matters.
      if (units.length === whole) await addAmong(ids.filter((id) => id > units.at(-1)!.id));
    };
    const first = whole > 0 ? candidates.slice(0, IDS) : [];
    await Promise.all([
      first.length > 0 ? addUnits(first) : null,
      addAmong(candidates.slice(first.length)),
      addParts('translations', translations, TRANSLATIONS),
    ]);
    return found;
  }

  /** The units with these ids that still exist, by id. @param known units that need not be read */
  private async read(ids: readonly number[], known: ReadonlyMap<number, U>): Promise<U[]> {
    const missing = ids.filter((id) => !known.has(id));
    const units = missing.length > 0 ? await this.units.many(missing) : [];
    for (const id of ids) if (known.has(id)) units.push(known.get(id)!);
    return units.sort((a, b) => a.id - b.id);
  }
}

const isSelected = ({ translations }: Pick<IndexRequest, 'translations'>, translation: number): boolean =>
  translations === null || translations.has(translation);

const openIn = (request: Pick<IndexRequest, 'translations'>, { open }: IndexMarks): number[] =>
  [...open].filter((translation) => isSelected(request, translation));

const areCurrent = (blocks: IndexBlocks, versions: ReadonlyMap<number, string>): boolean =>
  blocks.size === versions.size && [...blocks.values()].every(({ id, version }) => versions.get(id) === version);

const areAll = (ids: readonly number[], versions: ReadonlyMap<number, string>): boolean =>
  ids.length === versions.size && ids.every((id) => versions.has(id));

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The units of a block in some translations; null without any. */
function unitsOf(block: CachedBlock, selects: (translation: number) => boolean): UnitSet | null {
  let units: UnitSet | null = null;
  for (const { start, length, translation } of block.runs) {
    if (!selects(translation)) continue;
    units ??= new UnitSet();
    units.addRange(start, length);
  }
  return units;
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
