import type { Caller, Grant, Permission } from '@parlance/access';
import { RecentUnits } from '../../../src/app/caches/recent-units';
import { UnitEvaluatorCache } from '../../../src/app/caches/unit-evaluator-cache';
import { KeyedMutex } from '../../../src/app/keyed-mutex';
import type { Change } from '../../../src/domain/change';
import type { Component } from '../../../src/domain/component';
import type { IdKind, LastChange, OutboxItem } from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';
import { contentHash, idHash, type Author, type Unit } from '../../../src/domain/unit';
import { language, sampleComponent, sampleTranslation, sampleUnit } from '../samples';
import { MemoryHistory } from './history-store';
import { MemoryRemovalStore } from './removal-store';
import { MemoryCommentStore, MemorySuggestionStore } from './remark-stores';
import { MemoryMarkedTranslationStore } from './marked-translation-store';
import { MemoryQueriedUnitStore } from './unit-query-store';
import { uncached } from '../uncached';

export { fieldsOf, reasonOf } from '@parlance/testing';

/** A string of a component: its source unit and its Czech translation. */
export interface Pair {
  source: Unit;
  unit: Unit;
}

/** Use cases of strings on stores in memory, with hand-written collaborators that record their calls in order. */
export class StringsWorld {
  readonly effects: string[] = [];
  /** History entries of settled writes. */
  readonly changes: Change[] = [];
  private readonly log = (effect: string) => void this.effects.push(effect);
  readonly units = new MemoryQueriedUnitStore(this.log);
  readonly translations = new MemoryMarkedTranslationStore(this.log);
  readonly suggestions = new MemorySuggestionStore(this.log);
  readonly comments = new MemoryCommentStore(this.log);
  readonly removals = new MemoryRemovalStore(this.log);
  /** Users that were deleted. */
  readonly deleted: Author[] = [];
  readonly components = new Map<number, Component>();
  readonly authors = new Map<number, Author>();
  /** Users who accepted agreements. */
  readonly agreed = new Set<number>();
  nowMs = 1_000_000;

  private readonly lastIds = new Map<IdKind, number>();

  private settle(unit: number, item: OutboxItem): void {
    this.changes.push(...item.changes);
    this.log(`settle unit ${unit}`);
  }

  readonly deps = {
    units: this.units,
    translations: this.translations,
    suggestions: this.suggestions,
    comments: this.comments,
    removals: this.removals,
    changes: new MemoryHistory(this.changes, this.log),
    ids: {
      next: async (kind: IdKind) => (await this.range(kind, 1))[0]!,
      range: (kind: IdKind, count: number) => this.range(kind, count),
    },
    now: () => this.nowMs,
    effects: {
      settle: async (unit: number, item: OutboxItem, _last: LastChange | null, finish?: () => Promise<void>) => {
        this.settle(unit, item);
        await finish?.();
        return null;
      },
      recountTranslation: async (translation: number) => this.log(`recount translation ${translation}`),
      settleMany: async (_translation: number, entries: { unit: number; item: OutboxItem }[]) => {
        for (const { unit, item } of entries) this.settle(unit, item);
        return null;
      },
    },
    newContributors: { record: () => this.log('record contributor') },
    catalog: {
      component: async (id: number) => this.components.get(id) ?? null,
      forget: (_id: number): void => undefined,
    },
    catalogGeneration: { current: async () => '', replace: async () => this.log('replace catalog generation') },
    translationInfo: this.translations,
    evaluators: new UnitEvaluatorCache(),
    projectFonts: { clear: () => undefined },
    sourceFlags: {
      of: async ({ sourceUnit }: Pick<Unit, 'sourceUnit'>) => (await this.units.get(sourceUnit))?.extraFlags ?? '',
    },
    projectTranslations: {
      of: async (project: number, code: string) =>
        [...this.components.values()]
          .filter((c) => c.project === project)
          .map(({ id }) => ({ translation: this.translationOf(id, code), component: id, strings: 1 })),
    },
    agreements: { accepted: async (_: Component, userId: number) => this.agreed.has(userId) },
    recentUnits: new RecentUnits(),
    unitMutex: new KeyedMutex<number>(),
    cacheGeneration: { changed: async () => this.log('invalidate caches') },
    contents: { ...uncached },
    glossary: {
      terms: async () => [],
      storedTerms: async () => [],
      termsChanged: async (_project: number, code: string | null) => this.log(`terms changed ${code ?? 'everywhere'}`),
    },
    announcer: {
      updated: async ({ id }: Translation) => this.log(`announce translation ${id}`),
      deleted: async ({ id }: Translation) => this.log(`announce deletion of translation ${id}`),
    },
    history: { insert: async (changes: readonly Change[]) => void this.changes.push(...changes) },
    contextChecks: { run: async () => this.log('run context checks'), scheduleRecheck: () => undefined },
    entities: {
      author: async (id: number) => this.authors.get(id) ?? null,
      deletedUsers: async (ids: readonly number[]) => this.deleted.filter(({ userId }) => ids.includes(userId)),
      userWithEmail: async (email: string) => {
        const found = [...this.authors.values()].find((a) => a.email === email);
        return found ? { id: found.userId, username: found.username } : null;
      },
    },
  };

  private async range(kind: IdKind, count: number): Promise<number[]> {
    const last = this.lastIds.get(kind) ?? (kind === 'unit' ? 1_000 : 0);
    this.lastIds.set(kind, last + count);
    return Array.from({ length: count }, (_, i) => last + i + 1);
  }

  private translationOf(component: number, code: string): number {
    return component * 10 + (code === 'en' ? 0 : 1);
  }

  /** A component with its English source and its Czech translation: translations 10 × id and 10 × id + 1. */
  component(
    id: number,
    settings: Partial<Component> = {},
  ): { component: Component; source: Translation; czech: Translation } {
    const component = sampleComponent(id, settings);
    this.components.set(id, component);
    const english = { language: language('en'), fileLanguageCode: 'en', isSource: true };
    const source = sampleTranslation(id * 10, { component: id, ...english, filename: component.template });
    const czech = sampleTranslation(id * 10 + 1, { component: id });
    this.translations.put(source, czech);
    return { component, source, czech };
  }

  /** Adds a string to a component; the ids of its units are `id` and `id + 500`. */
  string(
    component: number,
    id: number,
    text: string,
    fields: Partial<Unit> = {},
    sourceFields: Partial<Unit> = {},
  ): Pair {
    const { template } = this.components.get(component)!;
    const english = sampleTranslation(component * 10, { component, language: language('en'), isSource: true });
    const common = { key: idHash(template !== '', '', [text]), contentHash: contentHash('', [text]), source: [text] };
    const more = { ...common, sourceUnit: id + 500 };
    const source = sampleUnit(english, id + 500, { ...more, target: [text], state: 20, ...sourceFields });
    const unit = sampleUnit(sampleTranslation(component * 10 + 1, { component }), id, { ...more, ...fields });
    this.units.put(source, unit);
    return { source, unit };
  }

  /** Adds a comment by user 3 to a unit of translation 11. */
  async comment(id: number, unit: number, text: string): Promise<void> {
    await this.comments.insert({ id, unit, translation: 11, component: 1, project: 1, text, user: 3, time: 1 });
    this.effects.length = 0;
  }

  /** A user with permissions on every project. */
  user(userId: number, permissions: Permission[], more: Partial<Caller> = {}): Caller {
    const username = `user-${userId}`;
    const grants: Grant[] = [{ permissions, projects: 'all' }];
    const email = `${username}@example.com`;
    const author = { userId, username, fullName: `User ${userId}`, email };
    this.authors.set(userId, author);
    return { ...author, isSuperuser: false, isBot: false, anonymous: false, grants, ...more };
  }
}
