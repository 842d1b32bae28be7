import { documentSchema, required, type DocumentOf } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import type { ProjectStore } from '../domain/ports';
import type { Project } from '../domain/project';
import { announcementFields } from './announcements/announcement-fields';
import type { AnnouncementSink } from './announcements/announcement-sink';
import { MongoVersionedStore } from './versioned-store';

const project = documentSchema('projects', {
  _id: required(Number),
  version: required(Number),
  slug: required(String),
  /** 0 public, 1 protected, 100 private, 200 custom. */
  accessControl: required(Number),
  review: required(Boolean),
  ...announcementFields,
});
project.index({ slug: 1 }, { name: 'slug' });
type ProjectDocument = DocumentOf<typeof project>;

export const projectModel = (connection: Connection) => connection.model<ProjectDocument>('Project', project);

export class MongoProjectStore extends MongoVersionedStore<Project, ProjectDocument> implements ProjectStore {
  constructor(connection: Connection, announcer: AnnouncementSink) {
    super(projectModel(connection), announcer);
  }

  nextId(): Promise<number> {
    throw new Error('ids of projects are assigned by the catalog');
  }

  bySlug(slug: string): Promise<Project | undefined> {
    return this.one({ slug });
  }

  async forget(id: number): Promise<void> {
    await this.model.deleteMany({ _id: id }).exec();
  }
}
