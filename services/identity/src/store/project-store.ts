import { Schema, type Connection } from 'mongoose';
import type { ProjectStore } from '../domain/ports';
import type { Project } from '../domain/project';
import type { AnnouncementSink } from './announcement-sink';
import { MongoVersionedStore, type Stored } from './versioned-store';

function schema(): Schema {
  const definition = new Schema(
    { _id: Number, version: Number, slug: String, accessControl: Number, review: Boolean },
    { collection: 'projects', versionKey: false },
  );
  definition.index({ slug: 1 }, { name: 'slug' });
  return definition;
}

export class MongoProjectStore extends MongoVersionedStore<Project> implements ProjectStore {
  constructor(connection: Connection, announcer: AnnouncementSink) {
    super(connection.model<Stored<Project>>('Project', schema() as Schema<Stored<Project>>), announcer);
  }

  ensureIndexes(): Promise<void> {
    return this.model.createIndexes();
  }

  nextId(): Promise<number> {
    throw new Error('ids of projects are assigned by the catalog');
  }

  bySlug(slug: string): Promise<Project | undefined> {
    return this.one({ slug });
  }

  async forget(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id }).exec();
  }
}
