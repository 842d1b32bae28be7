import type { translation as proto } from '@parlance/contracts';
import { countLookup } from '@parlance/telemetry';
import { LRUCache } from 'lru-cache';
import { hash, randomUUID } from 'node:crypto';
import type { Call, Reply } from '../../routing/call';
import { componentTarget, requireVisible } from '../../access/access';
import { idParam } from '../../bodies/input';
import { MAX_AGE_MS } from '../../directory/max-age';
import { notFound } from '../../responses/errors';
import { list } from '../../responses/lists';
import { jsonOfItems } from '../../responses/render';
import { envelope, readPage, unitPages } from '../../responses/paging';
import { Links } from '../../responses/links';
import { presentUnits } from '../shared';

/** A unit of a cached page. */
interface KeptUnit {
  id: number;
  version: number;
  position: number;
  /** Compact JSON, split at the base of addresses, because each request may use another host. */
  json: string[];
}

interface KeptPage {
  /** Version of the translation in the page. */
  version: number;
  total: number;
  units: KeptUnit[];
  /** Catalog generation under which it was read. */
  catalog: string;
  componentId: number;
  /** Generation of the component's contents under which the page was read last, and when, in milliseconds; absent: unknown. */
  read?: { generation: string; at: number };
}

interface PageNumber {
  page: number;
  pageSize: number;
}

/** Bytes of cached pages and their keys. */
const CAPACITY = 64 * 1024 * 1024;

/** Placeholder for the base of addresses in cached pages; random, so that no stored text contains it. */
const BASE = `https://${randomUUID()}.invalid`;

/** Memory overhead of each part of a unit, and of each unit, in bytes. */
const PART_BYTES = 32;
const UNIT_BYTES = 100;

/** Memory of a text, in bytes. */
const bytesOf = (text: string): number => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length;

const bytesOfUnit = ({ json }: KeptUnit): number =>
  json.reduce((sum, part) => sum + bytesOf(part) + PART_BYTES, UNIT_BYTES);

/**
 * Cache of serialized pages of units by version of their translation. The translation service validates the version, so a
 * cached page is never outdated; for a new version it returns the changed units. The key contains everything else that a page depends
 * on (slugs, labels).
 */
const kept = new LRUCache<string, KeptPage>({
  maxSize: CAPACITY,
  sizeCalculation: ({ units }, key) => units.reduce((sum, unit) => sum + bytesOfUnit(unit), 0) + bytesOf(key) + 200,
});

/** Units whose page is remembered. */
const MAX_UNITS = 50_000;

/** Keys of the cached pages that contain a unit. */
const pagesOfUnits = new LRUCache<number, string>({ max: MAX_UNITS });

/** The call with placeholder addresses. */
const withBase = (call: Call): Call => Object.create(call, { links: { value: new Links(BASE) } }) as Call;

/** Serializes units; those of hidden components are left out. */
async function keptUnits(call: Call, units: proto.Unit__Output[]): Promise<KeptUnit[]> {
  const presented = await presentUnits(withBase(call), units);
  const json = await jsonOfItems(presented);
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  return presented.flatMap(({ id }, i) => {
    const unit = byId.get(Number(id));
    return unit ? [{ id: unit.id, version: unit.version, position: unit.position, json: json[i]!.split(BASE) }] : [];
  });
}

/** The page of a response, which may leave out units that the cached page has. */
async function completed(
  call: Call,
  answer: proto.ListUnitsResponse__Output,
  cached: KeptPage | undefined,
): Promise<KeptPage> {
  const units = await keptUnits(call, answer.units);
  const { version, total } = answer;
  const page = {
    version,
    total,
    catalog: call.options.catalogGeneration!,
    componentId: call.translationKey.componentId,
  };
  if (!cached || answer.unitIds.length === 0) return { ...page, units };
  const byId = new Map([...cached.units, ...units].map((unit) => [unit.id, unit]));
  return { ...page, units: answer.unitIds.flatMap((id) => byId.get(id) ?? []) };
}

/** Units of the translation in the path. @param cached a page, which the response completes */
function fetchUnits(call: Call, page: PageNumber, cached?: KeptPage) {
  return call.clients.translation.listUnits(
    {
      ...{ page, translationId: call.translationKey.id, q: searchOf(call) },
      ...(cached ? { knownVersion: cached.version, knownUnits: cached.units } : {}),
    },
    call.options,
  );
}

const searchOf = (call: Call): string => call.query.get('q') ?? '';

/** The cached page, without a call while the contents of the component are the same; else as the translation service completes it. */
async function currentPage(call: Call, { page, pageSize }: PageNumber): Promise<KeptPage> {
  // Queries can be long, so keys are hashed.
  const key = hash(
    'sha256',
    JSON.stringify([call.translationKey.id, page, pageSize, searchOf(call), call.options.catalogGeneration]),
    'base64',
  );
  const cached = kept.get(key);
  const { generation } = call.contents;
  if (cached && isCurrent(cached, generation)) {
    call.contents.useKept();
    countLookup('unit-pages', cached);
    return cached;
  }
  const answer = await fetchUnits(call, { page, pageSize }, cached);
  let known = countLookup('unit-pages', answer.unchanged ? cached : undefined);
  if (!known) {
    known = await completed(call, answer, cached);
    if (answer.version > 0) kept.set(key, known);
  }
  const current = known;
  if (generation !== undefined && answer.version > 0)
    call.contents.whenKept(() => {
      if (!current.read) rememberUnits(call, key, current);
      current.read = { generation, at: Date.now() };
    });
  return current;
}

/** Whether a page has the contents of a generation. A failover of Redis can lose generations, so it is read again after a while. */
const isCurrent = ({ read }: KeptPage, generation: string | undefined): boolean =>
  read !== undefined && read.generation === generation && Date.now() - read.at < MAX_AGE_MS;

/** Units of a page can be read from it. */
function rememberUnits({ directory }: Call, key: string, { units, componentId }: KeptPage): void {
  for (const { id } of units) {
    pagesOfUnits.set(id, key);
    directory.contents.record(`/api/units/${id}/`, `component:${componentId}`);
  }
}

/** The unit of the path from a cached page, while the contents have the generation under which the page was read. @throws NOT_FOUND */
export async function keptUnit(call: Call): Promise<Reply | undefined> {
  const id = idParam(call, 'unit');
  const page = kept.get(pagesOfUnits.get(id) ?? '');
  if (!page || !isCurrent(page, call.contents.generation) || page.catalog !== call.options.catalogGeneration)
    return undefined;
  const unit = page.units.find((one) => one.id === id);
  if (!unit) return undefined;
  const view = (await call.directory.componentsById([page.componentId])).get(page.componentId);
  if (!view) throw notFound();
  requireVisible(call, componentTarget(view));
  call.contents.show(`component:${page.componentId}`);
  call.contents.useKept();
  const json = unit.json.join(escapedBase(call));
  return { prepared: { json, data: () => JSON.parse(json) as unknown } };
}

/** The base of addresses, as it is within JSON. */
const escapedBase = ({ links }: Call): string => JSON.stringify(links.base).slice(1, -1);

/** A page of units of the translation in the path. */
export async function listUnits(call: Call): Promise<Reply> {
  const asked = readPage(call.query, unitPages);
  if (asked.page === 'last') {
    return list(
      call,
      unitPages,
      async (page) => {
        const answer = await fetchUnits(call, page);
        return { items: answer.units, total: answer.total };
      },
      (items: proto.Unit__Output[]) => presentUnits(call, items),
    );
  }
  const { page, pageSize } = asked;
  const { total, units } = await currentPage(call, { page, pageSize });
  const base = escapedBase(call);
  const results = `[${units.map(({ json }) => json.join(base)).join(',')}]`;
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
