import { LRUCache } from 'lru-cache';
import { hash, randomUUID } from 'node:crypto';
import type { Call, Reply } from '../../routing/call';
import { notFound } from '../../responses/errors';
import { list } from '../../responses/lists';
import { toJson } from '../../responses/render';
import { envelope, readPage, unitPages } from '../../responses/paging';
import { Links } from '../../responses/links';
import { presentUnits } from '../shared';

interface KeptPage {
  /** Version of the translation that the page shows. */
  version: number;
  total: number;
  /** The items as compact JSON, cut where the base of an address stands: each request may name another host. */
  results: string[];
}

/** Bytes of pages and their keys that are kept in memory. */
const CAPACITY = 64 * 1024 * 1024;

/** Stands for the base of addresses in pages that are kept; no text that somebody wrote can hold it. */
const BASE = `https://${randomUUID()}.invalid`;

/** What each part of a page takes beside its text. */
const PART_BYTES = 32;

/** What a text takes in memory. */
const bytesOf = (text: string): number => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length;

/**
 * Pages of units as they go out, under the translation's version: the translation service says whether that still holds, so a kept
 * page is never an old one. What else a page depends on (slugs, labels) is part of its key.
 */
const kept = new LRUCache<string, KeptPage>({
  maxSize: CAPACITY,
  sizeCalculation: ({ results }, key) =>
    results.reduce((sum, part) => sum + bytesOf(part) + PART_BYTES, 0) + bytesOf(key) + 200,
});

/** The call with addresses that are valid for no host. */
const withBase = (call: Call): Call => Object.create(call, { links: { value: new Links(BASE) } }) as Call;

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
  // Queries can be long.
  const key = hash(
    'sha256',
    JSON.stringify([call.translation.id, page, pageSize, q, call.options.catalogGeneration]),
    'base64',
  );
  let known = kept.get(key);
  const answer = await fetch({ page, pageSize }, known?.version);
  if (!known || !answer.unchanged) {
    known = {
      version: answer.version,
      total: answer.total,
      results: (await toJson(await presentUnits(withBase(call), answer.units))).split(BASE),
    };
    if (answer.version > 0) kept.set(key, known);
  }
  const { total } = known;
  const results = known.results.join(JSON.stringify(call.links.base).slice(1, -1));
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
