import { defaultRoles } from '../../../src/domain/permissions/defaults';
import type { Page, PageRequest, RoleStore } from '../../../src/domain/ports';
import type { Role } from '../../../src/domain/permissions/role';
import type { Announced } from './announced';
import { MemoryRepository } from './memory-repository';
import { page } from './page';

export class MemoryRoleStore extends MemoryRepository<Role> implements RoleStore {
  constructor(announced: Announced) {
    super(announced, defaultRoles([]).length);
  }

  protected taken() {
    return undefined;
  }

  named(name: string): Promise<Role | undefined> {
    return Promise.resolve(this.where((r) => !r.deleted && r.name === name)[0]);
  }

  list(ids: readonly number[] | undefined, pageRequest: PageRequest): Promise<Page<Role>> {
    return Promise.resolve(
      page(
        this.where((r) => !r.deleted && (!ids || ids.includes(r.id))),
        pageRequest,
      ),
    );
  }

  beingDeleted = () => Promise.resolve(this.where((r) => r.deleted));

  forget(id: number): Promise<void> {
    if (this.stored.get(id)?.deleted) this.stored.delete(id);
    return Promise.resolve();
  }
}
