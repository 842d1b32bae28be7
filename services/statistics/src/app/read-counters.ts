import { logger } from '@parlance/telemetry';
import type { Counters } from '../domain/counters';
import type { Exclusions } from '../domain/sums';
import type { EventPosition, LiveSums } from './live-sums';

/** The object of requested counters. */
export type Scope =
  | { kind: 'site'; excluded: Exclusions }
  | { kind: 'project'; id: number; also: readonly number[]; excluded: Exclusions }
  | { kind: 'component'; id: number }
  | { kind: 'translation'; id: number }
  | { kind: 'language'; code: string; excluded: Exclusions }
  | { kind: 'projectLanguage'; id: number; code: string; also: readonly number[]; excluded: Exclusions }
  | { kind: 'components'; ids: readonly number[]; excluded: Exclusions };

/** Maximum wait for earlier writes (read-your-writes), in milliseconds. */
const LONGEST_WAIT_MS = 2_000;
/** Part of the caller's deadline that is reserved for the response, in milliseconds. */
const RESERVE_MS = 200;

/** Reads counters, after waiting for the writes before the call (read-your-writes). */
export class CounterReader {
  constructor(
    private readonly live: LiveSums,
    private readonly position: EventPosition,
  ) {}

  /** @returns whether earlier writes may be missing */
  private async settle(deadlineMs: number): Promise<boolean> {
    const wait = Math.max(0, Math.min(LONGEST_WAIT_MS, deadlineMs - Date.now() - RESERVE_MS));
    const stale = !(await this.position.caughtUp(wait));
    // Slightly stale counters are better than an error.
    if (stale) logger.warn({ waited: wait }, 'statistics: responding with stale counters');
    return stale;
  }

  /**
   * Counters in the order of the scopes; zeros for unknown objects.
   * @returns `stale`: earlier writes may be missing
   */
  async counters(scopes: readonly Scope[], deadlineMs: number): Promise<{ counters: Counters[]; stale: boolean }> {
    const stale = await this.settle(deadlineMs);
    return { counters: scopes.map((scope) => this.one(scope)), stale };
  }

  private one(scope: Scope): Counters {
    const sums = this.live.current;
    switch (scope.kind) {
      case 'site':
        return sums.forSite(scope.excluded);
      case 'project':
        return sums.forProject(scope.id, scope.also, scope.excluded);
      case 'component':
        return sums.forComponent(scope.id);
      case 'translation':
        return sums.forTranslation(scope.id);
      case 'language':
        return sums.forLanguage(scope.code, scope.excluded);
      case 'projectLanguage':
        return sums.forProjectLanguage(scope.id, scope.code, scope.also, scope.excluded);
      case 'components':
        return sums.forComponents(scope.ids, scope.excluded);
    }
  }

  /**
   * Counters by language of a project and other components, ordered by language code.
   * @returns `stale`: earlier writes may be missing
   */
  async byLanguage(
    projectId: number,
    also: readonly number[],
    excluded: Exclusions,
    deadlineMs: number,
  ): Promise<{ languages: [string, Counters][]; stale: boolean }> {
    const stale = await this.settle(deadlineMs);
    const found = [...this.live.current.byLanguage(projectId, also, excluded)];
    return { languages: found.sort(([a], [b]) => (a < b ? -1 : 1)), stale };
  }

  /** Counters of the whole site. @returns `stale`: earlier writes may be missing */
  async site(
    deadlineMs: number,
  ): Promise<{ counters: Counters; translations: number; components: number; projects: number; stale: boolean }> {
    const stale = await this.settle(deadlineMs);
    const sums = this.live.current;
    return { counters: sums.forSite({ projects: new Set(), components: new Set() }), ...sums.sizes(), stale };
  }
}
