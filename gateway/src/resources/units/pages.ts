import { countLookup } from '@parlance/telemetry';
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
  /** Version of the translation in the page. */
  version: number;
  total: number;
  /** Items as compact JSON, split at the base of addresses, because each request may use another host. */
  results: string[];
}

/** Bytes of cached pages and their keys. */
const CAPACITY = 64 * 1024 * 1024;

/** Placeholder for the base of addresses in cached pages; random, so that no stored text contains it. */
const BASE = `https://${randomUUID()}.invalid`;

/** Memory overhead of each part of a page, in bytes. */
const PART_BYTES = 32;

/** Memory of a text, in bytes. */
const bytesOf = (text: string): number => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length;

/**
 * Cache of serialized pages of units by version of their translation. The translation service validates the version, so a
 * cached page is never outdated. The key contains everything else that a page depends on (slugs, labels).
 */
const kept = new LRUCache<string, KeptPage>({
  maxSize: CAPACITY,
  sizeCalculation: ({ results }, key) =>
    results.reduce((sum, part) => sum + bytesOf(part) + PART_BYTES, 0) + bytesOf(key) + 200,
});

/** The call with placeholder addresses. */
const withBase = (call: Call): Call => Object.create(call, { links: { value: new Links(BASE) } }) as Call;

/** A page of units of the translation in the path. */
export async function listUnits(call: Call): Promise<Reply> {
  const asked = readPage(call.query, unitPages);
  const q = call.query.get('q') ?? '';
  const fetch = (page: { page: number; pageSize: number }, knownVersion = 0) =>
    call.clients.translation.listUnits({ page, translationId: call.translationKey.id, q, knownVersion }, call.options);
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
  // Queries can be long, so keys are hashed.
  const key = hash(
    'sha256',
    JSON.stringify([call.translationKey.id, page, pageSize, q, call.options.catalogGeneration]),
    'base64',
  );
  const cached = kept.get(key);
  const answer = await fetch({ page, pageSize }, cached?.version);
  let known = countLookup('unit-pages', answer.unchanged ? cached : undefined);
  if (!known) {
    known = {
      version: answer.version,
      total: answer.total,
      results: (await toJson(await presentUnits(withBase(call), answer.units))).split(BASE),
    };
    if (answer.version > 0) kept.set(key, known);
  }
  const { total } = known;
  const results = known.results.join(JSON.stringify(call.links.base).slice(1, -1));
  if (page > Math.max(1, Math.ceil(total / pageSize))) throw notFound('Invalid page.');
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
