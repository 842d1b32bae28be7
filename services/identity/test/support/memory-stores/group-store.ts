import { defaultGroups } from '../../../src/domain/permissions/defaults';
import type { Group } from '../../../src/domain/permissions/group';
import type { GroupFilter, GroupStore, Page, PageRequest } from '../../../src/domain/ports';
import type { Announced } from './announced';
import { MemoryRepository } from './memory-repository';
import { page } from './page';

export class MemoryGroupStore extends MemoryRepository<Group> implements GroupStore {
  constructor(announced: Announced) {
    super(announced, defaultGroups().length);
  }

  protected taken(group: Group) {
    const twice = this.where((g) => g.id !== group.id && g.teamKey !== '' && g.teamKey === group.teamKey).length > 0;
    return twice ? ('teamKey' as const) : undefined;
  }

  list(filter: GroupFilter | undefined, pageRequest: PageRequest): Promise<Page<Group>> {
    const mine = (g: Group) =>
      !filter ||
      filter.memberOf.includes(g.id) ||
      (filter.administeredBy !== 0 && g.admins.includes(filter.administeredBy));
    return Promise.resolve(
      page(
        this.where((g) => !g.deleted && mine(g)),
        pageRequest,
      ),
    );
  }

  autoJoined = () => Promise.resolve(this.where((g) => g.autoJoin && !g.deleted));
  beingDeleted = () => Promise.resolve(this.where((g) => g.deleted));

  ofProject(projectId: number): Promise<Group[]> {
    return Promise.resolve(this.where((g) => projectId !== 0 && g.definingProject === projectId && !g.deleted));
  }

  listReferencing(
    target: { role: number } | { project: number } | { component: number } | { admin: number },
  ): Promise<number[]> {
    const names = (g: Group) => {
      if ('role' in target) return g.roles.includes(target.role);
      if ('component' in target) return g.components.some((c) => c.id === target.component);
      if ('admin' in target) return g.admins.includes(target.admin);
      return g.projects.includes(target.project) || g.components.some((c) => c.projectId === target.project);
    };
    return Promise.resolve(this.where(names).map((g) => g.id));
  }

  forget(id: number): Promise<void> {
    if (this.stored.get(id)?.deleted) this.stored.delete(id);
    return Promise.resolve();
  }
}
