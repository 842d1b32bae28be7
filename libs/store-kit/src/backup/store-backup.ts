import type { SecretBox } from '@parlance/secrets';
import { mongo, type Connection } from 'mongoose';
import { SCHEMA_COLLECTION } from '../migrations/migration';
import { BULK_QUERY_MS } from '../query-limits';
import { duplicatesIn, isDuplicateKey, retried, wasPartlyUndone } from '../writes/retry';
import type { BackupRules } from './backup-rules';
import { SealedTexts } from './sealed-texts';

/** Collection of the lease of backups, the marker of a load in progress, and the state of a project's restore. */
export const BACKUP_STATE = 'backup_state';
interface StateDocument {
  _id: 'lease' | 'load';
  holder: string;
  untilMs: number;
}

/** Size of a batch of a dump, in bytes. Larger documents are a batch of their own. */
const BATCH_BYTES = 512 * 1024;
/** Documents of a backlog that are named. */
const MAX_BACKLOG = 100;
/** Documents per request to the store. */
const BATCH_DOCUMENTS = 1_000;
/** Any integer of the store fits; values keep their BSON types. */
const EXACT = { promoteValues: false, promoteBuffers: false, promoteLongs: false, bsonRegExp: true } as const;

/** Splits bytes into their BSON documents: each begins with its length. @throws on damaged bytes */
export function* splitDocuments(bytes: Buffer): Generator<Buffer> {
  let at = 0;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0;
    if (length < 5 || at + length > bytes.length) throw new Error('the documents are damaged');
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

/** Dumps and loads the collections of a service's database. */
export class StoreBackup {
  readonly keyFingerprint: string;
  /** The texts that `secrets` sealed; undefined without it. */
  readonly sealed: SealedTexts | undefined;

  /**
   * @param secrets opens the sealed texts of documents
   * @throws if a model has no rule, so that no collection is forgotten
   */
  constructor(
    private readonly connection: Connection,
    private readonly rules: BackupRules,
    secrets?: SecretBox,
  ) {
    this.keyFingerprint = secrets?.fingerprints.join(',') ?? '';
    this.sealed = secrets && new SealedTexts(connection, rules, secrets);
    this.requireRules(Object.values(connection.models).map((model) => model.collection.name));
  }

  private requireRules(names: readonly string[]): void {
    const missing = names.filter((name) => !Object.hasOwn(this.rules, name));
    if (missing.length > 0)
      throw new Error(`backup: no rule decides whether these collections are copied: ${missing.join(', ')}`);
  }

  private get database(): mongo.Db {
    if (!this.connection.db) throw new Error('backup: the store is not connected');
    return this.connection.db;
  }

  private get state(): mongo.Collection<StateDocument> {
    return this.database.collection<StateDocument>(BACKUP_STATE);
  }

  /** @throws if the database has a collection without a rule */
  async collections(): Promise<{ name: string; copied: boolean; filled: boolean }[]> {
    const existing = await this.database.listCollections({}, { nameOnly: true }).toArray();
    const names = existing
      .map(({ name }) => name)
      .filter((name) => name !== BACKUP_STATE && name !== SCHEMA_COLLECTION && !name.startsWith('system.'));
    this.requireRules(names);
    return Promise.all(
      Object.entries(this.rules).map(async ([name, rule]) => {
        const limit = rule.copied ? (rule.initial ?? 0) + 1 : 1;
        const found = Number.isFinite(limit) ? await this.database.collection(name).countDocuments({}, { limit }) : 0;
        return { name, copied: rule.copied, filled: found === limit };
      }),
    );
  }

  /** Collections with writes in progress in the order of the rules, and the documents of those writes that may take longer than seconds. */
  async activity(): Promise<{ activity: string[]; backlog: string[] }> {
    const found = await Promise.all(
      Object.entries(this.rules).map(async ([name, rule]) => {
        const filters = rule.copied ? (rule.inProgress?.() ?? []) : [];
        const limit = rule.copied && rule.backlog ? MAX_BACKLOG : 1;
        const documents = await Promise.all(
          filters.map((filter) =>
            this.database
              .collection(name)
              .find(filter, { projection: { _id: 1 }, limit })
              .toArray(),
          ),
        );
        return { name, limit, ids: documents.flat().map(({ _id }) => String(_id)) };
      }),
    );
    const activity = found.filter(({ ids }) => ids.length > 0).map(({ name }) => name);
    const backlog = found.filter(({ limit }) => limit > 1).flatMap(({ name, ids }) => ids.map((id) => `${name} ${id}`));
    return { activity, backlog };
  }

  private requireCopied(name: string): void {
    if (!Object.hasOwn(this.rules, name) || !this.rules[name]!.copied)
      throw new Error(`backup: the collection ${JSON.stringify(name)} is not copied`);
  }

  /** All documents as BSON, in batches of about half a megabyte and in no particular order. It is no snapshot. */
  async *dump(name: string): AsyncGenerator<Buffer> {
    this.requireCopied(name);
    const options = { raw: true, batchSize: BATCH_DOCUMENTS, maxTimeMS: BULK_QUERY_MS };
    const cursor = this.database.collection(name).find({}, options);
    let batch: Buffer[] = [];
    let bytes = 0;
    // With `raw`, the cursor yields bytes; the driver's types do not say so.
    for await (const document of cursor as unknown as AsyncIterable<Buffer>) {
      batch.push(document);
      bytes += document.length;
      if (bytes < BATCH_BYTES) continue;
      yield Buffer.concat(batch);
      batch = [];
      bytes = 0;
    }
    if (bytes > 0) yield Buffer.concat(batch);
  }

  /** Id of the backup whose load has begun and not finished; '': none. */
  async loading(): Promise<string> {
    return (await this.state.findOne({ _id: 'load' }))?.holder ?? '';
  }

  /** Deletes all copied documents and marks the store as being loaded. */
  async beginLoad(backup: string): Promise<void> {
    await this.state.updateOne({ _id: 'load' }, { $set: { holder: backup, untilMs: 0 } }, { upsert: true });
    for (const [name, rule] of Object.entries(this.rules))
      if (rule.copied) await this.database.collection(name).deleteMany({});
  }

  /** Stores documents with the BSON types of their values. @returns their number */
  async load(name: string, batches: AsyncIterable<Buffer>): Promise<number> {
    this.requireCopied(name);
    let documents = 0;
    for await (const bytes of batches) {
      const all = [...splitDocuments(bytes)];
      for (let at = 0; at < all.length; at += BATCH_DOCUMENTS) {
        const batch = all.slice(at, at + BATCH_DOCUMENTS).map((document) => mongo.BSON.deserialize(document, EXACT));
        await this.insert(name, batch);
        documents += batch.length;
      }
    }
    return documents;
  }

  /**
   * Inserts documents. Those that the running service has made itself since `beginLoad`, such as the progress of periodic work, are replaced.
   */
  private async insert(name: string, documents: readonly mongo.BSON.Document[]): Promise<void> {
    const collection = this.database.collection(name);
    try {
      await collection.insertMany([...documents], { ordered: false });
    } catch (error) {
      if (!wasPartlyUndone(error)) duplicatesIn(error);
      const replacements = documents.map((replacement) => ({
        replaceOne: { filter: { _id: replacement['_id'] as never }, replacement, upsert: true },
      }));
      await retried(() => collection.bulkWrite(replacements, { ordered: false }));
    }
  }

  /** Empties derived collections, which may describe the store before the load, and removes the mark. */
  async finishLoad(): Promise<void> {
    for (const [name, rule] of Object.entries(this.rules))
      if (!rule.copied && rule.derived) await this.database.collection(name).deleteMany({});
    // The documents may be of an older version.
    await this.database.collection(SCHEMA_COLLECTION).deleteMany({});
    await this.state.deleteMany({ _id: 'load' });
  }

  /** Acquires or renews the lease of backups. @returns false: another holder has it */
  async holdLease(holder: string, durationMs: number): Promise<boolean> {
    const now = Date.now();
    try {
      await this.state.updateOne(
        { _id: 'lease', $or: [{ holder }, { untilMs: { $lt: now } }] },
        { $set: { holder, untilMs: now + durationMs } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async releaseLease(holder: string): Promise<void> {
    await this.state.deleteMany({ _id: 'lease', holder });
  }
}
