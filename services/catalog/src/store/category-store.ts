import type { OutgoingEvent } from '@parlance/events';
import type { Category, Component } from '../domain/objects';
import { TakenError, type CategoryStore, type CategoryTree, type Stamped } from '../domain/ports';
import type { MongoComponentStore } from './component-store';
import type { CategoryDocument, CategoryTreeState, Models, PendingWrite, ProjectDocument } from './models';
import { removedName, translatingDuplicates, writeStamp } from './store-writes';
import { LOST_RACE, optimisticUpdate, driverCollection } from '@parlance/store-kit';

const FIELDS = ['slug', 'name'] as const;

function fromDocument({
  _id,
  kind: _kind,
  outbox: _outbox,
  updatedMs: _updatedMs,
  stamp: _stamp,
  treeVersion: _treeVersion,
  ...rest
}: CategoryDocument): Category {
  return { id: _id, ...rest };
}

/**
 * Categories in MongoDB. Serializes writes to the categories of a project without a lock, including additions and removals of components. A
 * write is first recorded in the project's document, on condition that the tree is unchanged and no other write is pending. Then it is
 * executed and the record is removed. A process that finds a pending write of a crashed or slow process executes it, too. Writes are
 * conditional on the version of the target, so each write takes effect once.
 */
export class MongoCategoryStore implements CategoryStore {
  constructor(
    private readonly model: Models['nodes'],
    private readonly projects: Models['projects'],
    private readonly components: MongoComponentStore,
  ) {}

  private get collection() {
    return driverCollection<CategoryDocument>(this.model);
  }

  private get projectCollection() {
    return driverCollection<ProjectDocument>(this.projects);
  }

  private async all(filter: object): Promise<Category[]> {
    const found = await this.collection.find({ ...filter, kind: 'category' }, { sort: { _id: 1 } }).toArray();
    return found.map(fromDocument);
  }

  async get(id: number): Promise<Category | null> {
    return (await this.all({ _id: id }))[0] ?? null;
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Category>[]> {
    if (ids.length === 0) return [];
    const filter = { _id: { $in: [...ids] }, kind: 'category' as const };
    const found = await this.collection
      .find(filter, { projection: { outbox: 0 }, batchSize: ids.length + 1 })
      .toArray();
    return found.map((d) => ({ stamp: d.stamp, object: fromDocument(d) }));
  }

  async ofProject(projectId: number): Promise<Category[]> {
    return this.all({ projectId });
  }

  private async state(projectId: number): Promise<CategoryTreeState | null> {
    const project = await this.projectCollection.findOne<Pick<ProjectDocument, 'categoryTree'>>(
      { _id: projectId, removed: false },
      { projection: { categoryTree: 1 } },
    );
    return project && (project.categoryTree ?? { version: 0 });
  }

  tree(projectId: number): Promise<CategoryTree | null> {
    return optimisticUpdate(async () => {
      const state = await this.state(projectId);
      if (!state) return null;
      // Read the version before the categories: a concurrent write increments it.
      if (!state.pending) return { version: state.version, categories: await this.ofProject(projectId) };
      try {
        await this.executePending(projectId, state.version, state.pending);
      } catch (error) {
        // The writer of the pending write reports the duplicate.
        if (!(error instanceof TakenError)) throw error;
      }
      return LOST_RACE;
    });
  }

  put(category: Category, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean> {
    return this.writeAtVersion(category.projectId, tree, { category, events: [...events] });
  }

  putComponent(component: Component, tree: CategoryTree, events: readonly OutgoingEvent[]): Promise<boolean> {
    return this.writeAtVersion(component.projectId, tree, { component, events: [...events] });
  }

  private async writeAtVersion(projectId: number, tree: CategoryTree, pending: PendingWrite): Promise<boolean> {
    const version = tree.version + 1;
    const claimed = await this.projectCollection.updateOne(
      // A missing field equals null in queries.
      {
        _id: projectId,
        removed: false,
        'categoryTree.version': tree.version === 0 ? null : tree.version,
        'categoryTree.pending': null,
      },
      { $set: { categoryTree: { version, pending } satisfies CategoryTreeState } },
    );
    return claimed.matchedCount === 1 && this.executePending(projectId, version, pending);
  }

  /**
   * Executes a pending write if it has not been executed yet.
   * @returns false if its target or a referenced object was changed in the meantime; then the write is dropped
   * @throws TakenError if a unique value is taken; then the write is dropped
   */
  private async executePending(projectId: number, version: number, pending: PendingWrite): Promise<boolean> {
    const node = 'component' in pending ? pending.component : pending.category;
    let refusal: TakenError | undefined;
    const carriedOut = await this.applyWrite(version, pending).catch((error: unknown) => {
      if (!(error instanceof TakenError)) throw error;
      refusal = error;
      return false;
    });
    // Another process may have been faster; then the duplicate key can be the id.
    const there = node.version === 1 ? { version: { $gte: 1 } } : { treeVersion: version };
    const happened = carriedOut || (await this.model.exists({ _id: node.id, ...there })) !== null;
    await this.projectCollection.updateOne(
      { _id: projectId, 'categoryTree.version': version },
      { $set: { 'categoryTree.pending': null } },
    );
    if (!happened && refusal) throw refusal;
    return happened;
  }

  private async applyWrite(treeVersion: number, pending: PendingWrite): Promise<boolean> {
    const { events } = pending;
    if ('component' in pending) {
      const { component } = pending;
      return component.version === 1
        ? this.components.insert(component, events, { treeVersion })
        : this.components.replace(component, events, { treeVersion });
    }
    const { id, ...rest } = pending.category;
    const values = { ...rest, treeVersion, ...writeStamp() };
    return translatingDuplicates(FIELDS, async () => {
      if (rest.version === 1) {
        await this.collection.insertOne({ _id: id, kind: 'category', ...values, outbox: [...events] });
        return true;
      }
      const result = await this.collection.updateOne(
        { _id: id, version: rest.version - 1, kind: 'category' },
        { $set: values, $push: { outbox: { $each: [...events] } } },
      );
      return result.matchedCount === 1;
    });
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const name = removedName(id);
    const result = await this.collection.updateOne(
      { _id: id, kind: 'category' },
      {
        $set: { ...writeStamp(), kind: 'removed', 'settings.name': name, 'settings.slug': name },
        $push: { outbox: { $each: [...events] } },
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
      { projectId, categoryId, [`settings.${field}`]: value, _id: { $ne: exceptId } },
      { projection: { _id: 1 } },
    );
    return found !== null;
  }
}
