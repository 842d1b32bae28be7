import type { OutgoingEvent } from '@parlance/events';
import {
  CountedPages,
  driverCollection,
  listTotal,
  LOST_RACE,
  optimisticUpdate,
  type IdSequences,
} from '@parlance/store-kit';
import {
  StaleError,
  type ContentGenerations,
  type ScreenshotScope,
  type ScreenshotFilter,
  type ScreenshotStore,
  type ObsoleteObjects,
} from '../domain/ports';
import type { Screenshot } from '../domain/screenshot';
import type { Models, ScreenshotDocument } from './models';

const present = { removed: { $ne: true } };
const removal = { $set: { removed: true, untidy: true } };

const toScreenshot = ({
  _id,
  outbox: _outbox,
  waste: _waste,
  removed: _removed,
  untidy: _untidy,
  ...rest
}: ScreenshotDocument): Screenshot => ({
  id: _id,
  ...rest,
});

/** Id of a deleted project, component or translation in the store. */
export function scopeKey(scope: ScreenshotScope): string {
  const [[kind, id]] = Object.entries(scope) as [[string, number]];
  return `${kind}:${id}`;
}

/** Screenshots in MongoDB. */
export class MongoScreenshotStore implements ScreenshotStore {
  private readonly pages = new CountedPages();

  constructor(
    private readonly models: Models,
    private readonly ids: IdSequences,
    private readonly contents: ContentGenerations,
  ) {}

  private get collection() {
    return driverCollection(this.models.screenshots);
  }

  newId(): Promise<number> {
    return this.ids.next('screenshot');
  }

  async get(id: number): Promise<Screenshot | undefined> {
    const found = await this.models.screenshots.findOne({ _id: id, ...present }).lean<ScreenshotDocument | null>();
    return found ? toScreenshot(found) : undefined;
  }

  async many(ids: readonly number[]): Promise<Screenshot[]> {
    const found = await this.models.screenshots
      .find({ _id: { $in: [...ids] }, ...present })
      .lean<ScreenshotDocument[]>();
    return found.map(toScreenshot);
  }

  async list(
    criteria: ScreenshotFilter,
    skip: number,
    limit: number,
  ): Promise<{ screenshots: Screenshot[]; total: number }> {
    const component = {
      ...(criteria.componentId ? { $eq: criteria.componentId } : {}),
      ...(criteria.excludedComponentIds.length > 0 ? { $nin: [...criteria.excludedComponentIds] } : {}),
    };
    const project = {
      ...(criteria.projectIds.length > 0 ? { $in: [...criteria.projectIds] } : {}),
      ...(criteria.excludedProjectIds.length > 0 ? { $nin: [...criteria.excludedProjectIds] } : {}),
    };
    const filter = {
      ...present,
      ...(Object.keys(component).length > 0 ? { componentId: component } : {}),
      ...(Object.keys(project).length > 0 ? { projectId: project } : {}),
      ...(criteria.translationId ? { translationId: criteria.translationId } : {}),
      ...(criteria.unitIds?.length ? { unitIds: { $in: [...criteria.unitIds] } } : {}),
    };
    const { screenshots } = this.models;
    const read = async () =>
      screenshots.find(filter).sort({ _id: 1 }).skip(skip).limit(limit).lean<ScreenshotDocument[]>();
    const count = async (): Promise<number> => screenshots.countDocuments(filter);
    if (criteria.unitIds?.length) {
      // Few screenshots show the same string.
      const found = await read();
      const total = await listTotal({ skip, size: limit, found: found.length }, count);
      return { screenshots: found.map(toScreenshot), total };
    }
    const { items, total } = await this.pages.read({ filter, skip, size: limit }, read, count);
    return { screenshots: items.map(toScreenshot), total };
  }

  async attachedUnits(translationIds: readonly number[], name: string, limit: number): Promise<number[]> {
    const filter = {
      ...present,
      ...(translationIds.length > 0 ? { translationId: { $in: [...translationIds] } } : {}),
      ...(name ? { name } : {}),
    };
    const found = await this.collection
      .aggregate<{ _id: number }>([
        { $match: filter },
        { $unwind: '$unitIds' },
        { $group: { _id: '$unitIds' } },
        { $sort: { _id: 1 } },
        { $limit: limit },
      ])
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async add({ id, ...rest }: Screenshot, events: OutgoingEvent[]): Promise<boolean> {
    const document: ScreenshotDocument = { _id: id, ...rest, outbox: events, waste: [] };
    await this.collection.insertOne(document);
    // A deletion records its scope before it deletes the screenshots; an addition checks for it afterwards. One of the two sees
    // the other.
    const { projectId, componentId, translationId } = rest;
    const places = [{ projectId }, { componentId }, { translationId }].map(scopeKey);
    const isDeleted = (await this.models.places.exists({ _id: { $in: places } })) !== null;
    if (isDeleted) await this.collection.updateOne({ _id: id }, { ...removal, $unset: { outbox: '' } });
    await this.changed(rest);
    return !isDeleted;
  }

  async replace({ id, version, ...rest }: Screenshot, formerKey: string, events: OutgoingEvent[]): Promise<Screenshot> {
    const replaced = rest.image.key !== formerKey;
    const { matchedCount } = await this.collection.updateOne(
      { _id: id, version, ...present },
      {
        $set: { ...rest, version: version + 1, ...(replaced ? { untidy: true } : {}) },
        $push: { outbox: { $each: events }, ...(replaced ? { waste: formerKey } : {}) },
      },
    );
    if (matchedCount === 0) throw new StaleError();
    await this.changed(rest);
    return { id, version: version + 1, ...rest };
  }

  async attach(id: number, unitId: number, max: number, now: number): Promise<Screenshot | 'full' | null> {
    const result = await optimisticUpdate(async () => {
      const belowLimit = { unitIds: { $ne: unitId }, [`unitIds.${max - 1}`]: { $exists: false } };
      const attached = await this.update(id, belowLimit, { $push: { unitIds: unitId } }, now);
      if (attached) return attached;
      const known = await this.get(id);
      if (!known || known.unitIds.includes(unitId)) return known ?? null;
      // Below the limit by now: another writer detached a unit in between.
      return known.unitIds.length >= max ? 'full' : LOST_RACE;
    });
    // Also if it was attached before: the request that attached it may still be in progress, or was interrupted.
    if (result && result !== 'full') await this.changed(result);
    return result;
  }

  async detach(id: number, unitId: number, now: number): Promise<Screenshot | null> {
    const detached = await this.update(id, { unitIds: unitId }, { $pull: { unitIds: unitId } }, now);
    if (detached) await this.changed(detached);
    return detached;
  }

  private async update(id: number, filter: object, change: object, now: number): Promise<Screenshot | null> {
    const found = await this.models.screenshots
      .findOneAndUpdate(
        { _id: id, ...present, ...filter },
        { ...change, $set: { updatedMs: now }, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean<ScreenshotDocument | null>();
    return found && toScreenshot(found);
  }

  async remove({ id, ...place }: Pick<Screenshot, 'id' | 'projectId' | 'componentId'>): Promise<boolean> {
    const { modifiedCount } = await this.collection.updateOne({ _id: id, ...present }, removal);
    await this.changed(place);
    return modifiedCount === 1;
  }

  async removeOf(scope: ScreenshotScope, place: { project: number; component: number }): Promise<void> {
    await driverCollection(this.models.places).updateOne(
      { _id: scopeKey(scope) },
      { $set: { at: new Date() } },
      { upsert: true },
    );
    await this.collection.updateMany({ ...scope, ...present }, removal);
    // Not the places of the deleted ones: a repeated deletion finds none.
    await this.contents.changed([place]);
  }

  /** Invalidates replies about the screenshots of a restored project. */
  async invalidateProject(project: number): Promise<void> {
    const components: number[] = await this.collection.distinct('componentId', { projectId: project });
    await this.contents.changed([0, ...components].map((component) => ({ project, component })));
  }

  private changed({ projectId, componentId }: Pick<Screenshot, 'projectId' | 'componentId'>): Promise<void> {
    return this.contents.changed([{ project: projectId, component: componentId }]);
  }

  async waste(limit: number): Promise<ObsoleteObjects[]> {
    // The document of a deleted screenshot stays until its last event is published.
    const filter = { untidy: true, $or: [{ removed: { $ne: true } }, { 'outbox.0': { $exists: false } }] };
    const found = await this.models.screenshots.find(filter).limit(limit).lean<ScreenshotDocument[]>();
    return found.map((d) => ({
      ownerId: d._id,
      keys: d.removed ? [...d.waste, d.image.key] : d.waste,
      removed: d.removed === true,
    }));
  }

  async wasteRemoved({ ownerId, keys, removed }: ObsoleteObjects): Promise<void> {
    const _id = ownerId;
    if (removed) {
      await this.collection.deleteMany({ _id, removed: true });
      return;
    }
    await this.collection.updateOne({ _id }, { $pull: { waste: { $in: keys } } });
    await this.collection.updateOne({ _id, waste: { $size: 0 }, ...present }, { $unset: { untidy: '' } });
  }
}
