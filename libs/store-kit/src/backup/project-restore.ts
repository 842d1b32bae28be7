import { ServiceError } from '@parlance/errors';
import { mongo, type Connection } from 'mongoose';
import { IdSequences } from '../ids';
import { BULK_QUERY_MS } from '../query-limits';
import { duplicatesIn, isDuplicateKey, retried } from '../writes/retry';
import type { BackupRules } from './backup-rules';
import { splitDocuments } from './store-backup';

/** A document of a backup. Its fields are those of its collection's schema. */
export type BackedUpDocument = Record<string, unknown>;

/** An id of a backup and the one of the restored object. */
export interface RestoredId {
  kind: string;
  from: string;
  to: string;
}

/** Ids of restored objects by kind and id in the backup. */
export class RestoredIds {
  private readonly kinds = new Map<string, Map<string, string>>();

  constructor(ids: readonly RestoredId[] = []) {
    this.add(ids);
  }

  add(ids: readonly RestoredId[]): void {
    for (const { kind, from, to } of ids) {
      const known = this.kinds.get(kind);
      if (known) known.set(from, to);
      else this.kinds.set(kind, new Map([[from, to]]));
    }
  }

  has(kind: string, id: unknown): boolean {
    return this.kinds.get(kind)?.has(String(id)) ?? false;
  }

  /** The new number; undefined for an object that is not restored. */
  number(kind: string, id: unknown): number | undefined {
    const found = this.kinds.get(kind)?.get(String(id));
    return found === undefined ? undefined : Number(found);
  }

  /** New numbers of a kind. */
  numbers(kind: string): number[] {
    return [...(this.kinds.get(kind)?.values() ?? [])].map(Number);
  }

  /**
   * A copy with new ids at some fields; 0 stands for no object and stays.
   * @param fields kinds by field
   * @returns undefined if an object is not restored
   */
  moved(document: BackedUpDocument, fields: Readonly<Record<string, string>>): BackedUpDocument | undefined {
    const copy = { ...document };
    for (const [field, kind] of Object.entries(fields)) {
      if (copy[field] === 0) continue;
      const id = this.number(kind, copy[field]);
      if (id === undefined) return undefined;
      copy[field] = id;
    }
    return copy;
  }
}

/** Treatment of a document in the restore of a project. */
export type ProjectWrite =
  | { insert: BackedUpDocument }
  /** Inserts it unless an equal one is stored. */
  | { insertMissing: BackedUpDocument }
  /** Stored data survives the deletion of a project: replaces the document if the filter matches it, otherwise inserts it. */
  | { replace: BackedUpDocument; filter: object }
  | { update: object; filter: object };

/** How documents of a collection are restored with a project. */
export interface ProjectRule {
  /** Collection that stores the result; default: the same. */
  into?: string;
  /** Documents get new ids of this sequence, which no other document names. */
  ownIds?: string;
  /** Documents get new ids of this kind from this sequence. */
  newIds?: { kind: string; sequence: string; belongs: (document: BackedUpDocument, ids: RestoredIds) => boolean };
  /** Undefined: the document is not part of the project. */
  write: (document: BackedUpDocument, ids: RestoredIds) => ProjectWrite | undefined;
  /** Ids of other data that is selected by this document. */
  refersTo?: (document: BackedUpDocument) => RestoredId[];
  /** Selects the documents of a project. They keep their ids, so the deletion of the project must be complete. */
  ofProject?: (project: number) => object;
  /** Called before documents are inserted, and after it. */
  around?: (ids: RestoredIds) => Promise<void>;
}

/** In the order in which they are loaded. */
export type ProjectRules = Readonly<Record<string, ProjectRule>>;

const BATCH = 1_000;
/** Ids are allocated in blocks of this size. */
const ID_BLOCK = 100;
const VALUES = { promoteBuffers: false, bsonRegExp: true } as const;

/** Restores documents of one project into the collections of a store in use. */
export class ProjectRestore {
  private readonly ids: IdSequences;

  /**
   * @param backupRules those of the same store
   * @param finish completes the project; see FinishProject
   * @throws if no rule decides about a collection, so that none is forgotten
   */
  constructor(
    private readonly connection: Connection,
    private readonly rules: ProjectRules,
    backupRules: BackupRules,
    readonly finish: (project: number) => Promise<void> = () => Promise.resolve(),
  ) {
    const undecided = Object.entries(backupRules).filter(
      ([name, rule]) => rule.copied && rule.ofNoProject === undefined && !Object.hasOwn(rules, name),
    );
    if (undecided.length > 0)
      throw new Error(
        `backup: no rule decides whether these collections belong to projects: ${undecided.map(([name]) => name).join(', ')}`,
      );
    this.ids = new IdSequences(connection.collection('counters'), { blocks: { size: ID_BLOCK, of: 'all' } });
  }

  get collections(): { name: string; allocates: boolean }[] {
    return Object.entries(this.rules).map(([name, { newIds }]) => ({ name, allocates: newIds !== undefined }));
  }

  private collection(name: string): mongo.Collection<BackedUpDocument> {
    return this.connection.db!.collection<BackedUpDocument>(name);
  }

  /** Collections in which documents of deleted projects are left. */
  async remaining(projects: readonly number[]): Promise<string[]> {
    const found = await Promise.all(
      Object.entries(this.rules).flatMap(([name, { ofProject }]) =>
        ofProject
          ? projects.map(async (project) => {
              const options = { projection: { _id: 1 }, maxTimeMS: BULK_QUERY_MS };
              return (await this.collection(name).findOne(ofProject(project), options)) ? [name] : [];
            })
          : [],
      ),
    );
    return [...new Set(found.flat())];
  }

  private ruleOf(name: string): ProjectRule {
    if (!Object.hasOwn(this.rules, name))
      throw new Error(`backup: the collection ${JSON.stringify(name)} is not restored with a project`);
    return this.rules[name]!;
  }

  /** Allocates new ids for the documents of the project. */
  async allocate(name: string, known: readonly RestoredId[], batches: AsyncIterable<Buffer>): Promise<RestoredId[]> {
    const ids = new RestoredIds(known);
    const { newIds } = this.ruleOf(name);
    if (!newIds) throw new Error(`backup: documents of ${JSON.stringify(name)} keep their ids`);
    const allocated: RestoredId[] = [];
    for await (const batch of documentsOf(batches)) {
      const own = batch.filter((document) => newIds.belongs(document, ids));
      for (const { _id } of own)
        allocated.push({ kind: newIds.kind, from: String(_id), to: String(await this.ids.next(newIds.sequence)) });
    }
    return allocated;
  }

  /** Stores the documents of the project. @throws CONFLICT if an id is in use */
  async load(
    name: string,
    known: readonly RestoredId[],
    batches: AsyncIterable<Buffer>,
  ): Promise<{ documents: number; ids: RestoredId[] }> {
    const ids = new RestoredIds(known);
    const { write, refersTo, around, into = name } = this.ruleOf(name);
    await around?.(ids);
    let count = 0;
    const referred: RestoredId[] = [];
    for await (const batch of documentsOf(batches)) {
      const writes: ProjectWrite[] = [];
      for (const document of batch) {
        const wanted = write(document, ids);
        if (!wanted) continue;
        if (refersTo) referred.push(...refersTo(document));
        writes.push(await this.withNewId(name, document, wanted, ids));
      }
      if (writes.length > 0) await this.store(into, writes);
      count += writes.length;
    }
    await around?.(ids);
    return { documents: count, ids: referred };
  }

  private async withNewId(
    name: string,
    document: BackedUpDocument,
    wanted: ProjectWrite,
    ids: RestoredIds,
  ): Promise<ProjectWrite> {
    const { newIds, ownIds } = this.ruleOf(name);
    const _id = newIds
      ? ids.number(newIds.kind, document['_id'])
      : ownIds === undefined
        ? undefined
        : await this.ids.next(ownIds);
    if (_id === undefined) return wanted;
    if ('insert' in wanted) return { insert: { ...wanted.insert, _id } };
    return 'insertMissing' in wanted ? { insertMissing: { ...wanted.insertMissing, _id } } : wanted;
  }

  private async store(name: string, writes: readonly ProjectWrite[]): Promise<void> {
    const collection = this.collection(name);
    const inserted = writes.flatMap((wanted) => ('insert' in wanted ? [wanted.insert] : []));
    const missing = writes.flatMap((wanted) => ('insertMissing' in wanted ? [wanted.insertMissing] : []));
    const changes = writes.flatMap((wanted): mongo.AnyBulkWriteOperation<BackedUpDocument>[] => {
      if ('replace' in wanted)
        return [{ replaceOne: { filter: wanted.filter, replacement: wanted.replace, upsert: true } }];
      return 'update' in wanted ? [{ updateOne: wanted }] : [];
    });
    if (missing.length > 0) await collection.insertMany(missing, { ordered: false }).catch(duplicatesIn);
    try {
      if (inserted.length > 0) await collection.insertMany(inserted, { ordered: false });
      if (changes.length > 0) await retried(() => collection.bulkWrite(changes, { ordered: false }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new ServiceError('CONFLICT', {
        message: `Ids of the project are in use in ${name}: the backup is one of another installation.`,
      });
    }
  }
}

async function* documentsOf(batches: AsyncIterable<Buffer>): AsyncGenerator<BackedUpDocument[]> {
  for await (const bytes of batches) {
    const all = [...splitDocuments(bytes)];
    for (let at = 0; at < all.length; at += BATCH)
      yield all.slice(at, at + BATCH).map((document) => mongo.BSON.deserialize(document, VALUES));
  }
}

/** A document of a backup. */
export const readDocument = (bytes: Buffer): BackedUpDocument => mongo.BSON.deserialize(bytes, VALUES);
