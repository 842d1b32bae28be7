import { RECENT_CHANGES_MS, type common, type statistics, type translation as proto } from '@parlance/contracts';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Call } from '../../routing/call';

/** State of an object's history; `lastChangeMs` in milliseconds since the epoch. */
export type HistoryState = Pick<common.Counters__Output, 'lastChangeMs' | 'contentChanges' | 'translationIds'>;

interface Counted extends HistoryState {
  recent: number;
  /** Time of the oldest recent change; 0: none. */
  oldestMs: number;
}

/**
 * Recent changes as the translation service counted them. They are constant for a last change and a number of changes. After further
 * changes to the same translations they follow from an earlier count while no change has become older than six hours, because the
 * history of a translation only grows.
 */
export class RecentChanges {
  /** A count is kept for a minute: a change that was being written while it was made may be missing, or be added again later. */
  private readonly counted = new LRUCache<string, Counted>({ max: 20_000, ttl: 60_000 });

  /** @returns undefined if they have to be counted */
  find(scope: statistics.Scope, state: HistoryState): number | undefined {
    const found = this.counted.get(keyOf(scope));
    if (!found) return undefined;
    const { lastChangeMs, contentChanges, translationIds } = state;
    if (found.translationIds !== translationIds) return undefined;
    if (found.lastChangeMs === lastChangeMs && found.contentChanges === contentChanges) return found.recent;
    const grew = lastChangeMs >= found.lastChangeMs && contentChanges >= found.contentChanges;
    if (!grew || translationIds === 0 || found.oldestMs < lastChangeMs - RECENT_CHANGES_MS) return undefined;
    return found.recent + contentChanges - found.contentChanges;
  }

  /** @param oldestMs time of the oldest recent change, in milliseconds since the epoch; 0: none */
  record(scope: statistics.Scope, state: HistoryState, recent: number, oldestMs: number): void {
    const { lastChangeMs, contentChanges, translationIds } = state;
    this.counted.set(keyOf(scope), { lastChangeMs, contentChanges, translationIds, recent, oldestMs });
  }
}

const cache = new RecentChanges();

/** Adds the content changes of the six hours before each object's last change, counted by the translation service. */
export async function withRecentChanges(
  call: Call,
  scopes: readonly statistics.Scope[],
  counters: readonly common.Counters__Output[],
): Promise<common.Counters__Output[]> {
  const recent = counters.map((c, i) => (c.contentChanges > 0 ? cache.find(scopes[i]!, c) : 0));
  const unknown = recent.flatMap((known, i) => (known === undefined ? [i] : []));
  if (unknown.length > 0) {
    const { counts, oldestMs } = await call.clients.translation.countRecentChanges(
      { scopes: unknown.map((i) => recentScope(scopes[i]!, counters[i]!.lastChangeMs)) },
      call.options,
    );
    unknown.forEach((i, n) => {
      recent[i] = counts[n] ?? 0;
      cache.record(scopes[i]!, counters[i]!, recent[i], oldestMs[n] ?? 0);
    });
  }
  return counters.map((c, i) => ({ ...c, recentChanges: recent[i]! }));
}

function recentScope(scope: statistics.Scope, lastChangeMs: number): proto.RecentScope {
  const id = scope.id ?? 0;
  return {
    lastChangeMs,
    translationId: scope.kind === 'SCOPE_KIND_TRANSLATION' ? id : 0,
    projectId: scope.kind === 'SCOPE_KIND_PROJECT' || scope.kind === 'SCOPE_KIND_PROJECT_LANGUAGE' ? id : 0,
    languageCode: scope.languageCode ?? '',
    componentIds: scope.kind === 'SCOPE_KIND_COMPONENT' ? [id] : (scope.componentIds ?? []),
    excludedComponentIds: scope.excludedComponentIds ?? [],
    excludedProjectIds: scope.excludedProjectIds ?? [],
  };
}

const keyOf = (scope: statistics.Scope): string =>
  [
    scope.kind,
    scope.id ?? 0,
    scope.languageCode ?? '',
    ...[scope.componentIds, scope.excludedComponentIds, scope.excludedProjectIds].map(digestOf),
  ].join(' ');

/** Digests of lists of ids: the scopes of a request share them. */
const digests = new WeakMap<object, string>();

/** A short key of a list, which can contain thousands of ids. */
function digestOf(ids: statistics.Scope['componentIds']): string {
  if (!ids || ids.length === 0) return '';
  let digest = digests.get(ids);
  if (digest === undefined) digests.set(ids, (digest = hash('sha256', ids.join(), 'base64')));
  return digest;
}
