import { documentSchema, objectSchema, required, type DocumentOf } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { languageSelections, projectSelections, type Group } from '../domain/permissions/group';
import type { GroupFilter, GroupStore, Page, PageRequest } from '../domain/ports';
import { announcementFields } from './announcements/announcement-fields';
import type { AnnouncementSink } from './announcements/announcement-sink';
import type { Ids } from './ids';
import { MongoVersionedStore } from './versioned-store';

const group = documentSchema('groups', {
  _id: required(Number),
  version: required(Number, { min: 1 }),
  name: required(String),
  /** Project that defines this team; 0: none. */
  definingProject: required(Number),
  projectSelection: required(Number, { enum: Object.values(projectSelections) }),
  languageSelection: required(Number, { enum: Object.values(languageSelections) }),
  roles: required([Number]),
  projects: required([Number]),
  components: required([objectSchema({ id: required(Number), projectId: required(Number) })]),
  componentLists: required([Number]),
  languages: required([String]),
  admins: required([Number]),
  enforced2fa: required(Boolean),
  autoJoin: required(Boolean),
  /** Unique key of a project's team; empty for other groups. */
  teamKey: required(String),
  deleted: required(Boolean),
  ...announcementFields,
});
group.index({ teamKey: 1 }, { name: 'team_unique', unique: true, partialFilterExpression: { teamKey: { $gt: '' } } });
group.index({ definingProject: 1 }, { name: 'defining_project' });
group.index({ roles: 1 }, { name: 'roles' });
group.index({ projects: 1 }, { name: 'projects' });
group.index({ 'components.id': 1 }, { name: 'components' });
group.index({ 'components.projectId': 1 }, { name: 'component_projects' });
group.index({ admins: 1 }, { name: 'admins' });
group.index({ 'outbox.id': 1 }, { name: 'outbox' });
group.index({ 'auditTrail.uid': 1 }, { name: 'audit_trail' });
type GroupDocument = DocumentOf<typeof group>;

export const groupModel = (connection: Connection) => connection.model<GroupDocument>('Group', group);

export class MongoGroupStore extends MongoVersionedStore<Group, GroupDocument> implements GroupStore {
  protected override readonly unique = { team_unique: 'teamKey' } as const;

  constructor(
    connection: Connection,
    private readonly ids: Ids,
    announcer: AnnouncementSink,
  ) {
    super(groupModel(connection), announcer);
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
    await this.model.deleteMany({ _id: id, deleted: true, outbox: { $size: 0 }, auditTrail: { $size: 0 } }).exec();
  }
}
