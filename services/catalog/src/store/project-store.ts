import type { OutgoingEvent } from '@parlance/events';
import type { Project } from '../domain/objects';
import type { Hidden, Page, PageWish, ProjectStore } from '../domain/ports';
import type { Models, ProjectDocument } from './models';
import { freedName, pageOf, projectCondition, unique } from './write';

const FIELDS = ['slug', 'name'] as const;

function fromDocument({ _id, outbox: _outbox, removed: _removed, ...rest }: ProjectDocument): Project {
  return { id: _id, ...rest };
}

/** Projects in Mongo. */
export class MongoProjectStore implements ProjectStore {
  constructor(private readonly model: Models['projects']) {}

  async get(id: number): Promise<Project | null> {
    const d = await this.model.findOne({ _id: id, removed: false }).lean<ProjectDocument>();
    return d && fromDocument(d);
  }

  async bySlug(slug: string): Promise<Project | null> {
    const d = await this.model.findOne({ 'settings.slug': slug, removed: false }).lean<ProjectDocument>();
    return d && fromDocument(d);
  }

  async byIds(ids: readonly number[]): Promise<Project[]> {
    if (ids.length === 0) return [];
    return (await this.model.find({ _id: { $in: ids }, removed: false }).lean<ProjectDocument[]>()).map(fromDocument);
  }

  async page(hidden: Hidden, wish: PageWish): Promise<Page<Project>> {
    const id = projectCondition(hidden);
    return pageOf(this.model, { removed: false, ...(id ? { _id: id } : {}) }, wish, fromDocument);
  }

  async closed(): Promise<{ id: number; accessControl: number }[]> {
    const found = await this.model
      .find({ 'settings.accessControl': { $gte: 100 }, removed: false }, { 'settings.accessControl': 1 })
      .lean<{ _id: number; settings: { accessControl: number } }[]>();
    return found.map((d) => ({ id: d._id, accessControl: d.settings.accessControl }));
  }

  async ids(): Promise<number[]> {
    const found = await this.model.find({ removed: false }, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: number }[]>();
    return found.map((d) => d._id);
  }

  async insert({ id, ...rest }: Project, events: readonly OutgoingEvent[]): Promise<void> {
    await unique(FIELDS, this.model.collection.insertOne({ _id: id, ...rest, removed: false, outbox: [...events] } as never));
  }

  async replace({ id, ...rest }: Project, events: readonly OutgoingEvent[]): Promise<boolean> {
    const result = await unique(
      FIELDS,
      this.model.collection.updateOne(
        { _id: id as never, version: rest.version - 1, removed: false },
        { $set: rest, $push: { outbox: { $each: [...events] } } as never },
      ),
    );
    return result.matchedCount === 1;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = freedName(id);
    const result = await this.model.collection.updateOne(
      { _id: id as never, removed: false },
      { $set: { removed: true, 'settings.name': name, 'settings.slug': name, hookSecret: '' }, $push: { outbox: { $each: [...events] } } as never },
    );
    return result.matchedCount === 1;
  }

  async count(): Promise<number> {
    return this.model.countDocuments({ removed: false });
  }
}
