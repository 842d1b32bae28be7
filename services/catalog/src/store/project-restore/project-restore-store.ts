import type { OutgoingEvent } from '@parlance/events';
import { BACKUP_STATE, driverCollection } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import type { ProjectRestoreStore } from '../../domain/ports';
import type { ComponentDocument, Models, NodeKind, ProjectDocument } from '../models';
import { translatingDuplicates, writeStamp } from '../store-writes';

/** Id of the document that describes the restore of a project. */
export const PROJECT_STATE = 'project';

/** Categories are hidden, too, and have no link. */
const HIDDEN_COMPONENT = { kind: 'hidden' as const, linkedId: { $exists: true } };

interface RestoreDocument {
  _id: string;
  /** New id of the project; empty: no restore has begun. */
  holder: string;
  /** New id of the last abandoned restore. */
  abandoned?: number;
  /** The project, as it will be inserted. */
  project?: ProjectDocument;
}

/** The restore of a project in MongoDB. */
export class MongoProjectRestoreStore implements ProjectRestoreStore {
  constructor(
    private readonly connection: Connection,
    private readonly models: Pick<Models, 'projects' | 'nodes'>,
  ) {}

  private get collection() {
    return this.connection.collection<RestoreDocument>(BACKUP_STATE);
  }

  async state(): Promise<{ current: number; abandoned: number }> {
    const found = await this.collection.findOne({ _id: PROJECT_STATE }, { projection: { project: 0 } });
    return { current: Number(found?.holder ?? ''), abandoned: found?.abandoned ?? 0 };
  }

  async begin(project: number): Promise<void> {
    await this.collection.updateOne(
      { _id: PROJECT_STATE },
      { $set: { holder: String(project) }, $unset: { project: '' } },
      { upsert: true },
    );
  }

  async end(abandoned: number): Promise<void> {
    const change = { $set: { holder: '', ...(abandoned > 0 ? { abandoned } : {}) }, $unset: { project: '' as const } };
    await this.collection.updateOne({ _id: PROJECT_STATE }, change);
  }

  async loaded(): Promise<Pick<ProjectDocument, 'settings'> | null> {
    return (await this.collection.findOne({ _id: PROJECT_STATE }))?.project ?? null;
  }

  async components(projectId: number): Promise<number[]> {
    const found = await driverCollection<ComponentDocument>(this.models.nodes)
      .find({ projectId, ...HIDDEN_COMPONENT }, { projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async show(events: readonly OutgoingEvent[]): Promise<void> {
    const project = (await this.collection.findOne({ _id: PROJECT_STATE }))?.project;
    if (!project) throw new Error('restore of a project: the project was not loaded');
    // Without its project, a component is not found, so the insertion of the project shows all of them at once.
    const nodes = driverCollection<ComponentDocument>(this.models.nodes);
    const shown = (kind: NodeKind) => ({ $set: { ...writeStamp(), kind } });
    await nodes.updateMany({ projectId: project._id, ...HIDDEN_COMPONENT }, shown('component'));
    await nodes.updateMany({ projectId: project._id, kind: 'hidden' }, shown('category'));
    await translatingDuplicates(['slug', 'name'], () =>
      driverCollection<ProjectDocument>(this.models.projects).insertOne({
        ...project,
        ...writeStamp(),
        outbox: [...events],
      }),
    );
  }
}
