import { driverCollection } from '@parlance/store-kit';
import type { OutgoingEvent } from '@parlance/events';
import type { Addon, ComponentList, Label } from '../domain/objects';
import type { AddonFilter, AddonStore, ComponentListStore, LabelStore, Page, PageRequest } from '../domain/ports';
import type { AddonDocument, ComponentListDocument, LabelDocument, Models } from './models';
import { pageOf, translatingDuplicates, writeStamp } from './store-writes';

function labelFrom({ _id, ...rest }: LabelDocument): Label {
  return { id: _id, ...rest };
}

/** Labels in MongoDB. */
export class MongoLabelStore implements LabelStore {
  constructor(private readonly model: Models['labels']) {}

  private get collection() {
    return driverCollection<LabelDocument>(this.model);
  }

  async byIds(ids: readonly number[]): Promise<Label[]> {
    return ids.length === 0
      ? []
      : (await this.model.find({ _id: { $in: ids } }).lean<LabelDocument[]>()).map(labelFrom);
  }

  async page(projectId: number, request: PageRequest): Promise<Page<Label>> {
    return pageOf(this.model, { projectId }, request, labelFrom);
  }

  async taken(projectId: number, name: string): Promise<boolean> {
    return (await this.model.exists({ projectId, name })) !== null;
  }

  async insert({ id, ...rest }: Label): Promise<void> {
    await translatingDuplicates(['name'], () => this.collection.insertOne({ _id: id, ...rest }));
  }

  async remove(projectId: number, id: number): Promise<boolean> {
    return (await this.model.deleteMany({ _id: id, projectId })).deletedCount === 1;
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}

function listFrom({ _id, ...rest }: ComponentListDocument): ComponentList {
  return { id: _id, ...rest };
}

/** Component lists in MongoDB. */
export class MongoComponentListStore implements ComponentListStore {
  constructor(private readonly model: Models['lists']) {}

  private get collection() {
    return driverCollection<ComponentListDocument>(this.model);
  }

  async get(id: number): Promise<ComponentList | null> {
    const d = await this.model.findOne({ _id: id }).lean<ComponentListDocument>();
    return d && listFrom(d);
  }

  async bySlug(slug: string): Promise<ComponentList | null> {
    const d = await this.model.findOne({ slug }).lean<ComponentListDocument>();
    return d && listFrom(d);
  }

  async all(): Promise<ComponentList[]> {
    return (await this.model.find().sort({ _id: 1 }).lean<ComponentListDocument[]>()).map(listFrom);
  }

  async insert({ id, ...rest }: ComponentList): Promise<void> {
    await translatingDuplicates(['slug', 'name'], () => this.collection.insertOne({ _id: id, ...rest }));
  }

  async replace({ id, componentIds: _ids, ...rest }: ComponentList): Promise<boolean> {
    const result = await translatingDuplicates(['slug', 'name'], () =>
      this.collection.updateOne({ _id: id, version: rest.version - 1 }, { $set: rest }),
    );
    return result.matchedCount === 1;
  }

  async remove(id: number): Promise<boolean> {
    return (await this.model.deleteMany({ _id: id })).deletedCount === 1;
  }

  async change(id: number, add: readonly number[], remove: readonly number[]): Promise<void> {
    if (add.length > 0)
      await this.collection.updateOne({ _id: id }, { $addToSet: { componentIds: { $each: [...add] } } });
    if (remove.length > 0)
      await this.collection.updateOne({ _id: id }, { $pull: { componentIds: { $in: [...remove] } } });
  }

  async removeComponents(componentIds: readonly number[]): Promise<void> {
    const wanted = { $in: [...componentIds] };
    await this.collection.updateMany({ componentIds: wanted }, { $pull: { componentIds: wanted } });
  }
}

function addonFrom({
  _id,
  outbox: _outbox,
  removed: _removed,
  place: _place,
  updatedMs: _updatedMs,
  stamp: _stamp,
  ...rest
}: AddonDocument): Addon {
  return { id: _id, ...rest };
}

/** Add-ons in MongoDB. */
export class MongoAddonStore implements AddonStore {
  constructor(private readonly model: Models['addons']) {}

  private get collection() {
    return driverCollection<AddonDocument>(this.model);
  }

  async get(id: number): Promise<Addon | null> {
    const d = await this.model.findOne({ _id: id, removed: false }).lean<AddonDocument>();
    return d && addonFrom(d);
  }

  async find({ componentIds = [], projectIds = [], name, site }: AddonFilter): Promise<Addon[]> {
    const places = [
      ...(componentIds.length > 0 ? [{ componentId: { $in: componentIds } }] : []),
      ...(projectIds.length > 0 ? [{ componentId: 0, projectId: { $in: projectIds } }] : []),
      ...(site ? [{ componentId: 0, projectId: 0 }] : []),
    ];
    if (places.length === 0 && name === undefined) return [];
    const filter = {
      removed: false,
      ...(places.length > 0 ? { $or: places } : {}),
      ...(name === undefined ? {} : { name }),
    };
    return (await this.model.find(filter).sort({ _id: 1 }).lean<AddonDocument[]>()).map(addonFrom);
  }

  async page(
    hidden: { projects: readonly number[]; components: readonly number[] },
    site: boolean,
    request: PageRequest,
  ): Promise<Page<Addon>> {
    const conditions = [
      ...(hidden.projects.length > 0 ? [{ projectId: { $nin: hidden.projects } }] : []),
      ...(site ? [] : [{ projectId: { $ne: 0 } }]),
      ...(hidden.components.length > 0 ? [{ componentId: { $nin: hidden.components } }] : []),
    ];
    return pageOf(
      this.model,
      { removed: false, ...(conditions.length > 0 ? { $and: conditions } : {}) },
      request,
      addonFrom,
    );
  }

  async insert({ id, ...rest }: Addon, single: boolean, events: readonly OutgoingEvent[]): Promise<void> {
    const place = `${rest.componentId}/${rest.projectId}/${rest.name}${single ? '' : `/${id}`}`;
    await translatingDuplicates(['name'], () =>
      this.collection.insertOne({
        _id: id,
        ...rest,
        ...writeStamp(),
        place,
        removed: false,
        outbox: [...events],
      }),
    );
  }

  async replace({ id, ...rest }: Addon, events: readonly OutgoingEvent[]): Promise<boolean> {
    const result = await this.collection.updateOne(
      { _id: id, version: rest.version - 1, removed: false },
      { $set: { ...rest, ...writeStamp() }, $push: { outbox: { $each: [...events] } } },
    );
    return result.matchedCount === 1;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const result = await this.collection.updateOne(
      { _id: id, removed: false },
      {
        $set: { ...writeStamp(), removed: true, place: `removed/${id}` },
        $push: { outbox: { $each: [...events] } },
      },
    );
    return result.matchedCount === 1;
  }

  async removeOf(componentIds: readonly number[], projectId: number): Promise<void> {
    if (componentIds.length > 0) await this.model.deleteMany({ componentId: { $in: componentIds } });
    if (projectId) await this.model.deleteMany({ projectId });
  }
}
