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

/** Entries whose source is similar to each of the texts, the most similar first, of equal ones the newest. */
export async function lookUp(
  parts: { store: Pick<MemoryStore, 'bySources'>; indexes: MemoryIndexes },
  texts: readonly string[],
  { languages, threshold, limit, sight }: MemoryQuestion,
): Promise<MemoryMatch[][]> {
  const pool = texts.length === 1 ? Math.max(limit * POOL, SMALLEST_POOL) : limit * POOL;
  const candidates = await parts.indexes.candidates(languages, texts, threshold, pool);
  const pair = pairOf(languages.source, languages.target);
  const entries = await parts.store.bySources(pair, [...new Set(candidates.flat())], sight);
  const bySource = new Map<string, MemoryEntry[]>();
  for (const entry of entries) {
    const known = bySource.get(entry.source);
    if (known) known.push(entry);
    else bySource.set(entry.source, [entry]);
  }
  const sources = new Map([...bySource.keys()].map((source) => [sourceHash(source), source]));
  return texts.map((text, i) => {
    const matches = candidates[i]!.flatMap((key) => {
      const source = sources.get(key);
      const percent = source === undefined ? 0 : similarity(text, source, threshold);
      if (source === undefined || percent < threshold) return [];
      return bySource.get(source)!.map((entry) => ({ entry, similarity: percent }));
    });
    matches.sort((a, b) => b.similarity - a.similarity || b.entry.stamp - a.entry.stamp || a.entry.id - b.entry.id);
    const seen = new Set<string>();
    return matches
      .filter(({ entry }) => {
        const texts = JSON.stringify([entry.source, entry.target]);
        return !seen.has(texts) && seen.add(texts);
      })
      .slice(0, limit);
  });
}
