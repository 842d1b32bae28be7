import type { OutgoingEvent } from '@parlance/events';
import type { Category } from '../domain/objects';
import type { CategoryStore } from '../domain/ports';
import type { CategoryDocument, Models } from './models';
import { freedName, unique, written } from './write';

const FIELDS = ['slug', 'name'] as const;

function fromDocument({
  _id,
  kind: _kind,
  outbox: _outbox,
  updatedMs: _updatedMs,
  stamp: _stamp,
  ...rest
}: CategoryDocument): Category {
  return { id: _id, ...rest };
}

/** Categories in Mongo. */
export class MongoCategoryStore implements CategoryStore {
  constructor(private readonly model: Models['nodes']) {}

  private get collection() {
    return this.model.collection;
  }

  private async all(filter: object): Promise<Category[]> {
    const found = await this.collection.find({ ...filter, kind: 'category' }, { sort: { _id: 1 } }).toArray();
    return (found as unknown as CategoryDocument[]).map(fromDocument);
  }

  async get(id: number): Promise<Category | null> {
    return (await this.all({ _id: id }))[0] ?? null;
  }

  async byIds(ids: readonly number[]): Promise<Category[]> {
    return ids.length === 0 ? [] : this.all({ _id: { $in: ids } });
  }

  async ofProject(projectId: number): Promise<Category[]> {
    return this.all({ projectId });
  }

  async insert({ id, ...rest }: Category, events: readonly OutgoingEvent[]): Promise<void> {
    await unique(FIELDS, () =>
      this.collection.insertOne({ _id: id, kind: 'category', ...rest, ...written(), outbox: [...events] } as never),
    );
  }

  async replace({ id, ...rest }: Category, events: readonly OutgoingEvent[]): Promise<boolean> {
    const result = await unique(FIELDS, () =>
      this.collection.updateOne(
        { _id: id as never, version: rest.version - 1, kind: 'category' },
        { $set: { ...rest, ...written() }, $push: { outbox: { $each: [...events] } } as never },
      ),
    );
    return result.matchedCount === 1;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = freedName(id);
    const result = await this.collection.updateOne(
      { _id: id as never, kind: 'category' },
      {
        $set: { ...written(), kind: 'removed', 'settings.name': name, 'settings.slug': name },
        $push: { outbox: { $each: [...events] } } as never,
      },
    );
    return result.matchedCount === 1;
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.collection.deleteMany({ projectId, kind: 'category' });
  }

  async taken(
    projectId: number,
    categoryId: number,
    field: 'name' | 'slug',
    value: string,
    exceptId: number,
  ): Promise<boolean> {
    const found = await this.collection.findOne(
      { projectId, categoryId, [`settings.${field}`]: value, _id: { $ne: exceptId as never } },
      { projection: { _id: 1 } },
    );
    return found !== null;
  }
}
