import { Schema, type Connection } from 'mongoose';
import type { Group } from '../domain/group';
import type { GroupFilter, GroupStore, Page, PageRequest } from '../domain/ports';
import type { AnnouncementSink } from './announcement-sink';
import type { Ids } from './ids';
import { MongoVersionedStore, type Stored } from './versioned-store';

function schema(): Schema {
  const definition = new Schema(
    {
      _id: Number,
      version: Number,
      name: String,
      definingProject: Number,
      projectSelection: Number,
      languageSelection: Number,
      roles: [Number],
      projects: [Number],
      components: [Schema.Types.Mixed],
      componentLists: [Number],
      languages: [String],
      admins: [Number],
      enforced2fa: Boolean,
      autoJoin: Boolean,
      teamKey: String,
      deleted: Boolean,
      outbox: [Schema.Types.Mixed],
      auditTrail: [Schema.Types.Mixed],
    },
    { collection: 'groups', versionKey: false, minimize: false },
  );
  definition.index(
    { teamKey: 1 },
    { name: 'team_unique', unique: true, partialFilterExpression: { teamKey: { $gt: '' } } },
  );
  definition.index({ definingProject: 1 }, { name: 'defining_project' });
  definition.index({ roles: 1 }, { name: 'roles' });
  definition.index({ projects: 1 }, { name: 'projects' });
  definition.index({ 'components.id': 1 }, { name: 'components' });
  definition.index({ 'components.projectId': 1 }, { name: 'component_projects' });
  definition.index({ admins: 1 }, { name: 'admins' });
  definition.index({ 'outbox.id': 1 }, { name: 'outbox' });
  definition.index({ 'auditTrail.uid': 1 }, { name: 'audit_trail' });
  return definition;
}

export class MongoGroupStore extends MongoVersionedStore<Group> implements GroupStore {
  protected override readonly unique = { team_unique: 'teamKey' } as const;

  constructor(
    connection: Connection,
    private readonly ids: Ids,
    announcer: AnnouncementSink,
  ) {
    super(connection.model<Stored<Group>>('Group', schema() as Schema<Stored<Group>>), announcer);
  }

  ensureIndexes(): Promise<void> {
    return this.model.createIndexes();
  }

  nextId(): Promise<number> {
    return this.ids.next('groups');
  }

  list(filter: GroupFilter | undefined, page: PageRequest): Promise<Page<Group>> {
    if (!filter) return this.page({ deleted: false }, page);
    const own = [
      { _id: { $in: [...filter.memberOf] } },
      ...(filter.administeredBy === 0 ? [] : [{ admins: filter.administeredBy }]),
    ];
    return this.page({ deleted: false, $or: own }, page);
  }

  autoJoined(): Promise<Group[]> {
    return this.all({ autoJoin: true, deleted: false });
  }

  ofProject(projectId: number): Promise<Group[]> {
    return projectId === 0 ? Promise.resolve([]) : this.all({ definingProject: projectId, deleted: false });
  }

  listReferencing(
    target: { role: number } | { project: number } | { component: number } | { admin: number },
  ): Promise<number[]> {
    if ('role' in target) return this.idsWhere({ roles: target.role });
    if ('project' in target) {
      return this.idsWhere({ $or: [{ projects: target.project }, { 'components.projectId': target.project }] });
    }
    if ('component' in target) return this.idsWhere({ 'components.id': target.component });
    return this.idsWhere({ admins: target.admin });
  }

  beingDeleted(): Promise<Group[]> {
    return this.all({ deleted: true });
  }

  async forget(id: number): Promise<void> {
    // A document with pending announcements is kept; the next cleanup deletes it.
    await this.model.deleteOne({ _id: id, deleted: true, outbox: { $size: 0 }, auditTrail: { $size: 0 } }).exec();
  }
}
