import { driverCollection, duplicatesIn, retried } from '@parlance/store-kit';
import type { mongo } from 'mongoose';
import { ADDED, columnOf, columnOfExtra, groups, type Snapshot } from '../domain/counters';
import type { KnownObject, SnapshotStore, StoredFact } from '../domain/ports';
import { REMOVED_REVISION, type Models, type ObjectDocument, type SnapshotDocument } from './models';

const keyOf = (object: Pick<KnownObject, 'kind' | 'id'>) => `${object.kind}:${object.id}`;

function toFields(s: Snapshot): Omit<SnapshotDocument, '_id'> {
  const n = s.counters.added;
  const triple = (at: number): [number, number, number] => [n[at]!, n[at + 1]!, n[at + 2]!];
  return {
    component: s.componentId,
    project: s.projectId,
    language: s.languageCode,
    revision: s.revision,
    groups: Object.fromEntries(groups.map((g) => [g, triple(columnOf(g))])) as SnapshotDocument['groups'],
    checks: n[columnOfExtra('checks')]!,
    contentChanges: n[columnOfExtra('contentChanges')]!,
    lastChange: s.counters.lastChange,
    lastAuthor: s.counters.lastAuthor,
    lastAuthorId: s.counters.lastAuthorId,
  };
}

function fromDocument(d: SnapshotDocument): Snapshot {
  const added = new Array<number>(ADDED).fill(0);
  for (const g of groups) d.groups?.[g]?.forEach((value, i) => (added[columnOf(g) + i] = value));
  added[columnOfExtra('checks')] = d.checks ?? 0;
  added[columnOfExtra('contentChanges')] = d.contentChanges ?? 0;
  added[columnOfExtra('translationIds')] = d._id;
  return {
    translationId: d._id,
    componentId: d.component,
    projectId: d.project,
    languageCode: d.language,
    revision: d.revision,
    counters: {
      added,
      lastChange: d.lastChange ?? 0,
      lastAuthor: d.lastAuthor ?? '',
      lastAuthorId: d.lastAuthorId ?? 0,
    },
  };
}

/** Fields that a removal unsets. */
const emptied = {
  groups: '',
  checks: '',
  contentChanges: '',
  lastChange: '',
  lastAuthor: '',
  lastAuthorId: '',
} as const;

type Documents<D extends mongo.Document> = Pick<mongo.Collection<D>, 'bulkWrite'>;
type Upsert<D extends mongo.Document> = Pick<mongo.UpdateOneModel<D>, 'filter' | 'update'>;

/** Updates or inserts documents with one statement. */
function upsert<D extends mongo.Document>(documents: Documents<D>, updates: readonly Upsert<D>[]) {
  const writes = updates.map((update) => ({ updateOne: { ...update, upsert: true } }));
  return retried(() => documents.bulkWrite(writes, { ordered: false }));
}

/** Snapshots in MongoDB. */
export class MongoSnapshotStore implements SnapshotStore {
  constructor(private readonly models: Models) {}

  async save(snapshots: readonly Snapshot[]): Promise<void> {
    if (snapshots.length === 0) return;
    // If a newer snapshot or a tombstone is stored, the filter does not match: the upsert becomes an insert that fails with a duplicate
    // key. Those are exactly the snapshots that must not be stored.
    const updates = snapshots.map((s) => ({
      filter: { _id: s.translationId, revision: { $lt: s.revision } },
      update: { $set: toFields(s) },
    }));
    await upsert(driverCollection(this.models.snapshots), updates).catch(duplicatesIn);
    await this.removeLatecomers(snapshots);
  }

  /**
   * Another process may have removed the component or project since the event. A removal stores its tombstone before it empties snapshots,
   * and a writer checks tombstones after it stored a snapshot. So a concurrent removal or writer always detects the conflict.
   */
  private async removeLatecomers(snapshots: readonly Snapshot[]): Promise<void> {
    const keys = new Set(
      snapshots.flatMap((s) => [
        keyOf({ kind: 'component', id: s.componentId }),
        keyOf({ kind: 'project', id: s.projectId }),
      ]),
    );
    const removed = await this.models.objects
      .find({ _id: { $in: [...keys] }, removedAt: { $exists: true } }, { kind: 1, object: 1 })
      .lean<ObjectDocument[]>();
    for (const o of removed) await this.emptySnapshots({ [o.kind]: o.object });
  }

  private async emptySnapshots(filter: object): Promise<void> {
    await driverCollection(this.models.snapshots).updateMany(
      { ...filter, revision: { $lt: REMOVED_REVISION } },
      { $set: { revision: REMOVED_REVISION, removedAt: new Date() }, $unset: emptied },
    );
  }

  async addObjects(objects: readonly KnownObject[]): Promise<void> {
    if (objects.length === 0) return;
    const updates = objects.map((o) => ({
      filter: { _id: keyOf(o) },
      update: { $setOnInsert: { kind: o.kind, object: o.id, project: o.projectId } },
    }));
    await upsert(driverCollection(this.models.objects), updates).catch(duplicatesIn);
  }

  async removeTranslations(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const removedAt = new Date();
    const updates = ids.map((id) => ({
      filter: { _id: id },
      update: { $set: { revision: REMOVED_REVISION, removedAt }, $unset: emptied },
    }));
    await upsert(driverCollection(this.models.snapshots), updates);
  }

  async removeObjects(objects: readonly KnownObject[]): Promise<void> {
    const removedAt = new Date();
    for (const o of objects) {
      await driverCollection(this.models.objects).updateOne(
        { _id: keyOf(o) },
        { $set: { kind: o.kind, object: o.id, project: o.projectId, removedAt } },
        { upsert: true },
      );
      if (o.kind === 'project')
        await driverCollection(this.models.objects).updateMany(
          { project: o.id, removedAt: { $exists: false } },
          { $set: { removedAt } },
        );
      await this.emptySnapshots({ [o.kind]: o.id });
    }
  }

  async *load(): AsyncGenerator<StoredFact> {
    for await (const o of this.models.objects.find().lean<ObjectDocument[]>().cursor({ batchSize: 5000 })) {
      const object = { kind: o.kind, id: o.object, projectId: o.project };
      yield { fact: o.removedAt ? 'removedObject' : 'object', object };
    }
    for await (const d of this.models.snapshots.find().lean<SnapshotDocument[]>().cursor({ batchSize: 5000 })) {
      yield d.removedAt ? { fact: 'removedTranslation', id: d._id } : { fact: 'snapshot', snapshot: fromDocument(d) };
    }
  }
}
