import type { OutgoingEvent } from '@parlance/events';
import {
  StaleError,
  type ObsoleteObjects,
  type ScreenshotFilter,
  type ScreenshotScope,
  type ScreenshotStore,
  type UploadStore,
} from '../../../src/domain/ports';
import type { Screenshot } from '../../../src/domain/screenshot';

/** Screenshots in memory. */
export class MemoryScreenshotStore implements ScreenshotStore, UploadStore {
  private readonly stored = new Map<number, Screenshot>();
  private readonly expected = new Map<string, number>();
  private obsolete: ObsoleteObjects[] = [];
  private lastId = 0;
  /** The component was deleted: nothing can be added. */
  closed = false;
  /** A concurrent writer: runs once, before the next conditional write. */
  rival: (() => Promise<void>) | undefined;

  constructor(private readonly log: (effect: string) => void) {}

  private all(matches: (screenshot: Screenshot) => boolean): Screenshot[] {
    return structuredClone([...this.stored.values()].filter(matches).sort((a, b) => a.id - b.id));
  }

  async get(id: number): Promise<Screenshot | undefined> {
    return this.all((s) => s.id === id)[0];
  }

  async many(ids: readonly number[]): Promise<Screenshot[]> {
    return this.all((s) => ids.includes(s.id));
  }

  async list(filter: ScreenshotFilter, skip: number, limit: number) {
    const found = this.all((s) => !filter.componentId || s.componentId === filter.componentId);
    return { screenshots: found.slice(skip, skip + limit), total: found.length };
  }

  async attachedUnits(translationIds: readonly number[], name: string, limit: number): Promise<number[]> {
    const found = this.all((s) => translationIds.includes(s.translationId) && (name === '' || s.name === name));
    const ids = new Set(found.flatMap((s) => s.unitIds));
    return [...ids].sort((a, b) => a - b).slice(0, limit);
  }

  async newId(): Promise<number> {
    return ++this.lastId;
  }

  async add(screenshot: Screenshot, events: OutgoingEvent[]): Promise<boolean> {
    if (this.closed) return false;
    this.stored.set(screenshot.id, structuredClone(screenshot));
    this.log(`store screenshot (${events.map((e) => e.payloadName).join()})`);
    return true;
  }

  async replace(screenshot: Screenshot, formerKey: string, events: OutgoingEvent[]): Promise<Screenshot> {
    const { rival } = this;
    this.rival = undefined;
    await rival?.();
    if (this.stored.get(screenshot.id)?.version !== screenshot.version) throw new StaleError();
    const next = { ...screenshot, version: screenshot.version + 1 };
    this.stored.set(next.id, structuredClone(next));
    if (formerKey !== next.image.key) this.obsolete.push({ ownerId: next.id, keys: [formerKey], removed: false });
    this.log(`store screenshot (${events.map((e) => e.payloadName).join()})`);
    return next;
  }

  async attach(id: number, unitId: number, max: number, now: number): Promise<Screenshot | 'full' | null> {
    const stored = this.stored.get(id);
    if (!stored) return null;
    if (stored.unitIds.includes(unitId)) return structuredClone(stored);
    if (stored.unitIds.length >= max) return 'full';
    stored.unitIds.push(unitId);
    stored.updatedMs = now;
    return structuredClone(stored);
  }

  async detach(id: number, unitId: number, now: number): Promise<Screenshot | null> {
    const stored = this.stored.get(id);
    if (!stored?.unitIds.includes(unitId)) return null;
    stored.unitIds = stored.unitIds.filter((unit) => unit !== unitId);
    stored.updatedMs = now;
    return structuredClone(stored);
  }

  async remove({ id }: Pick<Screenshot, 'id'>): Promise<boolean> {
    const stored = this.stored.get(id);
    if (!stored) return false;
    this.stored.delete(id);
    this.obsolete.push({ ownerId: id, keys: [stored.image.key], removed: true });
    this.log('store removal');
    return true;
  }

  async removeOf(scope: ScreenshotScope): Promise<void> {
    const [[field, value]] = Object.entries(scope) as [[keyof Screenshot, number]];
    for (const screenshot of this.all((s) => s[field] === value)) await this.remove(screenshot);
  }

  async expectObject(key: string, untilMs: number): Promise<void> {
    this.expected.set(key, untilMs);
    this.log('expect object');
  }

  async settleObject(key: string): Promise<void> {
    this.expected.delete(key);
    this.log('settle object');
  }

  async strayObjects(now: number, limit: number): Promise<string[]> {
    const inUse = new Set([...this.stored.values()].map((s) => s.image.key));
    const stray = [...this.expected].filter(([key, until]) => until < now && !inUse.has(key));
    return stray.map(([key]) => key).slice(0, limit);
  }

  async waste(limit: number): Promise<ObsoleteObjects[]> {
    return this.obsolete.slice(0, limit);
  }

  async wasteRemoved(waste: ObsoleteObjects): Promise<void> {
    this.obsolete = this.obsolete.filter((one) => one !== waste);
  }
}
