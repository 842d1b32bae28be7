import { BULK_QUERY_MS, isDuplicateKey, retried } from '@parlance/store-kit';
import { randomUUID } from 'node:crypto';
import { groupBy } from '../../domain/group-by';
import {
  BrokenIndexError,
  documentId,
  type IndexBlock,
  type IndexState,
  type OpenTranslation,
  type SearchIndexReader,
  type SearchIndexWriter,
  type UnitTexts,
} from '../../domain/search/ports';
import { decodeAmendments, decodeRuns, encodeAmendments, encodeRuns } from '../../domain/search/postings';
import type { StoredPart } from '../../domain/search/dictionary';
import { CheckedDocuments, checksum } from './checked-documents';
import { collectionOf } from '../collection';
import { flatMapDocuments } from '../documents';
import { acquireLease, releaseLease } from '../leases/lease';
import type { Models } from '../models';
import { unitIndexes, type UnitDocument } from '../schemas/unit';

const STATE = { _id: 'state' };
const LEASE = 'lease';
const BATCH = 500;
const TEXTS = { version: 1, translation: 1, source: 1, target: 1, context: 1 };

/**
 * Marks a translation as open, before its units are inserted or removed in bulk.
 * @param component absent: of a listed translation
 */
export async function openTranslation(
  model: Models['searchOpen'],
  { id, component }: { id: number; component?: number },
  removal = false,
): Promise<void> {
  const set = { mark: randomUUID(), time: Date.now(), ...(component === undefined ? {} : { component }) };
  await collectionOf(model).updateOne(
    { _id: id },
    removal
      ? { $set: { ...set, removal }, $unset: { abandoned: '' } }
      : { $set: set, $unset: { removal: '', abandoned: '' } },
    { upsert: true },
  );
}

/** The search index in Mongo. */
export class MongoSearchIndexStore implements SearchIndexReader, SearchIndexWriter {
  private readonly checked;

  constructor(
    private readonly models: Pick<
      Models,
      'units' | 'translations' | 'searchDocuments' | 'searchBlocks' | 'searchOpen' | 'searchState'
    >,
  ) {
    this.checked = new CheckedDocuments(this.documents);
  }

  private get units() {
    return collectionOf(this.models.units);
  }
  private get documents() {
    return collectionOf(this.models.searchDocuments);
  }
  private get blockDocuments() {
    return collectionOf(this.models.searchBlocks);
  }
  private get stateDocuments() {
    return collectionOf(this.models.searchState);
  }

  async state(): Promise<IndexState | null> {
    const d = await this.stateDocuments.findOne(STATE);
    return d && { ready: d.ready === true, since: d.since ?? 0, blocks: d.blocks ?? [] };
  }

  async freshUnits(limit: number): Promise<{ id: number; translation: number }[]> {
    const found = await this.units
      .find({ fresh: true }, { projection: { translation: 1 }, batchSize: limit, hint: unitIndexes.fresh })
      .limit(limit)
      .toArray();
    return found.map(({ _id, translation }) => ({ id: _id, translation }));
  }

  async openTranslations(): Promise<OpenTranslation[]> {
    const found = await collectionOf(this.models.searchOpen)
      .find({ abandoned: { $exists: false } })
      .toArray();
    return found.map(({ _id, mark, time, removal }) => ({ translation: _id, mark, time, removal: removal === true }));
  }

  async blockVersions(): Promise<Map<number, string>> {
    const found = await this.blockDocuments.find({}, { projection: { version: 1 }, batchSize: 10_000 }).toArray();
    return new Map(found.map(({ _id, version }) => [_id, version]));
  }

  async blocks(ids: readonly number[]): Promise<IndexBlock[]> {
    if (ids.length === 0) return [];
    const found = await this.blockDocuments.find({ _id: { $in: ids } }, { promoteBuffers: true }).toArray();
    return found.map(({ _id, version, generation, parts, runs, amendments, sum }) => {
      if (checksum(runs, amendments) !== sum) throw new BrokenIndexError(`search index: block ${_id} is invalid`);
      return {
        id: _id,
        version,
        generation,
        parts,
        runs: decodeRuns(runs),
        amendments: decodeAmendments(amendments),
      };
    });
  }

  async part(block: Pick<IndexBlock, 'id' | 'generation'>, part: number): Promise<StoredPart> {
    const [found] = await this.checked.many([documentId(block, String(part))]);
    if (!found?.starts) throw new BrokenIndexError('search index: a part of a dictionary is invalid');
    return { words: found.data, starts: found.starts };
  }

  async chunks(block: Pick<IndexBlock, 'id' | 'generation'>, keys: readonly string[]): Promise<Uint8Array[]> {
    const ids = keys.map((key) => documentId(block, key));
    return (await this.checked.many(ids)).map(({ data }) => data);
  }

  async requestRebuild(): Promise<void> {
    await this.stateDocuments.updateOne(STATE, { $set: { ready: false, since: 0 } });
  }

  lease(holder: string, forMs: number): Promise<boolean> {
    return acquireLease(this.stateDocuments, LEASE, holder, forMs);
  }

  releaseLease(holder: string): Promise<void> {
    return releaseLease(this.stateDocuments, LEASE, holder);
  }

  async createState(since: number): Promise<void> {
    await this.stateDocuments.insertOne({ ...STATE, ready: false, since, blocks: [] }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  async anyUnit(): Promise<boolean> {
    return (await this.units.findOne({}, { projection: { _id: 1 } })) !== null;
  }

  async beginBuild(): Promise<void> {
    await this.stateDocuments.updateOne(STATE, { $set: { ready: false, blocks: [] } });
    await this.blockDocuments.deleteMany({});
    await collectionOf(this.models.searchOpen).updateMany({ abandoned: true }, { $unset: { abandoned: '' } });
    const translations = await collectionOf(this.models.translations)
      .find({}, { projection: { _id: 1 }, batchSize: 10_000 })
      .toArray();
    const time = Date.now();
    const updates = translations.map(({ _id }) => ({
      updateOne: { filter: { _id }, update: { $set: { mark: randomUUID(), time } }, upsert: true },
    }));
    for (let at = 0; at < updates.length; at += BATCH)
      await retried(() =>
        collectionOf(this.models.searchOpen).bulkWrite(updates.slice(at, at + BATCH), { ordered: false }),
      );
    await this.stateDocuments.updateOne(STATE, { $set: { ready: true } });
  }

  freshTexts(limit: number): Promise<UnitTexts[]> {
    const cursor = this.units
      .find({ fresh: true }, { projection: TEXTS, batchSize: limit, maxTimeMS: BULK_QUERY_MS, hint: unitIndexes.fresh })
      .limit(limit);
    return flatMapDocuments(cursor, (d: UnitDocument) => [textsOf(d)]);
  }

  textsAfter(translation: number, after: number, limit: number): Promise<UnitTexts[]> {
    const cursor = this.units
      .find(
        { translation, _id: { $gt: after } },
        { projection: TEXTS, batchSize: limit, maxTimeMS: BULK_QUERY_MS, hint: unitIndexes.translation },
      )
      .sort({ _id: 1 })
      .limit(limit);
    return flatMapDocuments(cursor, (d: UnitDocument) => [textsOf(d)]);
  }

  async clearFresh(units: readonly Pick<UnitTexts, 'id' | 'version'>[]): Promise<void> {
    for (let at = 0; at < units.length; at += BATCH) {
      // One update for each version, because most units of a batch have one of a few versions.
      const byVersion = groupBy(units.slice(at, at + BATCH), ({ version }) => version);
      const updates = [...byVersion].map(([version, those]) => ({
        updateMany: { filter: { _id: { $in: those.map(({ id }) => id) }, version }, update: { $unset: { fresh: '' } } },
      }));
      await retried(() => this.units.bulkWrite(updates, { ordered: false }));
    }
  }

  async clearOpen({ translation, mark }: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void> {
    await collectionOf(this.models.searchOpen).deleteMany({ _id: translation, mark });
  }

  async abandonOpen({ translation, mark }: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void> {
    await collectionOf(this.models.searchOpen).updateMany({ _id: translation, mark }, { $set: { abandoned: true } });
  }

  async addDocuments(documents: readonly { id: string; data: Buffer; starts?: number[] }[]): Promise<void> {
    if (documents.length === 0) return;
    await this.documents.insertMany(
      documents.map(({ id, data, starts }) => ({ _id: id, data, sum: checksum(data), ...(starts ? { starts } : {}) })),
      { ordered: false },
    );
  }

  async replaceBlock(block: IndexBlock, version: string | null): Promise<boolean> {
    const runs = encodeRuns(block.runs);
    const amendments = encodeAmendments(block.amendments);
    const fields = {
      version: block.version,
      generation: block.generation,
      parts: block.parts,
      runs,
      amendments,
      sum: checksum(runs, amendments),
    };
    if (version !== null) {
      const { matchedCount } = await this.blockDocuments.updateOne({ _id: block.id, version }, { $set: fields });
      return matchedCount > 0;
    }
    // First the list: a block missing from it could be lost unnoticed.
    await this.stateDocuments.updateOne(STATE, { $addToSet: { blocks: block.id } });
    try {
      await this.blockDocuments.insertOne({ _id: block.id, ...fields });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async deleteGarbage(before: number): Promise<void> {
    const all = await this.documents.find({}, { projection: { _id: 1 }, batchSize: 10_000 }).toArray();
    const old = all.map(({ _id }) => _id).filter((id) => createdAt(id.split('.')[1]!) < before);
    if (old.length === 0) return;
    // Read after the documents: a generation that is current now may have been written in between.
    const blocks = await this.blockDocuments.find({}, { projection: { generation: 1 } }).toArray();
    const current = new Set(blocks.map(({ _id, generation }) => `${_id}.${generation}`));
    const garbage = old.filter((id) => !current.has(id.split('.').slice(0, 2).join('.')));
    for (let at = 0; at < garbage.length; at += BATCH)
      await this.documents.deleteMany({ _id: { $in: garbage.slice(at, at + BATCH) } });
  }
}

/** Time of a generation, in milliseconds since the epoch. */
const createdAt = (generation: string): number => parseInt(generation.split('-')[0]!, 36);

function textsOf(d: {
  _id: number;
  version: number;
  translation: number;
  source?: string[];
  target?: string[];
  context?: string | null | undefined;
}): UnitTexts {
  return {
    id: d._id,
    version: d.version,
    translation: d.translation,
    source: d.source ?? [],
    target: d.target ?? [],
    context: d.context ?? '',
  };
}
