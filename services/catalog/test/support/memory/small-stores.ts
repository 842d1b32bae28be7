import type { OutgoingEvent } from '@parlance/events';
import type { Addon, ComponentList, Label, Language } from '../../../src/domain/objects';
import {
  TakenError,
  type AddonFilter,
  type AddonStore,
  type AgreementStore,
  type ComponentListStore,
  type LabelStore,
  type LanguageStore,
  type Maintenance,
  type MaintenanceStore,
  type Page,
  type PageRequest,
} from '../../../src/domain/ports';
import type { Effects } from './effects';

function pageOf<T>(items: readonly T[], { page, size }: PageRequest): Page<T> {
  return { items: items.slice((page - 1) * size, page * size), total: items.length };
}

/** Objects by id. Stores copies, so that use cases cannot change stored objects. */
class MemoryObjects<T extends { id: number }> {
  private readonly stored = new Map<number, T>();

  all(matches: (object: T) => boolean = () => true): T[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((object) => structuredClone(object));
  }

  put(object: T): void {
    this.stored.set(object.id, structuredClone(object));
  }

  remove(matches: (object: T) => boolean): boolean {
    const doomed = this.all(matches);
    for (const { id } of doomed) this.stored.delete(id);
    return doomed.length > 0;
  }
}

function requireUnique<T extends { id: number }>(
  others: readonly T[],
  object: T,
  fields: readonly (keyof T & string)[],
) {
  for (const field of fields)
    if (others.some((o) => o.id !== object.id && o[field] === object[field])) throw new TakenError(field);
}

/** Languages in memory. */
export class MemoryLanguageStore implements LanguageStore {
  private readonly objects = new MemoryObjects<Language>();

  constructor(private readonly effects: Effects) {}

  all(): Language[] {
    return this.objects.all();
  }

  async get(code: string): Promise<Language | null> {
    return this.objects.all((l) => l.code === code)[0] ?? null;
  }

  async insert(language: Language): Promise<void> {
    requireUnique(this.objects.all(), language, ['code']);
    this.objects.put(language);
    this.effects.store(`language ${language.code}`);
  }

  async replace(language: Language): Promise<boolean> {
    if (this.objects.all((l) => l.id === language.id)[0]?.version !== language.version - 1) return false;
    requireUnique(this.objects.all(), language, ['code']);
    this.objects.put(language);
    this.effects.store(`language ${language.code}`);
    return true;
  }

  async remove(code: string): Promise<boolean> {
    this.effects.store(`language ${code} removed`);
    return this.objects.remove((l) => l.code === code);
  }
}

/** Labels in memory. */
export class MemoryLabelStore implements LabelStore {
  private readonly objects = new MemoryObjects<Label>();

  constructor(private readonly effects: Effects) {}

  async byIds(ids: readonly number[]): Promise<Label[]> {
    return this.objects.all((l) => ids.includes(l.id));
  }

  async page(projectId: number, request: PageRequest): Promise<Page<Label>> {
    return pageOf(
      this.objects.all((l) => l.projectId === projectId),
      request,
    );
  }

  async taken(projectId: number, name: string): Promise<boolean> {
    return this.objects.all((l) => l.projectId === projectId && l.name === name).length > 0;
  }

  async insert(label: Label): Promise<void> {
    requireUnique(
      this.objects.all((l) => l.projectId === label.projectId),
      label,
      ['name'],
    );
    this.objects.put(label);
    this.effects.store(`label ${label.id}`);
  }

  async remove(projectId: number, id: number): Promise<boolean> {
    this.effects.store(`label ${id} removed`);
    return this.objects.remove((l) => l.projectId === projectId && l.id === id);
  }

  async removeOfProject(projectId: number): Promise<void> {
    this.objects.remove((l) => l.projectId === projectId);
  }
}

/** Component lists in memory. */
export class MemoryComponentListStore implements ComponentListStore {
  private readonly objects = new MemoryObjects<ComponentList>();

  constructor(private readonly effects: Effects) {}

  async get(id: number): Promise<ComponentList | null> {
    return this.objects.all((l) => l.id === id)[0] ?? null;
  }

  async bySlug(slug: string): Promise<ComponentList | null> {
    return this.objects.all((l) => l.slug === slug)[0] ?? null;
  }

  async all(): Promise<ComponentList[]> {
    return this.objects.all();
  }

  async insert(list: ComponentList): Promise<void> {
    requireUnique(this.objects.all(), list, ['slug', 'name']);
    this.objects.put(list);
    this.effects.store(`list ${list.id}`);
  }

  async replace(list: ComponentList): Promise<boolean> {
    const before = await this.get(list.id);
    if (before?.version !== list.version - 1) return false;
    requireUnique(this.objects.all(), list, ['slug', 'name']);
    this.objects.put({ ...list, componentIds: before.componentIds });
    this.effects.store(`list ${list.id}`);
    return true;
  }

  async remove(id: number): Promise<boolean> {
    this.effects.store(`list ${id} removed`);
    return this.objects.remove((l) => l.id === id);
  }

  async change(id: number, add: readonly number[], remove: readonly number[]): Promise<void> {
    const list = await this.get(id);
    if (!list) return;
    const ids = new Set([...list.componentIds, ...add]);
    for (const removed of remove) ids.delete(removed);
    this.objects.put({ ...list, componentIds: [...ids] });
    this.effects.store(`list ${id}`);
  }

  async removeComponents(componentIds: readonly number[]): Promise<void> {
    for (const list of this.objects.all((l) => l.componentIds.some((id) => componentIds.includes(id))))
      await this.change(list.id, [], componentIds);
  }
}

/** Add-ons in memory. */
export class MemoryAddonStore implements AddonStore {
  private readonly objects = new MemoryObjects<Addon>();
  private readonly single = new Set<number>();

  constructor(private readonly effects: Effects) {}

  all(): Addon[] {
    return this.objects.all();
  }

  async get(id: number): Promise<Addon | null> {
    return this.objects.all((a) => a.id === id)[0] ?? null;
  }

  async find({ componentIds = [], projectIds = [], name, site }: AddonFilter): Promise<Addon[]> {
    const anywhere = componentIds.length === 0 && projectIds.length === 0 && !site;
    if (anywhere && name === undefined) return [];
    const isThere = (a: Addon) =>
      a.componentId !== 0
        ? componentIds.includes(a.componentId)
        : a.projectId !== 0
          ? projectIds.includes(a.projectId)
          : site === true;
    return this.objects.all((a) => (anywhere || isThere(a)) && (name === undefined || a.name === name));
  }

  async page(
    hidden: { projects: readonly number[]; components: readonly number[] },
    site: boolean,
    request: PageRequest,
  ): Promise<Page<Addon>> {
    const isVisible = (a: Addon) =>
      !hidden.projects.includes(a.projectId) && !hidden.components.includes(a.componentId) && (site || a.projectId > 0);
    return pageOf(this.objects.all(isVisible), request);
  }

  async insert(addon: Addon, single: boolean, events: readonly OutgoingEvent[]): Promise<void> {
    const isSame = (a: Addon) =>
      this.single.has(a.id) &&
      a.name === addon.name &&
      a.componentId === addon.componentId &&
      a.projectId === addon.projectId;
    if (single && this.objects.all(isSame).length > 0) throw new TakenError('name');
    if (single) this.single.add(addon.id);
    this.objects.put(addon);
    this.effects.store(`addon ${addon.id}`, events);
  }

  async replace(addon: Addon, events: readonly OutgoingEvent[]): Promise<boolean> {
    if ((await this.get(addon.id))?.version !== addon.version - 1) return false;
    this.objects.put(addon);
    this.effects.store(`addon ${addon.id}`, events);
    return true;
  }

  async remove(id: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    if (!this.objects.remove((a) => a.id === id)) return false;
    this.effects.store(`addon ${id} removed`, events);
    return true;
  }

  async removeOf(componentIds: readonly number[], projectId: number): Promise<void> {
    this.objects.remove((a) => componentIds.includes(a.componentId) || (projectId !== 0 && a.projectId === projectId));
  }
}

/** Accepted agreements in memory. */
export class MemoryAgreementStore implements AgreementStore {
  private readonly accepted = new Map<string, { digest: string; timeMs: number }>();

  async get(componentId: number, userId: number): Promise<{ digest: string; timeMs: number } | null> {
    return this.accepted.get(`${componentId}-${userId}`) ?? null;
  }

  async put(componentId: number, userId: number, digest: string, timeMs: number): Promise<void> {
    this.accepted.set(`${componentId}-${userId}`, { digest, timeMs });
  }

  private removeKeys(matches: (componentId: number, userId: number) => boolean): void {
    for (const key of this.accepted.keys()) {
      const [componentId, userId] = key.split('-').map(Number);
      if (matches(componentId!, userId!)) this.accepted.delete(key);
    }
  }

  async removeOf(componentIds: readonly number[]): Promise<void> {
    this.removeKeys((componentId) => componentIds.includes(componentId));
  }

  async removeOfUser(userId: number): Promise<void> {
    this.removeKeys((_, user) => user === userId);
  }
}

/** The maintenance mode in memory. */
export class MemoryMaintenanceStore implements MaintenanceStore {
  private stored: Maintenance | null = null;

  async get(): Promise<Maintenance | null> {
    return this.stored;
  }

  async put(maintenance: Maintenance): Promise<Maintenance> {
    this.stored = { ...maintenance, sinceMs: this.stored?.sinceMs ?? maintenance.sinceMs };
    return this.stored;
  }

  async remove(): Promise<void> {
    this.stored = null;
  }
}
