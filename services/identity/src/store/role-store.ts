import { Schema, type Connection } from 'mongoose';

import type { Page, RoleStore, PageRequest } from '../domain/ports';
import type { Role } from '../domain/role';
import type { AnnouncementSink } from './announcement-sink';
import type { Ids } from './ids';
import { MongoVersionedStore, type Stored } from './versioned-store';

function schema(): Schema {
  const definition = new Schema(
    {
      _id: Number,
      version: Number,
      name: String,
      permissions: [String],
      deleted: Boolean,
      outbox: [Schema.Types.Mixed],
      auditTrail: [Schema.Types.Mixed],
    },
    { collection: 'roles', versionKey: false, minimize: false },
  );
  definition.index({ 'outbox.id': 1 }, { name: 'outbox' });
  definition.index({ 'auditTrail.uid': 1 }, { name: 'audit_trail' });
  return definition;
}

export class MongoRoleStore extends MongoVersionedStore<Role> implements RoleStore {
  constructor(
    connection: Connection,
    private readonly ids: Ids,
    announcer: AnnouncementSink,
  ) {
    super(connection.model<Stored<Role>>('Role', schema() as Schema<Stored<Role>>), announcer);
  }

  ensureIndexes(): Promise<void> {
    return this.model.createIndexes();
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
    await this.model.deleteOne({ _id: id, deleted: true, outbox: { $size: 0 }, auditTrail: { $size: 0 } }).exec();
  }
}
