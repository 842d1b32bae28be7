import type { OutgoingEvent } from '@parlance/events';
import type { Category } from '../domain/objects';
import { TakenError, type CategoryStore, type CategoryTree } from '../domain/ports';
import type { CategoryDocument, CategoryTreeState, Models, ProjectDocument } from './models';
import { freedName, unique, written } from './write';
import { retried } from '@parlance/store-kit';

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

/**
 * Categories in Mongo. Writes of a project's categories are one after the other, without a lock that could be left behind: a write
 * is first put on the project's document, on the condition that its tree is as it was read and no other write is pending there;
 * then it is carried out and taken off. Whoever finds one pending (of a process that died, or is slow) carries it out too: it is
 * conditional on the category's version, so it happens once.
 */
export class MongoCategoryStore implements CategoryStore {
  constructor(
    private readonly model: Models['nodes'],
    private readonly projects: Models['projects'],
  ) {}

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

  private async state(projectId: number): Promise<CategoryTreeState | null> {
    const project = (await this.projects.collection.findOne(
      { _id: projectId as never, removed: false },
      { projection: { categoryTree: 1 } },
    )) as Pick<ProjectDocument, 'categoryTree'> | null;
    return project && (project.categoryTree ?? { version: 0 });
  }

  async tree(projectId: number): Promise<CategoryTree | null> {
    for (;;) {
      const state = await this.state(projectId);
      if (!state) return null;
      // The version is read first: who writes meanwhile moves it.
      if (!state.pending) return { version: state.version, categories: await this.ofProject(projectId) };
      try {
        await this.finish(projectId, state.version, state.pending);
      } catch (error) {
        // That is for the one whose write it is.
        if (!(error instanceof TakenError)) throw error;
      }
    }
  }

  async put(category: Category, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean> {
    const { projectId } = category;
    const pending = { category, events: [...events] };
    const version = tree.version + 1;
    const claimed = await retried(() =>
      this.projects.collection.updateOne(
        // What is not there equals null.
        {
          _id: projectId as never,
          removed: false,
          'categoryTree.version': tree.version === 0 ? null : tree.version,
          'categoryTree.pending': null,
        },
        { $set: { categoryTree: { version, pending } satisfies CategoryTreeState } },
      ),
    );
    if (claimed.matchedCount === 0) return false;
    await this.finish(projectId, version, pending);
    return true;
  }

  /** Carries out a pending write, if that has not happened yet. @throws TakenError; then it never happens */
  private async finish(
    projectId: number,
    version: number,
    pending: NonNullable<CategoryTreeState['pending']>,
  ): Promise<void> {
    const done = () =>
      this.projects.collection.updateOne(
        { _id: projectId as never, 'categoryTree.version': version },
        { $set: { 'categoryTree.pending': null } },
      );
    const { id, ...rest } = pending.category;
    const outbox = [...pending.events];
    try {
      await unique(FIELDS, async () => {
        if (rest.version === 1)
          await this.collection.insertOne({ _id: id, kind: 'category', ...rest, ...written(), outbox } as never);
        else
          await this.collection.updateOne(
            { _id: id as never, version: rest.version - 1, kind: 'category' },
            { $set: { ...rest, ...written() }, $push: { outbox: { $each: outbox } } as never },
          );
      });
    } catch (error) {
      if (!(error instanceof TakenError)) throw error;
      // What is taken can be the id: then another process was faster.
      const there = await this.collection.findOne({ _id: id as never }, { projection: { version: 1 } });
      if (((there?.['version'] as number | undefined) ?? 0) < rest.version) {
        await done();
        throw error;
      }
    }
    await done();
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
