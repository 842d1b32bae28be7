import { gauge, logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { randomUUID } from 'node:crypto';
import type { Clock, TranslationReader } from '../../domain/ports';
import {
  documentId,
  type IndexBlock,
  type OpenTranslation,
  type SearchIndexReader,
  type SearchIndexWriter,
  type UnitTexts,
} from '../../domain/search/ports';
import { BLOCK_SIZE, blockOf, decodePostings, offsetOf, type Amendment, type Run } from '../../domain/search/postings';
import { UnitSet } from '../../domain/search/unit-set';
import { BlockWriter } from '../../domain/search/block-writer';
import { postingsOf, tokensOf } from '../../domain/search/dictionary';
import { addTokens } from '../../domain/search/tokens';
import { LeasedPasses } from '../leased-passes';

const behind = gauge('parlance_search_index_behind');

/** Units in one read, and units or distinct tokens in one rewrite of postings. */
const READ = 2_000;
const MAX_UNITS = 65_536;
const MAX_TOKENS = 30_000;
/** Units that are amended without rewriting the postings of their block. */
const MAX_AMENDMENTS = 1_000;
/** Documents in one insertion. */
const DOCUMENTS = 100;
/** Time after which a marked translation is indexed although it is not listed: its import or removal ended early. In milliseconds. */
const ABANDONED_MS = 3_600_000;
/** Age of former generations that are deleted, and the interval between deletions. */
const GARBAGE_MS = 300_000;

export interface SearchIndexerOptions {
  /** Interval between passes, in milliseconds. */
  everyMs: number;
  /** Time before the first build: processes of versions that do not mark their writes have stopped by then. */
  graceMs: number;
}

/** New content of a unit; translation 0: it was removed. */
interface UnitChange {
  offset: number;
  translation: number;
  tokens: readonly string[];
}

interface Deps {
  store: SearchIndexReader & SearchIndexWriter;
  translations: Pick<TranslationReader, 'get'>;
  now: Clock['now'];
}

/** Keeps the search index up to date in the background. Several processes may run it: writes of blocks are conditional. */
export class SearchIndexer {
  private readonly passes: LeasedPasses;
  private nextCleanup = 0;
  /** Changes that are read and not indexed yet, by block and offset. */
  private changes = new Map<number, Map<number, UnitChange>>();
  private changedUnits = 0;
  private readonly changedTokens = new Set<string>();
  /** Versions of the blocks, read before the recorded units. */
  private versions = new Map<number, string>();

  constructor(
    private readonly deps: Deps,
    private readonly options: SearchIndexerOptions,
  ) {
    this.passes = new LeasedPasses(deps.store, 'search index', () => this.pass());
  }

  start(): void {
    this.passes.start(this.options.everyMs);
  }

  stop(): Promise<void> {
    return this.passes.stop();
  }

  /** Indexes all units that were written since the last pass. */
  async pass(): Promise<void> {
    const { store } = this.deps;
    if (!(await this.passes.renew()) || !(await this.ensureBuilt())) return;
    await this.begin();
    const open = await store.openTranslations();
    behind.set({ kind: 'translations' }, open.length);
    await this.indexTranslations(open);
    await this.indexFresh();
    if (this.deps.now() >= this.nextCleanup) {
      await store.deleteGarbage(this.deps.now() - GARBAGE_MS);
      this.nextCleanup = this.deps.now() + GARBAGE_MS;
    }
  }

  /**
   * Forgets recorded changes. A block is written only if it still has the version from before its units were read: otherwise another
   * process may have indexed a later state of them.
   */
  private async begin(): Promise<void> {
    this.changes = new Map();
    this.changedUnits = 0;
    this.changedTokens.clear();
    this.versions = await this.deps.store.blockVersions();
  }

  /** @returns whether units outside the index are marked, so that it can be written */
  private async ensureBuilt(): Promise<boolean> {
    const { store, now } = this.deps;
    const state = await store.state();
    if (!state) {
      await store.createState(now());
      return this.ensureBuilt();
    }
    if (state.ready) {
      const versions = await store.blockVersions();
      if (state.blocks.every((id) => versions.has(id))) return true;
      logger.warn('search index: a block is missing, built again');
    } else if (now() - state.since < this.options.graceMs && (await store.anyUnit())) return false;
    await store.beginBuild();
    return true;
  }

  private async indexTranslations(open: readonly OpenTranslation[]): Promise<void> {
    if (open.length === 0) return;
    let indexedMarks: { mark: OpenTranslation; isFinished: boolean }[] = [];
    const settle = async (): Promise<void> => {
      const { store } = this.deps;
      await this.flush();
      for (const { mark, isFinished } of indexedMarks)
        await (isFinished ? store.clearOpen(mark) : store.abandonOpen(mark));
      indexedMarks = [];
    };
    const indexed = await this.indexedUnits(new Set(open.map(({ translation }) => translation)));
    for (const mark of open) {
      if (!(await this.passes.renew())) break;
      const isFinished = await this.isFinished(mark);
      if (!isFinished && this.deps.now() - mark.time <= ABANDONED_MS) continue;
      const former = indexed.get(mark.translation) ?? new Set();
      for (let after = 0; ;) {
        const units = await this.deps.store.textsAfter(mark.translation, after, READ);
        await this.collect(units);
        for (const { id } of units) former.delete(id);
        if (this.isFull) await settle();
        if (units.length < READ) break;
        after = units.at(-1)!.id;
        if (!(await this.passes.renew())) return;
      }
      for (const id of former) this.record(id, { offset: offsetOf(id), translation: 0, tokens: [] });
      indexedMarks.push({ mark, isFinished });
    }
    await settle();
  }

  /** Whether the import or removal that marked a translation is finished. */
  private async isFinished({ translation, removal }: OpenTranslation): Promise<boolean> {
    if (removal) return (await this.deps.store.textsAfter(translation, 0, 1)).length === 0;
    return (await this.deps.translations.get(translation)) !== null;
  }

  /** Units of some translations that the index has already. */
  private async indexedUnits(translations: ReadonlySet<number>): Promise<Map<number, Set<number>>> {
    const found = new Map<number, Set<number>>();
    for (const id of (await this.deps.store.blockVersions()).keys())
      for (const block of await this.deps.store.blocks([id]))
        for (const { start, length, translation } of block.runs) {
          if (!translations.has(translation)) continue;
          const units = found.get(translation) ?? new Set();
          found.set(translation, units);
          for (let offset = start; offset < start + length; offset++) units.add(id * BLOCK_SIZE + offset);
        }
    return found;
  }

  private async indexFresh(): Promise<void> {
    for (;;) {
      await this.begin();
      const units = await this.deps.store.freshTexts(READ);
      behind.set({ kind: 'units' }, units.length);
      if (units.length === 0) return;
      await this.collect(units);
      await this.flush();
      // Only after the blocks are written: a search looks at marked units directly.
      await this.deps.store.clearFresh(units);
      if (units.length < READ || !(await this.passes.renew())) return;
    }
  }

  private async collect(units: readonly UnitTexts[]): Promise<void> {
    const slice = new TimeSlice();
    for (const { id, translation, source, target, context } of units) {
      const tokens = new Set<string>();
      if (translation > 0) for (const text of [...source, ...target, context]) addTokens(text, tokens);
      this.record(id, { offset: offsetOf(id), translation: Math.max(0, translation), tokens: [...tokens] });
      if (slice.isOver()) await slice.next();
    }
  }

  private record(id: number, change: UnitChange): void {
    const block = blockOf(id);
    let changes = this.changes.get(block);
    if (!changes) this.changes.set(block, (changes = new Map()));
    changes.set(change.offset, change);
    this.changedUnits++;
    for (const token of change.tokens) this.changedTokens.add(token);
  }

  private get isFull(): boolean {
    return this.changedUnits >= MAX_UNITS || this.changedTokens.size >= MAX_TOKENS;
  }

  /** Writes all recorded changes. They are dropped if that fails: their units are still marked. */
  private async flush(): Promise<void> {
    const { changes } = this;
    this.changes = new Map();
    this.changedUnits = 0;
    this.changedTokens.clear();
    for (const [block, of] of changes) await this.apply(block, of);
  }

  private async apply(id: number, changes: ReadonlyMap<number, UnitChange>): Promise<void> {
    const { store } = this.deps;
    const [found] = await store.blocks([id]);
    const block = found ?? { id, version: '', generation: '', parts: 0, runs: [], amendments: [] };
    const translations = translationsOf(block.runs);
    const amended = new Map(block.amendments.map((amendment) => [amendment.offset, amendment]));
    const isKnown = (offset: number): boolean => translations[offset] !== 0 || amended.has(offset);
    const isNew = amended.size === 0 && ![...changes.keys()].some(isKnown);
    for (const { offset, translation, tokens } of changes.values()) {
      amended.set(offset, { offset, tokens });
      translations[offset] = translation;
    }
    let next: IndexBlock = {
      ...block,
      version: randomUUID(),
      runs: runsOf(translations),
      amendments: [...amended.values()].sort((a, b) => a.offset - b.offset),
    };
    if (amended.size > MAX_AMENDMENTS) next = await this.rewrite(next, isNew ? null : amended);
    const expected = this.versions.get(id) ?? null;
    if ((found?.version ?? null) !== expected || !(await store.replaceBlock(next, expected)))
      throw new Error(`search index: block ${id} was written by another process`);
    this.versions.set(id, next.version);
  }

  /** Writes the postings of a block again, with its amendments. @param stale units that former postings may list */
  private async rewrite(block: IndexBlock, stale: ReadonlyMap<number, unknown> | null): Promise<IndexBlock> {
    const { store, now } = this.deps;
    const next: IndexBlock = {
      ...block,
      generation: `${now().toString(36)}-${randomUUID().slice(0, 8)}`,
      amendments: [],
    };
    let documents: { id: string; data: Buffer; starts?: number[] }[] = [];
    const writer = new BlockWriter(async (key, data, starts) => {
      documents.push({ id: documentId(next, key), data, ...(starts ? { starts } : {}) });
      if (documents.length < DOCUMENTS) return;
      await store.addDocuments(documents);
      documents = [];
    });
    const excluded = new UnitSet();
    for (const offset of stale?.keys() ?? []) excluded.add(offset);
    const added = await offsetsByToken(block.amendments);
    const tokens = [...added.keys()].sort();
    let at = 0;
    const slice = new TimeSlice();
    for await (const [token, postings] of this.postings(block)) {
      for (; at < tokens.length && tokens[at]! < token; at++)
        await writer.addOffsets(tokens[at]!, added.get(tokens[at]!)!);
      const more = tokens[at] === token ? added.get(tokens[at++]!)! : null;
      if (!more && !stale) await writer.add(token, postings);
      else {
        const offsets: number[] = [];
        decodePostings(postings, (offset) => void (excluded.has(offset) || offsets.push(offset)));
        await writer.addOffsets(token, more ? merged(offsets, more) : offsets);
      }
      if (slice.isOver()) await slice.next();
    }
    for (; at < tokens.length; at++) {
      await writer.addOffsets(tokens[at]!, added.get(tokens[at]!)!);
      if (slice.isOver()) await slice.next();
    }
    await writer.end();
    await store.addDocuments(documents);
    await this.passes.renew();
    return { ...next, parts: writer.parts };
  }

  /** Tokens of a block with their postings, in ascending order. */
  private async *postings(block: IndexBlock): AsyncGenerator<[string, Uint8Array]> {
    for (let at = 0; at < block.parts; at++) {
      const part = await this.deps.store.part(block, at);
      const words = tokensOf(part);
      let next = 0;
      for (let first = 0; first < part.starts.length; first += DOCUMENTS) {
        const count = Math.min(DOCUMENTS, part.starts.length - first);
        const keys = Array.from({ length: count }, (_, i) => `${at}.${first + i}`);
        for (const chunk of await this.deps.store.chunks(block, keys))
          for (const postings of postingsOf(chunk)) yield [words[next++]!, postings];
      }
    }
  }
}

/** Translation of each unit of a block; 0: not indexed. */
function translationsOf(runs: readonly Run[]): Float64Array {
  const translations = new Float64Array(BLOCK_SIZE);
  for (const { start, length, translation } of runs) translations.fill(translation, start, start + length);
  return translations;
}

function runsOf(translations: Float64Array): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < BLOCK_SIZE;) {
    const translation = translations[start]!;
    let end = start + 1;
    while (end < BLOCK_SIZE && translations[end] === translation) end++;
    if (translation !== 0) runs.push({ start, length: end - start, translation });
    start = end;
  }
  return runs;
}

/** @param amendments by ascending offset */
async function offsetsByToken(amendments: readonly Amendment[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  const slice = new TimeSlice();
  for (const { offset, tokens } of amendments) {
    for (const token of tokens) {
      const offsets = found.get(token);
      if (offsets) offsets.push(offset);
      else found.set(token, [offset]);
    }
    if (slice.isOver()) await slice.next();
  }
  return found;
}

/** Merges two ascending lists without common values. */
function merged(one: readonly number[], other: readonly number[]): number[] {
  const all: number[] = [];
  let at = 0;
  for (const value of one) {
    while (at < other.length && other[at]! < value) all.push(other[at++]!);
    all.push(value);
  }
  while (at < other.length) all.push(other[at++]!);
  return all;
}
