import type { OutgoingEvent } from '@parlance/events';
import type { Project } from '../../../src/domain/objects';
import { TakenError, type ProjectEntry, type ProjectStore, type Stamped } from '../../../src/domain/ports';
import type { Effects, Rival } from './effects';

/** Projects in memory. Stores copies, so that use cases cannot change stored objects. */
export class MemoryProjectStore implements ProjectStore {
  private readonly stored = new Map<number, Project>();

  constructor(
    private readonly effects: Effects,
    private readonly rival: Rival,
  ) {}

  private all(matches: (project: Project) => boolean): Project[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((p) => structuredClone(p));
  }

  entries(): ProjectEntry[] {
    return this.all(() => true).map(({ id, version, settings: { slug, name, accessControl } }) => ({
      id,
      stamp: String(version),
      removed: false,
      slug,
      name,
      accessControl,
    }));
  }

  async get(id: number): Promise<Project | null> {
    return this.all((p) => p.id === id)[0] ?? null;
  }

  async bySlug(slug: string): Promise<Project | null> {
    return this.all((p) => p.settings.slug === slug)[0] ?? null;
  }

  async byIds(ids: readonly number[]): Promise<Project[]> {
    return this.all((p) => ids.includes(p.id));
  }

  async stamped(ids: readonly number[]): Promise<Stamped<Project>[]> {
    return (await this.byIds(ids)).map((object) => ({ stamp: String(object.version), object }));
  }

  async taken(field: 'name' | 'slug', value: string, exceptId: number): Promise<boolean> {
    return this.all((p) => p.id !== exceptId && p.settings[field] === value).length > 0;
  }

  private requireUnique({ id, settings }: Project): void {
    for (const field of ['slug', 'name'] as const)
      if (this.all((p) => p.id !== id && p.settings[field] === settings[field]).length > 0) throw new TakenError(field);
  }

  async insert(project: Project, events: readonly OutgoingEvent[]): Promise<void> {
    this.requireUnique(project);
    this.stored.set(project.id, structuredClone(project));
    this.effects.store(`project ${project.id}`, events);
  }

  async replace(project: Project, events: readonly OutgoingEvent[]): Promise<boolean> {
    await this.rival.act();
    if (this.stored.get(project.id)?.version !== project.version - 1) return false;
    this.requireUnique(project);
    this.stored.set(project.id, structuredClone(project));
    this.effects.store(`project ${project.id}`, events);
    return true;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    if (!this.stored.delete(id)) return false;
    this.effects.store(`project ${id} removed`, events);
    return true;
  }
}
