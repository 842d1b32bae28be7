import { TimeSlice } from '@parlance/workload';
import { pairOf, sourceHash, type MemoryEntry } from '../../domain/memory/entry';
import type { MemorySight, MemoryStore } from '../../domain/memory/ports';
import { similarity } from '../../domain/memory/similarity';
import type { MemoryIndexes } from './memory-index';

/** A suggestion of the memory. */
export interface MemoryMatch {
  entry: MemoryEntry;
  /** Percent; 100: the same text. */
  similarity: number;
}

export interface MemoryQuestion {
  languages: { source: string; target: string };
  /** Lowest similarity, in percent. */
  threshold: number;
  /** Most answers to each text. */
  limit: number;
  sight: MemorySight;
}

/** Source texts that are compared for each answer that is wanted: of equal texts a reader may see few. */
const POOL = 5;
const SMALLEST_POOL = 60;

/** Characters of one text times those of the others that it is compared with: ten pairs of the longest texts. */
const MAX_COMPARED = 1e9;

/** Entries whose source is similar to each of the texts, the most similar first, of equal ones the newest. */
export async function lookUp(
  deps: { store: Pick<MemoryStore, 'bySources'>; indexes: MemoryIndexes },
  texts: readonly string[],
  { languages, threshold, limit, sight }: MemoryQuestion,
): Promise<MemoryMatch[][]> {
  const pool = texts.length === 1 ? Math.max(limit * POOL, SMALLEST_POOL) : limit * POOL;
  const candidates = await deps.indexes.candidates(languages, texts, { percent: threshold, limit: pool, sight });
  const pair = pairOf(languages.source, languages.target);
  const entries = await deps.store.bySources(pair, [...new Set(candidates.flat())], sight);
  const bySource = new Map<string, MemoryEntry[]>();
  for (const entry of entries) {
    const known = bySource.get(entry.source);
    if (known) known.push(entry);
    else bySource.set(entry.source, [entry]);
  }
  const sources = new Map([...bySource.keys()].map((source) => [sourceHash(source), source]));
  const slice = new TimeSlice();
  const answers: MemoryMatch[][] = [];
  for (const [i, text] of texts.entries()) {
    const matches: MemoryMatch[] = [];
    let compared = 0;
    for (const key of candidates[i]!) {
      if (slice.isOver()) await slice.next();
      const source = sources.get(key);
      // The most promising come first.
      if (source === undefined || (compared += text.length * source.length) > MAX_COMPARED) continue;
      const percent = similarity(text, source, threshold);
      if (percent < threshold) continue;
      for (const entry of bySource.get(source)!) matches.push({ entry, similarity: percent });
    }
    answers.push(best(matches, limit));
  }
  return answers;
}

/** The most similar matches, of equal ones the newest; the same texts count once. */
function best(matches: MemoryMatch[], limit: number): MemoryMatch[] {
  matches.sort((a, b) => b.similarity - a.similarity || b.entry.stamp - a.entry.stamp || a.entry.id - b.entry.id);
  const seen = new Set<string>();
  const found: MemoryMatch[] = [];
  for (const match of matches) {
    if (found.length === limit) break;
    const texts = JSON.stringify([match.entry.source, match.entry.target]);
    if (seen.has(texts)) continue;
    seen.add(texts);
    found.push(match);
  }
  return found;
}
