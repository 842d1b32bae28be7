import type { ContentGenerations } from '../../src/domain/ports';

/** For tests without gateways, which keep replies. */
export const uncached: ContentGenerations = { changed: async () => undefined };
