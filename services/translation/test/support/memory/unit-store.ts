import type {
  OutboxItem,
  PendingUnits,
  SharedStrings,
  UnitInserter,
  UnitKeys,
  UnitReader,
  UnitRemoval,
  UnitRemover,
  UnitWrite,
  UnitWriter,
} from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';
import { isBlank, sameTexts, textKey, type Unit } from '../../../src/domain/unit';

type Port = UnitReader & UnitWriter & UnitKeys & UnitInserter & UnitRemover & SharedStrings & PendingUnits;

/** Units in memory. Stores copies, so that use cases cannot change stored units. */
export class MemoryUnitStore implements Port {
  protected readonly stored = new Map<number, Unit>();
  /** Outbox items of writes, by unit. */
  readonly outbox = new Map<number, OutboxItem[]>();
  /** A concurrent writer: runs once, before the next conditional write. */
  rival: (() => Promise<void> | void) | undefined;

  constructor(protected readonly log: (effect: string) => void) {}

  /** Stores units as they are. */
  put(...units: readonly Unit[]): void {
    for (const unit of units) this.stored.set(unit.id, structuredClone(unit));
  }

  protected select(matches: (unit: Unit) => boolean): Unit[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((unit) => structuredClone(unit));
  }

  async get(id: number): Promise<Unit | null> {
    return this.select((u) => u.id === id)[0] ?? null;
  }

  async many(ids: readonly number[]): Promise<Unit[]> {
    return this.select((u) => ids.includes(u.id));
  }

  async ofTranslation(translation: number): Promise<Unit[]> {
    return this.select((u) => u.translation === translation).sort((a, b) => a.position - b.position);
  }

  async ofSourceUnit({ id }: Pick<Unit, 'id'>): Promise<Unit[]> {
    return this.select((u) => u.sourceUnit === id);
  }

  async byKey(translation: number, key: string): Promise<Unit | null> {
    return this.select((u) => u.translation === translation && u.key === key)[0] ?? null;
  }

  async addedKeys(translation: number, keys: readonly string[]): Promise<Set<string>> {
    const units = this.select((u) => u.translation === translation && keys.includes(u.key));
    return new Set(units.map((u) => u.key));
  }

  async findContext(
    translation: number,
    contexts: readonly string[],
    prefixes: readonly string[],
  ): Promise<string | null> {
    const found = this.select(
      (u) =>
        u.translation === translation &&
        (contexts.includes(u.context) || prefixes.some((prefix) => u.context.startsWith(prefix))),
    );
    return found[0]?.context ?? null;
  }

  async twins(project: number, language: string | null, contentHashes: readonly string[]): Promise<Unit[]> {
    return this.select(
      (u) =>
        u.project === project &&
        (language === null || u.language === language) &&
        contentHashes.includes(u.contentHash),
    );
  }

  async withTexts(project: number, language: string, texts: readonly (readonly string[])[]): Promise<Unit[]> {
    return this.select(
      (u) => u.project === project && u.language === language && texts.some((text) => sameTexts(text, u.target)),
    );
  }

  async eachTextKey(translations: readonly number[], visit: (key: number) => void): Promise<void> {
    for (const { target } of this.select((u) => translations.includes(u.translation) && !isBlank(u.target)))
      visit(textKey(target));
  }

  async write(write: UnitWrite | UnitRemoval): Promise<boolean> {
    const { rival } = this;
    this.rival = undefined;
    await rival?.();
    const unit = this.stored.get(write.unit);
    if (unit?.version !== write.version) return false;
    if ('patch' in write)
      this.stored.set(unit.id, structuredClone({ ...unit, ...write.patch, version: unit.version + 1 }));
    else this.stored.delete(unit.id);
    if (write.outbox) this.outbox.set(write.unit, [...(this.outbox.get(write.unit) ?? []), write.outbox]);
    this.log(`${'patch' in write ? 'store' : 'remove'} unit ${unit.id}`);
    return true;
  }

  async writeMany(writes: readonly UnitWrite[]): Promise<number[]> {
    const late: number[] = [];
    for (const write of writes) if (!(await this.write(write))) late.push(write.unit);
    return late;
  }

  async insert(units: readonly Unit[]): Promise<void> {
    this.put(...units);
  }

  async insertNew(units: readonly Unit[]): Promise<number[]> {
    const refused = units.filter((unit) => this.has(unit));
    this.put(...units.filter((unit) => !refused.includes(unit)));
    return refused.map((unit) => unit.id);
  }

  private has({ translation, key }: Unit): boolean {
    return this.select((u) => u.translation === translation && u.key === key).length > 0;
  }

  async addMany(insertions: readonly { unit: Unit; outbox: OutboxItem }[]): Promise<number[]> {
    return this.insertNew(insertions.map(({ unit }) => unit));
  }

  private remove(matches: (unit: Unit) => boolean): number {
    const doomed = this.select(matches);
    for (const { id } of doomed) this.stored.delete(id);
    return doomed.length;
  }

  async removeMany(ids: readonly number[]): Promise<number> {
    return this.remove((u) => ids.includes(u.id));
  }

  async beginRemoval({ id }: Pick<Translation, 'id'>): Promise<void> {
    this.log(`begin removal of translation ${id}`);
  }

  async removeOfTranslation({ id }: Pick<Translation, 'id'>): Promise<void> {
    this.log(`remove units of translation ${id}`);
    this.remove((u) => u.translation === id);
  }

  async removeUnlisted(component: number): Promise<void> {
    this.log(`remove unlisted units of component ${component}`);
    this.remove((u) => u.component === component);
  }

  async pendingOfComponent(component: number): Promise<Unit[]> {
    return this.select((u) => u.component === component && u.edits.length > 0);
  }

  async pendingOfTranslation({ id }: Pick<Translation, 'id'>): Promise<Unit[]> {
    return this.select((u) => u.translation === id && u.edits.length > 0);
  }

  async pendingVersions(translation: Pick<Translation, 'id'>): Promise<{ id: number; version: number }[]> {
    return (await this.pendingOfTranslation(translation)).map(({ id, version }) => ({ id, version }));
  }

  async pendingOfAuthor(components: readonly number[], user: number): Promise<Unit[]> {
    return this.select((u) => components.includes(u.component) && u.edits.some((e) => e.author.userId === user));
  }

  async anyPending(components: readonly number[]): Promise<boolean> {
    return this.select((u) => components.includes(u.component) && u.edits.length > 0).length > 0;
  }
}
