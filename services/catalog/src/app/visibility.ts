import { can, canOnSite, canSee, type AccessTarget, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component, Project } from '../domain/objects';
import type { ComponentStore, Hidden, ProjectStore } from '../domain/ports';
import { GenerationCache } from './generation-cache';
import type { Actor } from './parts';

/** What a permission is looked up on. */
export function targetOf(project: Project, component?: Component): AccessTarget {
  const target: AccessTarget = { projectId: project.id, accessControl: project.settings.accessControl };
  return component ? { ...target, componentId: component.id, restricted: component.settings.restricted } : target;
}

/** @throws PERMISSION_DENIED */
export function demand(actor: Actor, permission: Permission, target: AccessTarget): void {
  if (!can(actor.principal, permission, target)) throw denied(actor);
}

/** @throws PERMISSION_DENIED */
export function demandOnSite(actor: Actor, permission: Permission): void {
  if (!canOnSite(actor.principal, permission)) throw denied(actor);
}

/** @throws PERMISSION_DENIED unless a process of the system asks for itself */
export function demandProcess(actor: Actor): void {
  if (!actor.principal.service) throw denied(actor);
}

function denied(actor: Actor): ServiceError {
  return new ServiceError(actor.principal.anonymous ? 'NOT_AUTHENTICATED' : 'PERMISSION_DENIED');
}

interface Closed {
  projects: { id: number; accessControl: number }[];
  restricted: { id: number; projectId: number }[];
}

/** Knows which projects and components a caller may see. */
export class Visibility {
  private readonly closed: GenerationCache<Closed>;

  constructor(
    private readonly projects: Pick<ProjectStore, 'closed' | 'ids'>,
    private readonly components: Pick<ComponentStore, 'restricted' | 'ids'>,
  ) {
    this.closed = new GenerationCache(async () => {
      const [found, restricted] = await Promise.all([projects.closed(), components.restricted()]);
      return { projects: found, restricted };
    });
  }

  /** Something that decides about visibility was written. */
  changed(): void {
    this.closed.drop();
  }

  async hidden({ principal, generation }: Actor): Promise<Hidden> {
    if (principal.isSuperuser && !principal.onlyProjects) return { projects: [], components: [] };
    const { projects: closed, restricted } = await this.closed.get(generation);
    const projects = closed.filter((p) => !canSee(principal, { projectId: p.id, accessControl: p.accessControl })).map((p) => p.id);
    const hiddenProjects = new Set(projects);
    const access = new Map(closed.map((p) => [p.id, p.accessControl]));
    const sees = (projectId: number, componentId: number, isRestricted: boolean) =>
      canSee(principal, { projectId, accessControl: access.get(projectId) ?? 0, componentId, restricted: isRestricted });
    const components = restricted.filter((c) => !hiddenProjects.has(c.projectId) && !sees(c.projectId, c.id, true)).map((c) => c.id);
    // Teams that list components open only these of a closed project: the others stay hidden. No component has the id -1.
    for (const { id } of closed) {
      if (hiddenProjects.has(id) || sees(id, -1, false)) continue;
      const all = await this.components.ids({ hidden: { projects: [], components: [] }, projectId: id });
      const known = new Set(components);
      components.push(...all.filter((c) => !known.has(c) && !sees(id, c, false)));
    }
    return { projects, components, ...(principal.onlyProjects ? { only: principal.onlyProjects } : {}) };
  }

  /** The same as plain lists of what is hidden, for services that know no "only". */
  async hiddenLists(actor: Actor): Promise<{ projects: number[]; components: number[] }> {
    const { projects, components, only } = await this.hidden(actor);
    if (!only) return { projects: [...projects], components: [...components] };
    const others = (await this.projects.ids()).filter((id) => !only.includes(id) || projects.includes(id));
    return { projects: others, components: [...components] };
  }
}
