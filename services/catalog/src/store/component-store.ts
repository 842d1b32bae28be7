import type { OutgoingEvent } from '@parlance/events';
import type { Component } from '../domain/objects';
import type { ComponentFilter, ComponentStore, ComponentTally, Page, PageWish } from '../domain/ports';
import type { ComponentDocument, Models } from './models';
import { freedName, pageOf, projectCondition, unique } from './write';

const FIELDS = ['slug', 'name'] as const;

function fromDocument({ _id, kind: _kind, outbox: _outbox, ...rest }: ComponentDocument): Component {
  return { id: _id, ...rest };
}

function conditions({ hidden, projectId, ids, categoryIds }: ComponentFilter): object {
  const wanted = ids ? { $in: ids } : {};
  const unwanted = hidden.components.length > 0 ? { $nin: hidden.components } : {};
  const id = { ...wanted, ...unwanted };
  const project = projectId ? projectId : projectCondition(hidden);
  return {
    kind: 'component',
    ...(project === undefined ? {} : { projectId: project }),
    ...(Object.keys(id).length > 0 ? { _id: id } : {}),
    ...(categoryIds ? { categoryId: { $in: categoryIds } } : {}),
  };
}

/** Components in Mongo. */
export class MongoComponentStore implements ComponentStore {
  constructor(private readonly model: Models['nodes']) {}

  private get collection() {
    return this.model.collection;
  }

  async get(id: number): Promise<Component | null> {
    const d = await this.model.findOne({ _id: id, kind: 'component' }).lean<ComponentDocument>();
    return d && fromDocument(d);
  }

  async bySlug(projectId: number, categoryId: number, slug: string): Promise<Component | null> {
    const d = await this.model.findOne({ projectId, categoryId, 'settings.slug': slug, kind: 'component' }).lean<ComponentDocument>();
    return d && fromDocument(d);
  }

  async byIds(ids: readonly number[]): Promise<Component[]> {
    return ids.length === 0 ? [] : this.all({ _id: { $in: ids }, kind: 'component' });
  }

  private async all(filter: object): Promise<Component[]> {
    return (await this.model.find(filter).sort({ _id: 1 }).lean<ComponentDocument[]>()).map(fromDocument);
  }

  async page(filter: ComponentFilter, wish: PageWish): Promise<Page<Component>> {
    return pageOf(this.model, conditions(filter), wish, fromDocument);
  }

  async ids(filter: ComponentFilter): Promise<number[]> {
    const found = await this.collection.find(conditions(filter), { projection: { _id: 1 }, sort: { _id: 1 } }).toArray();
    return (found as unknown as { _id: number }[]).map((d) => d._id);
  }

  async restricted(): Promise<{ id: number; projectId: number }[]> {
    const found = await this.model.find({ kind: 'component', 'settings.restricted': true }, { projectId: 1 }).lean<{ _id: number; projectId: number }[]>();
    return found.map((d) => ({ id: d._id, projectId: d.projectId }));
  }

  async linkedInto(projectId: number): Promise<number[]> {
    const found = await this.collection.find({ links: projectId, kind: 'component' }, { projection: { _id: 1 }, sort: { _id: 1 } }).toArray();
    return (found as unknown as { _id: number }[]).map((d) => d._id);
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

  async tallies(projectIds: readonly number[]): Promise<ComponentTally[]> {
    if (projectIds.length === 0) return [];
    const groups = await this.model.aggregate<{ _id: number; components: number; unlocked: number }>([
      { $match: { projectId: { $in: projectIds }, kind: 'component' } },
      { $group: { _id: '$projectId', components: { $sum: 1 }, unlocked: { $sum: { $cond: ['$locked', 0, 1] } } } },
    ]);
    return groups.map((g) => ({ projectId: g._id, components: g.components, unlocked: g.unlocked }));
  }

  async insert({ id, ...rest }: Component, events: readonly OutgoingEvent[]): Promise<void> {
    await unique(FIELDS, this.collection.insertOne({ _id: id, kind: 'component', ...rest, outbox: [...events] } as never));
  }

  async replace({ id, languages: _languages, taskId: _taskId, ...rest }: Component, events: readonly OutgoingEvent[]): Promise<boolean> {
    // Languages and the running task are kept up by other writes, which do not count as versions.
    const result = await unique(
      FIELDS,
      this.collection.updateOne(
        { _id: id as never, version: rest.version - 1, kind: 'component' },
        { $set: rest, $push: { outbox: { $each: [...events] } } as never },
      ),
    );
    return result.matchedCount === 1;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = freedName(id);
    const result = await this.collection.updateOne(
      { _id: id as never, kind: 'component' },
      {
        $set: { kind: 'removed', 'settings.name': name, 'settings.slug': name, repoSecret: '', pushSecret: '', repoKeys: [], links: [], linkedId: 0 },
        $push: { outbox: { $each: [...events] } } as never,
      },
    );
    return result.matchedCount === 1;
  }

  async hideOfProject(projectId: number): Promise<number[]> {
    await this.collection.updateMany({ projectId, kind: 'component' }, { $set: { kind: 'hidden', repoSecret: '', pushSecret: '', repoKeys: [], links: [], linkedId: 0 } });
    const found = await this.collection.find({ projectId, kind: 'hidden' }, { projection: { _id: 1 }, sort: { _id: 1 } }).toArray();
    return (found as unknown as { _id: number }[]).map((d) => d._id);
  }

  async forget(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.collection.deleteMany({ _id: { $in: ids as never[] }, kind: 'hidden' });
  }

  async setTask(id: number, taskId: string, completed: boolean): Promise<void> {
    if (completed) await this.collection.updateOne({ _id: id as never, taskId }, { $set: { taskId: '' } });
    else await this.collection.updateOne({ _id: id as never, kind: 'component' }, { $set: { taskId } });
  }

  async addLanguages(id: number, codes: readonly string[]): Promise<boolean> {
    const result = await this.collection.updateOne({ _id: id as never, kind: 'component' }, { $addToSet: { languages: { $each: [...codes] } } as never });
    return result.modifiedCount > 0;
  }

  async removeLanguage(id: number, code: string): Promise<void> {
    await this.collection.updateOne({ _id: id as never, sourceLanguage: { $ne: code } }, { $pull: { languages: code } as never });
  }

  async usedLanguages(): Promise<string[]> {
    return (await this.collection.distinct('languages', { kind: 'component' })) as string[];
  }

  async count(): Promise<number> {
    return this.model.countDocuments({ kind: 'component' });
  }
}
