import { evaluate } from '@parlance/search';
import {
  BrokenIndexError,
  documentId,
  type IndexBlock,
  type IndexState,
  type OpenTranslation,
  type SearchIndexReader,
  type SearchIndexWriter,
  type UnitTexts,
} from '../../../../src/domain/search/ports';
import { groups, type Group } from '../../../../src/domain/counters';
import type { TranslationFilter } from '../../../../src/domain/ports';
import type { StoredPart } from '../../../../src/domain/search/dictionary';
import type { UnitQuery } from '../../../../src/domain/unit-query';

/** A search index and the units that it indexes, on maps. */
export class MemorySearchIndexStore implements SearchIndexReader, SearchIndexWriter {
  readonly units = new Map<number, UnitTexts>();
  /** Units that were written since they were indexed. */
  readonly fresh = new Set<number>();
  readonly open = new Map<number, OpenTranslation>();
  /** Runs before the versions of blocks are read. */
  afterMarks: (() => Promise<void>) | undefined;
  readonly documents = new Map<string, { data: Buffer; starts?: number[] }>();
  private readonly stored = new Map<number, IndexBlock>();
  private current: IndexState | null = null;
  private holder: string | undefined;

  /** Writes a unit as an edit does. */
  write(id: number, translation: number, text: string): void {
    const version = (this.units.get(id)?.version ?? 0) + 1;
    this.units.set(id, { id, version, translation, source: [text], target: [''], context: '' });
    this.fresh.add(id);
  }

  /** Marks a translation as an import does. */
  openTranslation(translation: number, removal = false, time = 0): void {
    this.open.set(translation, { translation, mark: `mark ${this.open.size}`, time, removal });
  }

  /** Deletes a block, although the state lists it. */
  loseBlock(id: number): void {
    this.stored.delete(id);
  }

  /** Ids of the units that a query selects, as a scan finds them. */
  async idsOf(query: UnitQuery): Promise<number[]> {
    return [...this.units.values()].filter((unit) => meets(unit, query)).map(({ id }) => id);
  }

  async pageAfter(query: UnitQuery, after: number, size: number): Promise<UnitTexts[]> {
    const ids = (await this.idsOf(query)).filter((id) => id > after).sort((a, b) => a - b);
    return this.many(ids.slice(0, size));
  }

  async many(ids: readonly number[]): Promise<UnitTexts[]> {
    return ids.flatMap((id) => this.units.get(id) ?? []);
  }

  async sumGroups([filter]: readonly TranslationFilter[]): Promise<Record<Group, number>> {
    const units = [...this.units.values()].filter(
      ({ translation }) => filter?.translations?.includes(translation) ?? true,
    );
    return { ...(Object.fromEntries(groups.map((group) => [group, 0])) as Record<Group, number>), all: units.length };
  }

  async state(): Promise<IndexState | null> {
    return this.current && { ...this.current };
  }

  async freshUnits(limit: number): Promise<{ id: number; translation: number }[]> {
    return [...this.fresh].slice(0, limit).map((id) => ({ id, translation: this.units.get(id)!.translation }));
  }

  async openTranslations(): Promise<OpenTranslation[]> {
    return [...this.open.values()];
  }

  async blockVersions(): Promise<Map<number, string>> {
    await this.afterMarks?.();
    return new Map([...this.stored].map(([id, { version }]) => [id, version]));
  }

  async blocks(ids: readonly number[]): Promise<IndexBlock[]> {
    return ids.flatMap((id) => this.stored.get(id) ?? []);
  }

  private document(id: string): { data: Buffer; starts?: number[] } {
    const found = this.documents.get(id);
    if (!found) throw new BrokenIndexError(`document ${id} is missing`);
    return found;
  }

  async part(block: Pick<IndexBlock, 'id' | 'generation'>, part: number): Promise<StoredPart> {
    const { data, starts } = this.document(documentId(block, String(part)));
    return { words: data, starts: starts! };
  }

  async chunks(block: Pick<IndexBlock, 'id' | 'generation'>, keys: readonly string[]): Promise<Uint8Array[]> {
    return keys.map((key) => this.document(documentId(block, key)).data);
  }

  async requestRebuild(): Promise<void> {
    this.current = { ready: false, since: 0, blocks: [] };
  }

  async lease(holder: string): Promise<boolean> {
    this.holder ??= holder;
    return this.holder === holder;
  }

  async releaseLease(holder: string): Promise<void> {
    if (this.holder === holder) this.holder = undefined;
  }

  async createState(since: number): Promise<void> {
    this.current ??= { ready: false, since, blocks: [] };
  }

  async anyUnit(): Promise<boolean> {
    return this.units.size > 0;
  }

  async beginBuild(): Promise<void> {
    this.stored.clear();
    for (const { translation } of this.units.values()) this.openTranslation(translation);
    this.current = { ready: true, since: 0, blocks: [] };
  }

  async freshTexts(limit: number): Promise<UnitTexts[]> {
    return [...this.fresh].slice(0, limit).map((id) => this.units.get(id)!);
  }

  async textsAfter(translation: number, after: number, limit: number): Promise<UnitTexts[]> {
    const found = [...this.units.values()].filter((unit) => unit.translation === translation && unit.id > after);
    return found.sort((a, b) => a.id - b.id).slice(0, limit);
  }

  async clearFresh(units: readonly Pick<UnitTexts, 'id' | 'version'>[]): Promise<void> {
    for (const { id, version } of units) if (this.units.get(id)?.version === version) this.fresh.delete(id);
  }

  async clearOpen({ translation, mark }: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void> {
    if (this.open.get(translation)?.mark === mark) this.open.delete(translation);
  }

  async abandonOpen(open: Pick<OpenTranslation, 'translation' | 'mark'>): Promise<void> {
    await this.clearOpen(open);
  }

  async addDocuments(documents: readonly { id: string; data: Buffer; starts?: number[] }[]): Promise<void> {
    for (const { id, ...document } of documents) this.documents.set(id, document);
  }

  async replaceBlock(block: IndexBlock, version: string | null): Promise<boolean> {
    if ((this.stored.get(block.id)?.version ?? null) !== version) return false;
    const blocks = new Set([...this.current!.blocks, block.id]);
    this.current = { ...this.current!, blocks: [...blocks] };
    this.stored.set(block.id, block);
    return true;
  }

  async deleteGarbage(before: number): Promise<void> {
    for (const id of this.documents.keys()) {
      const [block, generation] = id.split('.');
      const isCurrent = this.stored.get(Number(block))?.generation === generation;
      if (!isCurrent && parseInt(generation!, 36) < before) this.documents.delete(id);
    }
  }
}

function meets(unit: UnitTexts, query: UnitQuery): boolean {
  switch (query.kind) {
    case 'and':
      return query.all.every((part) => meets(unit, part));
    case 'ids':
      return query.ids.includes(unit.id);
    case 'translations':
      return query.ids.includes(unit.translation);
    case 'search':
      return evaluate(query.query, { source: unit.source, target: unit.target, context: unit.context, state: 0 });
    default:
      throw new Error(`queries of kind ${query.kind} are not evaluated in memory`);
  }
}
