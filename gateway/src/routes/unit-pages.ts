import { LRUCache } from 'lru-cache';
import type { Call, Reply } from '../http/call';
import { notFound } from '../http/errors';
import { list } from '../http/lists';
import { envelope, readPage, unitPages } from '../http/paging';
import { presentUnits } from './shared';

interface KeptPage {
  /** Version of the translation that the page shows. */
  version: number;
  total: number;
  /** The items as compact JSON. */
  results: string;
}

/** Characters of pages that are kept in memory. */
const CAPACITY = 64 * 1024 * 1024;

/**
 * Pages of units as they go out, under the translation's version: the translation service says whether that still holds, so a kept
 * page is never an old one. What else a page depends on (addresses, slugs, labels) is part of its key.
 */
const kept = new LRUCache<string, KeptPage>({
  maxSize: CAPACITY,
  sizeCalculation: (page) => page.results.length + 200,
});

/** A page of the units of the translation that the path names. */
export async function listUnits(call: Call): Promise<Reply> {
  const asked = readPage(call.query, unitPages);
  const q = call.query.get('q') ?? '';
  const fetch = (page: { page: number; pageSize: number }, knownVersion = 0) =>
    call.clients.translation.listUnits({ page, translationId: call.translation.id, q, knownVersion }, call.options);
  if (asked.page === 'last') {
    const present = (items: Awaited<ReturnType<typeof fetch>>['units']) => presentUnits(call, items);
    return list(
      call,
      unitPages,
      async (page) => {
        const answer = await fetch(page);
        return { items: answer.units, total: answer.total };
      },
      present,
    );
  }
  const { page, pageSize } = asked;
  const key = JSON.stringify([call.translation.id, page, pageSize, q, call.links.base, call.options.catalogGeneration]);
  let known = kept.get(key);
  const answer = await fetch({ page, pageSize }, known?.version);
  if (!known || !answer.unchanged) {
    known = {
      version: answer.version,
      total: answer.total,
      results: JSON.stringify(await presentUnits(call, answer.units)),
    };
    if (answer.version > 0) kept.set(key, known);
  }
  const { total, results } = known;
  if (page > Math.max(1, Math.ceil(total / pageSize))) throw notFound('This is no valid page.');
  const query = new URLSearchParams(call.query);
  query.delete('format');
  const outer = envelope(call.url, query, page, pageSize, total, []);
  return {
    prepared: {
      json: `${JSON.stringify({ count: outer.count, next: outer.next, previous: outer.previous }).slice(0, -1)},"results":${results}}`,
      data: () => ({ ...outer, results: JSON.parse(results) as unknown[] }),
    },
  };
}
