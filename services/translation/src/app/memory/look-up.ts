import { TimeSlice } from '@parlance/workload';
import { pairOf, sourceHash, type MemoryEntry } from '../../domain/memory/entry';
import type { VisibleEntries, MemoryStore } from '../../domain/memory/ports';
import { similarity } from '../../domain/memory/similarity';
import type { MemoryIndexes } from './memory-index';

export interface MemoryMatch {
  entry: MemoryEntry;
  /** Percent; 100: equal texts. */
  similarity: number;
}

export interface LookUpOptions {
  languages: { source: string; target: string };
  /** Minimum similarity, in percent. */
  threshold: number;
  /** Maximum number of matches for each text. */
  limit: number;
  visible: VisibleEntries;
}

/** Candidate sources for each requested match; more than one, because the reader may not see the entries of all candidates. */
const CANDIDATES_PER_MATCH = 5;
const MIN_CANDIDATES = 60;

/** Limit of the work for one text: sum of the products of lengths; allows ten pairs of the longest texts. */
const MAX_COMPARED = 1e9;

/** Entries with a source similar to each text, ordered by similarity, then newest first. */
export async function lookUp(
  deps: { store: Pick<MemoryStore, 'bySources'>; indexes: MemoryIndexes },
  texts: readonly string[],
  { languages, threshold, limit, visible }: LookUpOptions,
): Promise<MemoryMatch[][]> {
  const maxCandidates =
    texts.length === 1 ? Math.max(limit * CANDIDATES_PER_MATCH, MIN_CANDIDATES) : limit * CANDIDATES_PER_MATCH;
  const candidates = await deps.indexes.candidates(languages, texts, {
    percent: threshold,
    limit: maxCandidates,
    visible,
  });
  const pair = pairOf(languages.source, languages.target);
  const entries = await deps.store.bySources(pair, [...new Set(candidates.flat())], visible);
  const bySource = new Map<string, MemoryEntry[]>();
  for (const entry of entries) {
    const known = bySource.get(entry.source);
    if (known) known.push(entry);
    else bySource.set(entry.source, [entry]);
  }
  const sources = new Map([...bySource.keys()].map((source) => [sourceHash(source), source]));
  const slice = new TimeSlice();
  const results: MemoryMatch[][] = [];
  for (const [i, text] of texts.entries()) {
    const matches: MemoryMatch[] = [];
    let compared = 0;
    for (const key of candidates[i]!) {
      if (slice.isOver()) await slice.next();
      const source = sources.get(key);
      // Candidates are ordered by estimated similarity, so the limit drops the least similar ones.
      if (source === undefined || (compared += text.length * source.length) > MAX_COMPARED) continue;
      const percent = similarity(text, source, threshold);
      if (percent < threshold) continue;
      for (const entry of bySource.get(source)!) matches.push({ entry, similarity: percent });
    }
    results.push(selectBest(matches, limit));
  }
  return results;
}

/** The matches with the highest similarity, then the newest, without duplicate texts. */
function selectBest(matches: MemoryMatch[], limit: number): MemoryMatch[] {
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
