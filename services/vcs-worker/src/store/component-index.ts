import type { ContentGenerations } from '../domain/ports';
import type { ComponentIndex, WorkerStore } from '../domain/repository';
import type { ComponentDocument, Models, WorkerDocument } from './models';

/** Components that use a repository, with their projects. */
export async function placesOf(models: Pick<Models, 'components'>, repository: string) {
  const found = await models.components.find({ repository }, { project: 1 }).lean<ComponentDocument[]>();
  return found.map(({ _id, project }) => ({ project, component: _id }));
}

/** Maps components to repositories, in MongoDB. */
export class MongoComponentIndex implements ComponentIndex {
  constructor(
    private readonly models: Pick<Models, 'components'>,
    private readonly contents: ContentGenerations,
  ) {}

  async put(component: number, project: number, repository: string): Promise<void> {
    await this.models.components.updateOne(
      { _id: component },
      { $set: { project, repository }, $setOnInsert: { waitingSince: 0, touched: 0 } },
      { upsert: true },
    );
    await this.contents.changed([{ project, component }]);
  }

  async moveAll(from: string, to: string): Promise<void> {
    await this.models.components.updateMany({ repository: from }, { $set: { repository: to } });
    await this.contents.changed(await placesOf(this.models, to));
  }

  /** Invalidates replies about the repositories of a restored project. */
  async invalidateProject(project: number): Promise<void> {
    const components = await this.ofProject(project);
    await this.contents.changed([0, ...components].map((component) => ({ project, component })));
  }

  async repositoryOf(component: number): Promise<string | null> {
    return (await this.repositoriesOf([component])).get(component) ?? null;
  }

  async repositoriesOf(components: readonly number[]): Promise<Map<number, string>> {
    const found = await this.models.components
      .find({ _id: { $in: [...components] } }, { repository: 1 })
      .lean<ComponentDocument[]>();
    return new Map(found.map((document) => [document._id, document.repository]));
  }

  async componentsOf(repository: string): Promise<number[]> {
    const found = await this.models.components
      .find({ repository }, { _id: 1 })
      .sort({ _id: 1 })
      .lean<ComponentDocument[]>();
    return found.map((document) => document._id);
  }

  async ofProject(project: number): Promise<number[]> {
    const found = await this.models.components.find({ project }, { _id: 1 }).lean<ComponentDocument[]>();
    return found.map((document) => document._id);
  }

  async all(): Promise<number[]> {
    const found = await this.models.components.find({}, { _id: 1 }).lean<ComponentDocument[]>();
    return found.map((document) => document._id);
  }

  async remove(component: number): Promise<void> {
    await this.models.components.deleteMany({ _id: component });
  }

  async recordEdits(components: readonly number[], at: number): Promise<void> {
    const _id = { $in: [...components] };
    // No time: clocks differ, and the record of a later edit could leave it as it is.
    await this.models.components.updateMany({ _id }, { $inc: { touched: 1 } });
    await this.models.components.updateMany({ _id, waitingSince: 0 }, { $set: { waitingSince: at } });
  }

  async listEdited(
    limit: number,
  ): Promise<{ component: number; repository: string; since: number; touched: number }[]> {
    const found = await this.models.components
      .find({ waitingSince: { $gt: 0 } })
      .sort({ waitingSince: 1 })
      .limit(limit)
      .lean<ComponentDocument[]>();
    return found.map((document) => ({
      component: document._id,
      repository: document.repository,
      since: document.waitingSince,
      touched: document.touched,
    }));
  }

  async screenshots(component: number): Promise<Map<string, string>> {
    const found = await this.models.components
      .findOne({ _id: component }, { screenshots: 1 })
      .lean<ComponentDocument>();
    return new Map((found?.screenshots ?? []).map(({ path, hash }) => [path, hash]));
  }

  async setScreenshots(component: number, hashes: ReadonlyMap<string, string>): Promise<void> {
    const screenshots = [...hashes].map(([path, hash]) => ({ path, hash }));
    await this.models.components.updateOne({ _id: component }, { $set: { screenshots } });
  }

  async recordOldestEdit(component: number, since: number, touched: number): Promise<void> {
    await this.models.components.updateOne({ _id: component, touched }, { $set: { waitingSince: since } });
  }
}

/** Heartbeats of workers, in MongoDB. */
export class MongoWorkerStore implements WorkerStore {
  constructor(private readonly models: Pick<Models, 'workers'>) {}

  async renew(worker: string, until: Date): Promise<void> {
    await this.models.workers.updateOne({ _id: worker }, { $set: { until } }, { upsert: true });
  }

  async listAlive(): Promise<string[]> {
    const found = await this.models.workers.find({ until: { $gt: new Date() } }, { _id: 1 }).lean<WorkerDocument[]>();
    return found.map((document) => document._id);
  }

  async remove(worker: string): Promise<void> {
    await this.models.workers.deleteMany({
      $or: [{ _id: worker }, { until: { $lt: new Date(Date.now() - 3_600_000) } }],
    });
  }
}
