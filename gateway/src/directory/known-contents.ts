import type { Admission, ContentScope } from '@parlance/redis';
import { LRUCache } from 'lru-cache';

/** Contents that a path is known to show, and their generation; undefined: unknown. */
export interface ExpectedContents {
  scope?: ContentScope | undefined;
  generation?: string | undefined;
}

/** Paths whose scope is remembered. */
const MAX_PATHS = 50_000;
/** Scopes whose generation is remembered. */
const MAX_SCOPES = 20_000;

/**
 * The contents that paths show, and the generations of contents as Redis returned them last. The generation of a request is that which Redis
 * returns with its count; an earlier one only tells what may be prepared before.
 */
export class KnownContents {
  private readonly scopes = new LRUCache<string, ContentScope>({ max: MAX_PATHS });
  private readonly latest = new LRUCache<ContentScope, string>({ max: MAX_SCOPES });
  /** Requests without an answer of Redis: writes during an outage may have left their generations unchanged. */
  private outages = 0;

  /** What a path shows, as far as earlier requests tell. @param path without the query */
  expect(path: string): ExpectedContents {
    const scope = this.scopes.get(path);
    return { scope, generation: scope && this.latest.get(scope) };
  }

  record(path: string, scope: ContentScope): void {
    this.scopes.set(path, scope);
  }

  /**
   * @param contents generations as Redis returned them for the scope
   * @returns the scope with the generation under which its replies may be kept
   */
  observe(scope: ContentScope | undefined, contents: Admission['contents']): ExpectedContents {
    if (!contents) {
      // No reply that was kept before is used again.
      this.outages++;
      this.latest.clear();
    }
    const generation = contents?.[0];
    if (!scope || !generation) return { scope };
    const current = `${this.outages} ${generation}`;
    this.latest.set(scope, current);
    return { scope, generation: current };
  }

  /** Called when paths may name other objects. */
  forgetPaths(): void {
    this.scopes.clear();
  }
}
