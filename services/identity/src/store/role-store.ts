import { documentSchema, required, type DocumentOf } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import type { Page, RoleStore, PageRequest } from '../domain/ports';
import type { Role } from '../domain/permissions/role';
import { announcementFields } from './announcements/announcement-fields';
import type { AnnouncementSink } from './announcements/announcement-sink';
import type { Ids } from './ids';
import { MongoVersionedStore } from './versioned-store';

const role = documentSchema('roles', {
  _id: required(Number),
  version: required(Number, { min: 1 }),
  name: required(String),
  /** Codenames. */
  permissions: required([String]),
  deleted: required(Boolean),
  ...announcementFields,
});
role.index({ 'outbox.id': 1 }, { name: 'outbox' });
role.index({ 'auditTrail.uid': 1 }, { name: 'audit_trail' });
type RoleDocument = DocumentOf<typeof role>;

export const roleModel = (connection: Connection) => connection.model<RoleDocument>('Role', role);

export class MongoRoleStore extends MongoVersionedStore<Role, RoleDocument> implements RoleStore {
  constructor(
    connection: Connection,
    private readonly ids: Ids,
    announcer: AnnouncementSink,
  ) {
    super(roleModel(connection), announcer);
  }

  nextId(): Promise<number> {
    return this.ids.next('roles');
  }

  list(ids: readonly number[] | undefined, page: PageRequest): Promise<Page<Role>> {
    return this.page({ deleted: false, ...(ids ? { _id: { $in: [...ids] } } : {}) }, page);
  }

  named(name: string): Promise<Role | undefined> {
    return this.one({ name, deleted: false });
  }

  beingDeleted(): Promise<Role[]> {
    return this.all({ deleted: true });
  }

  async forget(id: number): Promise<void> {
    // A document with pending announcements is kept; the next cleanup deletes it.
    await this.model.deleteMany({ _id: id, deleted: true, outbox: { $size: 0 }, auditTrail: { $size: 0 } }).exec();
  }
}
