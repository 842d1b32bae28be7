import { TimeSlice } from '@parlance/workload';
import { pairOf, type MemoryEntry } from '../../domain/memory/entry';
import type { VisibleEntries, MemoryStore } from '../../domain/memory/ports';
import { similarity } from '../../domain/memory/similarity';
import type { MemoryIndex } from './memory-index';

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

/** Candidate sources for each requested match; more than one, because their order is estimated. */
const CANDIDATES_PER_MATCH = 5;
const MIN_CANDIDATES = 200;
/** Candidates of a text that are read at once. A text without a match among them is finished: the next ones are less similar. */
const READ = 61;

/** Limit of the work for one text: sum of the products of lengths; allows ten pairs of the longest texts. */
const MAX_COMPARED = 1e9;

/** Entries with a source similar to each text, ordered by similarity, then newest first. */
export async function lookUp(
  deps: { store: Pick<MemoryStore, 'bySources'>; index: Pick<MemoryIndex, 'candidates'> },
  texts: readonly string[],
  { languages, threshold, limit, visible }: LookUpOptions,
): Promise<MemoryMatch[][]> {
  const maxCandidates =
    texts.length === 1 ? Math.max(limit * CANDIDATES_PER_MATCH, MIN_CANDIDATES) : limit * CANDIDATES_PER_MATCH;
  const candidates = await deps.index.candidates(languages, texts, {
    percent: threshold,
    limit: maxCandidates,
    visible,
  });
  const pair = pairOf(languages.source, languages.target);
  const results = texts.map((): MemoryMatch[] => []);
  const compared = texts.map(() => 0);
  const slice = new TimeSlice();
  let pending = texts.map((_, i) => i);
  for (let at = 0; pending.length > 0; at += READ) {
    const wanted = pending.map((i) => ({ i, sources: candidates[i]!.slice(at, at + READ) }));
    const hashes = [...new Set(wanted.flatMap(({ sources }) => sources))];
    const bySource = await deps.store.bySources(pair, hashes, visible);
    pending = [];
    for (const { i, sources } of wanted) {
      const before = results[i]!.length;
      for (const key of sources) {
        if (slice.isOver()) await slice.next();
        const found = bySource.get(key);
        const text = texts[i]!;
        // Candidates are ordered by estimated similarity, so the limit drops the least similar ones.
        if (!found || (compared[i]! += text.length * found[0]!.source.length) > MAX_COMPARED) continue;
        const percent = similarity(text, found[0]!.source, threshold);
        if (percent >= threshold) results[i]!.push(...found.map((entry) => ({ entry, similarity: percent })));
      }
      if (results[i]!.length > before && candidates[i]!.length > at + READ) pending.push(i);
    }
  }
  return results.map((matches) => selectBest(matches, limit));
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
