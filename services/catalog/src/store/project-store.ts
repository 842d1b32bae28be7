import { driverCollection } from '@parlance/store-kit';
import type { OutgoingEvent } from '@parlance/events';
import type { Project } from '../domain/objects';
import type { ProjectStore, Stamped } from '../domain/ports';
import type { Models, ProjectDocument } from './models';
import { copyProjectSettings } from './settings-fields';
import { removedName, translatingDuplicates, writeStamp } from './store-writes';

const FIELDS = ['slug', 'name'] as const;

function fromDocument(d: ProjectDocument): Project {
  return {
    id: d._id,
    version: d.version,
    createdMs: d.createdMs,
    settings: copyProjectSettings(d.settings),
    hookSecret: d.hookSecret,
  };
}

/** Projects in MongoDB. */
export class MongoProjectStore implements ProjectStore {
  constructor(private readonly model: Models['projects']) {}

  private get collection() {
    return driverCollection<ProjectDocument>(this.model);
  }

  async get(id: number): Promise<Project | null> {
    const d = await this.model.findOne({ _id: id, removed: false }).lean<ProjectDocument>();
    return d && fromDocument(d);
  }

  async bySlug(slug: string): Promise<Project | null> {
    const d = await this.model.findOne({ 'settings.slug': slug, removed: false }).lean<ProjectDocument>();
    return d && fromDocument(d);
  }

  async taken(field: 'name' | 'slug', value: string, exceptId: number): Promise<boolean> {
    return (await this.model.exists({ [`settings.${field}`]: value, removed: false, _id: { $ne: exceptId } })) !== null;
  }

  async byIds(ids: readonly number[]): Promise<Project[]> {
    if (ids.length === 0) return [];
    return (await this.stamped(ids)).map((s) => s.object);
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Project>[]> {
    if (ids.length === 0) return [];
    const filter = { _id: { $in: [...ids] }, removed: false };
    const found = await this.collection
      .find(filter, { projection: { outbox: 0 }, batchSize: ids.length + 1 })
      .toArray();
    return found.map((d) => ({ stamp: d.stamp, object: fromDocument(d) }));
  }

  async insert({ id, ...rest }: Project, events: readonly OutgoingEvent[]): Promise<void> {
    await translatingDuplicates(FIELDS, () =>
      this.collection.insertOne({
        _id: id,
        ...rest,
        ...writeStamp(),
        removed: false,
        outbox: [...events],
      }),
    );
  }

  async replace({ id, ...rest }: Project, events: readonly OutgoingEvent[]): Promise<boolean> {
    const result = await translatingDuplicates(FIELDS, () =>
      this.collection.updateOne(
        { _id: id, version: rest.version - 1, removed: false },
        { $set: { ...rest, ...writeStamp() }, $push: { outbox: { $each: [...events] } } },
      ),
    );
    return result.matchedCount === 1;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = removedName(id);
    const result = await this.collection.updateOne(
      { _id: id, removed: false },
      {
        $set: { ...writeStamp(), removed: true, 'settings.name': name, 'settings.slug': name, hookSecret: '' },
        $push: { outbox: { $each: [...events] } },
      },
    );
    return result.matchedCount === 1;
  }
}
