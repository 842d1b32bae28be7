import type { Redis } from './connect';
import { newGeneration } from './generations';

/**
 * What a kept reply shows the contents of: the whole site, a project or a component; or the entries of the translation memory. Contents are
 * strings, history, counters, screenshots, fonts and the state of repositories. Each scope has a generation, which every write of its contents replaces.
 */
export type ContentScope = 'site' | `project:${number}` | `component:${number}` | 'memory';

/** Where contents changed; 0: in no project, in no component. */
export interface ContentPlace {
  project: number;
  component: number;
}

const keyOf = (scope: ContentScope): string => `parlance:contents:${scope}`;

/** Keys whose values `admit` returns, in this order. */
export const contentKeys = (scopes: readonly ContentScope[]): string[] => scopes.map(keyOf);

/** Gives a scope its first generation. Until then, nothing about its contents can be kept. */
export async function beginGeneration(redis: Redis, scope: ContentScope): Promise<void> {
  await redis.set(keyOf(scope), newGeneration(), 'NX').catch(() => undefined);
}

/** Interval between attempts to replace generations that Redis did not accept, in milliseconds. */
const RETRY_MS = 500;

/** Replaces the generations of contents after their writes. */
export class ContentGenerations {
  /** Scopes whose generations Redis did not accept. */
  private readonly failed = new Set<ContentScope>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Pick<Redis, 'mset' | 'status'>,
    private readonly retryMs = RETRY_MS,
  ) {}

  /**
   * Invalidates the kept replies about the contents of these places, in all gateways. Called after a write and before its response, so
   * that the next request sees the write. Does not fail: without Redis, the generations are replaced as soon as it is back.
   */
  async changed(places: readonly ContentPlace[]): Promise<void> {
    const scopes = new Set<ContentScope>(places.length > 0 ? ['site'] : []);
    for (const { project, component } of places) {
      if (project) scopes.add(`project:${project}`);
      if (component) scopes.add(`component:${component}`);
    }
    await this.replace(scopes);
  }

  /** The same for replies about the translation memory. */
  async memoryChanged(): Promise<void> {
    await this.replace(new Set(['memory']));
  }

  private async replace(scopes: ReadonlySet<ContentScope>): Promise<void> {
    if (scopes.size === 0) return;
    const generation = newGeneration();
    try {
      await this.redis.mset(...[...scopes].flatMap((scope) => [keyOf(scope), generation]));
    } catch {
      for (const scope of scopes) this.failed.add(scope);
      this.timer ??= setTimeout(() => void this.retry(), this.retryMs).unref();
    }
  }

  private async retry(): Promise<void> {
    this.timer = undefined;
    if (this.redis.status === 'end') return;
    const scopes = new Set(this.failed);
    this.failed.clear();
    await this.replace(scopes);
  }
}
