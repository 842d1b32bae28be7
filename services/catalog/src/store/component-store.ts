import { randomUUID } from 'node:crypto';
import type { OutgoingEvent } from '@parlance/events';
import { driverCollection } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import type { Component } from '../domain/objects';
import type { ComponentStore, Stamped } from '../domain/ports';
import type { ComponentDocument, Models, WithOrder } from './models';
import { copyComponentSettings } from './settings-fields';
import { removedName, translatingDuplicates, writeStamp } from './store-writes';

const FIELDS = ['slug', 'name'] as const;

/** Timeout of the write that a hold protects, in milliseconds. */
const HOLD_MS = 60_000;

function fromDocument(d: ComponentDocument): Component {
  return {
    id: d._id,
    version: d.version,
    createdMs: d.createdMs,
    projectId: d.projectId,
    categoryId: d.categoryId,
    linkedId: d.linkedId,
    sourceLanguage: d.sourceLanguage,
    settings: copyComponentSettings(d.settings),
    repoSecret: d.repoSecret,
    pushSecret: d.pushSecret,
    branchIsDefault: d.branchIsDefault,
    repoKeys: d.repoKeys,
    locked: d.locked,
    lockReason: d.lockReason,
    taskId: d.taskId,
    links: d.links,
    languages: d.languages,
  };
}

/**
 * Components in MongoDB. Repositories are shared at most one level deep, also when several components are linked concurrently. A new link
 * first puts a hold on the owner, which requires that the owner has its own repository. A held or shared owner cannot be linked itself, and
 * its version reveals holds that were added after it was read.
 */
export class MongoComponentStore implements ComponentStore {
  constructor(private readonly model: Models['nodes']) {}

  private get collection() {
    return driverCollection<ComponentDocument>(this.model);
  }

  async get(id: number): Promise<Component | null> {
    const d = await this.model.findOne({ _id: id, kind: 'component' }).lean<ComponentDocument>();
    return d && fromDocument(d);
  }

  async bySlug(projectId: number, categoryId: number, slug: string): Promise<Component | null> {
    const d = await this.model
      .findOne({ projectId, categoryId, 'settings.slug': slug, kind: 'component' })
      .lean<ComponentDocument>();
    return d && fromDocument(d);
  }

  async byIds(ids: readonly number[]): Promise<Component[]> {
    return (await this.stamped(ids)).map((s) => s.object);
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Component>[]> {
    if (ids.length === 0) return [];
    const filter = { _id: { $in: [...ids] }, kind: 'component' as const };
    const found = await this.collection
      .find(filter, { projection: { outbox: 0 }, batchSize: ids.length + 1, sort: { _id: 1 } })
      .toArray();
    return found.map((d) => ({ stamp: d.stamp, object: fromDocument(d) }));
  }

  private async all(filter: object): Promise<Component[]> {
    return (await this.model.find(filter).sort({ _id: 1 }).lean<ComponentDocument[]>()).map(fromDocument);
  }

  async linkedInto(projectId: number): Promise<number[]> {
    const found = await this.collection
      .find({ links: projectId, kind: 'component' }, { projection: { _id: 1 }, sort: { _id: 1 } })
      .toArray();
    return found.map((d) => d._id);
  }

  async sharing(ids: readonly number[]): Promise<Component[]> {
    return ids.length === 0 ? [] : this.all({ linkedId: { $in: ids }, kind: 'component' });
  }

  async byKeys(keys: readonly string[] | null, projectId: number): Promise<Component[]> {
    if (keys?.length === 0) return [];
    return this.all({
      kind: 'component',
      linkedId: 0,
      'settings.vcs': { $ne: 'local' },
      ...(keys ? { repoKeys: { $in: keys } } : {}),
      ...(projectId ? { projectId } : {}),
    });
  }

  async isShared(id: number): Promise<boolean> {
    // Checks holds first: a hold is removed only after its write is stored.
    return (
      (await this.model.exists({ _id: id, 'holds.untilMs': { $gt: Date.now() } })) !== null ||
      (await this.model.exists({ linkedId: id, kind: 'component' })) !== null
    );
  }

  /**
   * Runs a write that links to another component's repository while a hold keeps that component from being linked.
   * @returns false if the other component shares a repository itself or was deleted
   */
  private async withHold(ownerId: number, write: () => Promise<boolean>): Promise<boolean> {
    if (ownerId === 0) return write();
    const hold = { key: randomUUID(), untilMs: Date.now() + HOLD_MS };
    const held = await this.collection.updateOne(
      { _id: ownerId, kind: 'component', linkedId: 0 },
      // The version changes, so concurrent writes based on the owner without the hold lose their race.
      { $inc: { version: 1 }, $push: { holds: hold } },
    );
    if (held.matchedCount === 0) return false;
    try {
      return await write();
    } finally {
      await this.collection
        .updateOne({ _id: ownerId }, { $pull: { holds: { key: hold.key } } })
        .catch((error: unknown) => logger.warn({ err: error, component: ownerId }, 'hold: not removed; it expires'));
    }
  }

  /** @param order tree version to store in the document */
  async insert({ id, ...rest }: Component, events: readonly OutgoingEvent[], order: WithOrder = {}): Promise<boolean> {
    const document = { _id: id, kind: 'component' as const, ...rest, ...order, ...writeStamp(), outbox: [...events] };
    return this.withHold(rest.linkedId, async () => {
      await translatingDuplicates(FIELDS, () => this.collection.insertOne(document));
      return true;
    });
  }

  async replace(
    { id, languages: _languages, taskId: _taskId, ...rest }: Component,
    events: readonly OutgoingEvent[],
    order: WithOrder = {},
  ): Promise<boolean> {
    const linksAnew = rest.linkedId !== 0 && !(await this.model.exists({ _id: id, linkedId: rest.linkedId }));
    return this.withHold(linksAnew ? rest.linkedId : 0, async () => {
      // Languages and the running task are updated by other writes, which do not increment the version.
      const result = await translatingDuplicates(FIELDS, () =>
        this.collection.updateOne(
          { _id: id, version: rest.version - 1, kind: 'component' },
          { $set: { ...rest, ...order, ...writeStamp() }, $push: { outbox: { $each: [...events] } } },
        ),
      );
      return result.matchedCount === 1;
    });
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = removedName(id);
    const result = await this.collection.updateOne(
      { _id: id, kind: 'component' },
      {
        $set: {
          ...writeStamp(),
          kind: 'removed',
          'settings.name': name,
          'settings.slug': name,
          repoSecret: '',
          pushSecret: '',
          repoKeys: [],
          links: [],
          linkedId: 0,
        },
        $push: { outbox: { $each: [...events] } },
      },
    );
    return result.matchedCount === 1;
  }

  async hideOfProject(projectId: number): Promise<number[]> {
    await this.collection.updateMany(
      { projectId, kind: 'component' },
      {
        $set: { ...writeStamp(), kind: 'hidden', repoSecret: '', pushSecret: '', repoKeys: [], links: [], linkedId: 0 },
      },
    );
    const found = await this.collection
      .find({ projectId, kind: 'hidden' }, { projection: { _id: 1 }, sort: { _id: 1 } })
      .toArray();
    return found.map((d) => d._id);
  }

  async forget(ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await this.collection.updateMany(
        { _id: { $in: [...ids] }, kind: 'hidden' },
        { $set: { ...writeStamp(), kind: 'removed' } },
      );
  }

  async setTask(id: number, taskId: string, completed: boolean): Promise<void> {
    if (completed) await this.collection.updateOne({ _id: id, taskId }, { $set: { ...writeStamp(), taskId: '' } });
    else await this.collection.updateOne({ _id: id, kind: 'component' }, { $set: { ...writeStamp(), taskId } });
  }

  async addLanguages(id: number, codes: readonly string[]): Promise<boolean> {
    const result = await this.collection.updateOne(
      { _id: id, kind: 'component' },
      { $set: writeStamp(), $addToSet: { languages: { $each: [...codes] } } },
    );
    return result.modifiedCount > 0;
  }

  async removeLanguage(id: number, code: string): Promise<void> {
    await this.collection.updateOne(
      { _id: id, sourceLanguage: { $ne: code } },
      { $set: writeStamp(), $pull: { languages: code } },
    );
  }
}
