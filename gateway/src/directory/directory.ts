import { countLookup } from '@parlance/telemetry';
import { CallerVerifier, type Caller } from '@parlance/access';
import type { catalog, identity } from '@parlance/contracts';
import { isServiceError, ServiceError } from '@parlance/errors';
import type { CallOptions } from '@parlance/grpc-kit';
import { makeGenerations, type GenerationName, type Generations } from '@parlance/redis';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../clients';
import { callerKey, digestOf, idKey, identityKey } from './cache-keys';
import { toComponentView, toComponentViews, type ComponentView } from './component-view';
import { KnownContents } from './known-contents';
import { MAX_AGE_MS } from './max-age';
import { ReplyCache, type Kept, type KeptReply } from './reply-cache';
import { toTranslationKey, type TranslationKey } from './translation-key';

/** The owner of a token. */
export interface AuthenticatedCaller {
  caller: Caller;
  /** The caller in the form that services expect. */
  signed: string;
  /** Access and catalog generations under which the caller was resolved. */
  seen: string;
  /** The session that was resolved; absent: the credential was a token, or there was none. */
  sessionId?: number;
}

/** A rejected token; cached so that guessing tokens does not cause service calls. */
export interface RejectedToken {
  refused: true;
  seen: string;
}

interface TranslationKeyPage {
  items: readonly TranslationKey[];
  total: number;
}

/** Components of a category and those nested in it, of a component list, or of other projects that a project shows. */
export type ComponentScope =
  { categoryId: number } | { componentListId: number } | { projectId: number; onlyLinks: true };

/** Caller of catalog requests: the gateway itself, because its caches serve every caller. */
type CallerTokenSource = () => string;

/** Maximum number of cached translation keys and ids of components. */
const MAX_ITEMS = 200_000;

/**
 * Caches callers by token, and projects, components, languages and users by the keys of requests and responses.
 * Entries are dropped when the generation of their data changes, so a revoked token or a renamed project takes effect
 * with the next request on every gateway.
 */
export class Directory {
  private readonly callers = new LRUCache<string, AuthenticatedCaller | RejectedToken>({
    max: 10_000,
    ttl: MAX_AGE_MS,
  });
  private readonly users = new LRUCache<number, identity.User__Output>({ max: 20_000, ttl: MAX_AGE_MS });
  private readonly projects = new LRUCache<string, catalog.Project__Output>({ max: 10_000, ttl: MAX_AGE_MS });
  private readonly components = new LRUCache<string, ComponentView>({ max: 20_000, ttl: MAX_AGE_MS });
  private readonly languages = new LRUCache<string, catalog.Language__Output>({ max: 5_000, ttl: MAX_AGE_MS });
  private readonly hidden = new LRUCache<string, catalog.ListHiddenResponse__Output>({ max: 10_000, ttl: MAX_AGE_MS });
  private readonly visibleObjects = new LRUCache<string, object>({ max: 20_000, ttl: MAX_AGE_MS });
  private readonly replies = new ReplyCache();
  /** What paths show, for replies that end with their contents. */
  readonly contents = new KnownContents();
  private readonly componentIds = new LRUCache<string, number[]>({
    maxSize: MAX_ITEMS,
    sizeCalculation: (ids) => ids.length + 1,
    ttl: MAX_AGE_MS,
  });
  private readonly translationKeys = new LRUCache<string, TranslationKeyPage>({
    maxSize: MAX_ITEMS,
    sizeCalculation: ({ items }) => items.length + 1,
    ttl: MAX_AGE_MS,
  });
  /** Observed changes of generations. */
  private epoch = 0;
  private generations = makeGenerations(() => '');
  private readonly verifier: CallerVerifier;

  constructor(
    private readonly clients: Clients,
    private readonly callerToken: CallerTokenSource,
    serviceSecret: string,
  ) {
    this.verifier = new CallerVerifier(serviceSecret);
  }

  /** The catalog generation that responses are based on; sent to services. */
  get catalogGeneration(): string {
    return this.generations.catalog;
  }

  /** Generation of the data that the translation service caches; services receive it. */
  get stringsGeneration(): string {
    return this.generations.strings;
  }

  /** '' before its first value. */
  generation(name: GenerationName): string {
    return this.generations[name];
  }

  private generationOptions(): { catalogGeneration: string; stringsGeneration: string } {
    return { catalogGeneration: this.generations.catalog, stringsGeneration: this.generations.strings };
  }

  /** Both counters; values that were read under other generations must not be used. */
  private get seen(): string {
    return `${this.generations.access}/${this.generations.catalog}`;
  }

  /** Whether the resolved caller is still valid. */
  isCurrent(caller: AuthenticatedCaller | RejectedToken | null): boolean {
    return caller?.seen === this.seen;
  }

  /** Drops entries that are older than the counters. */
  observe(generations: Generations): void {
    const access = generations.access !== this.generations.access;
    const catalog = generations.catalog !== this.generations.catalog;
    const strings = generations.strings !== this.generations.strings;
    if (access) this.users.clear();
    if (catalog) for (const cache of [this.projects, this.components, this.languages]) cache.clear();
    // Grants refer to components of lists and projects by id, so callers depend on the catalog, too.
    if (access || catalog)
      for (const cache of [this.callers, this.hidden, this.visibleObjects, this.replies, this.componentIds])
        cache.clear();
    if (catalog) this.contents.forgetPaths();
    if (strings) this.translationKeys.clear();
    if (access || catalog || strings) this.epoch++;
    this.generations = generations;
  }

  /** Resolves a token to its owner; '' is the anonymous caller. */
  async caller(token: string): Promise<AuthenticatedCaller | RejectedToken> {
    return this.resolve(token === '' ? '' : `token:${digestOf(token)}`, () =>
      this.clients.identity.authenticate({ token }, { as: this.callerToken() }),
    );
  }

  /** Resolves the secret of a session to its user. */
  async sessionCaller(secret: string): Promise<AuthenticatedCaller | RejectedToken> {
    return this.resolve(`session:${digestOf(secret)}`, () =>
      this.clients.identity.authenticateSession({ secret }, { as: this.callerToken() }),
    );
  }

  private async resolve(
    key: string,
    authenticate: () => Promise<{ signedPrincipal: string; cacheMs: number; sessionId?: number }>,
  ): Promise<AuthenticatedCaller | RejectedToken> {
    const known = countLookup('callers', this.callers.get(key));
    if (known) return known;
    const { seen } = this;
    let caller: AuthenticatedCaller | RejectedToken;
    let ttl = MAX_AGE_MS;
    try {
      const { sessionId, ...answer } = await authenticate();
      const verified = { caller: this.verifier.verify(answer.signedPrincipal), signed: answer.signedPrincipal, seen };
      caller = sessionId === undefined ? verified : { ...verified, sessionId };
      ttl = Math.max(1, Math.min(answer.cacheMs, MAX_AGE_MS));
    } catch (error) {
      if (!isServiceError(error, 'AUTHENTICATION_FAILED')) throw error;
      caller = { refused: true, seen };
    }
    // A value that was read while a generation changed may be outdated.
    if (seen === this.seen) this.callers.set(key, caller, { ttl });
    return caller;
  }

  async project(slug: string): Promise<catalog.Project__Output | undefined> {
    return this.fetchCached(
      'projects',
      this.projects,
      `slug:${slug}`,
      async () => (await this.clients.catalog.getProject({ slug }, this.callOptions())).project,
    );
  }

  async component(projectSlug: string, path: string): Promise<ComponentView | undefined> {
    return this.fetchCached('components', this.components, `path:${projectSlug}/${path}`, async () =>
      toComponentView(await this.clients.catalog.getComponent({ projectSlug, path }, this.callOptions())),
    );
  }

  /** Components by id; deleted ones are missing. Loads unknown ones with one call. */
  async componentsById(ids: Iterable<number>): Promise<Map<number, ComponentView>> {
    return this.fetchMany('components', this.components, ids, idKey, async (missing) =>
      toComponentViews(await this.clients.catalog.batchGetComponents({ ids: missing }, this.callOptions())).map(
        (entry) => [entry.component.id, entry],
      ),
    );
  }

  async projectsById(ids: Iterable<number>): Promise<Map<number, catalog.Project__Output>> {
    return this.fetchMany('projects', this.projects, ids, idKey, async (missing) =>
      (await this.clients.catalog.batchGetProjects({ ids: missing }, this.callOptions())).projects.map((p) => [
        p.id,
        p,
      ]),
    );
  }

  async language(code: string): Promise<catalog.Language__Output | undefined> {
    return (await this.languagesByCode([code])).get(code);
  }

  async languagesByCode(codes: Iterable<string>): Promise<Map<string, catalog.Language__Output>> {
    return this.fetchMany('languages', this.languages, codes, identityKey, async (missing) =>
      (await this.clients.catalog.batchGetLanguages({ codes: missing }, this.callOptions())).languages.map((l) => [
        l.code,
        l,
      ]),
    );
  }

  async usersById(ids: Iterable<number>): Promise<Map<number, identity.User__Output>> {
    return this.fetchMany('users', this.users, ids, identityKey, async (missing) =>
      (await this.clients.identity.batchGetUsers({ ids: missing }, { as: this.callerToken() })).users.map((u) => [
        u.id,
        u,
      ]),
    );
  }

  /** Objects that are hidden from the caller; excluded from every list and statistic. */
  async hiddenFrom(
    entered: Pick<AuthenticatedCaller, 'caller' | 'signed'>,
  ): Promise<catalog.ListHiddenResponse__Output> {
    const { caller } = entered;
    if (caller.isSuperuser && !caller.onlyProjects) return { projectIds: [], componentIds: [] };
    return this.readThrough('hidden', this.hidden, callerKey(caller), () =>
      this.clients.catalog.listHidden({}, { as: entered.signed, ...this.generationOptions() }),
    );
  }

  /**
   * Ids of the components in a scope that the caller may see, ascending.
   * @throws NOT_FOUND for a hidden scope
   */
  async componentIdsIn(
    { caller, signed }: Pick<AuthenticatedCaller, 'caller' | 'signed'>,
    scope: ComponentScope,
  ): Promise<number[]> {
    const key = `${callerKey(caller)} ${Object.entries(scope).join(' ')}`;
    const ids = await this.fetchCached(
      'component-ids',
      this.componentIds,
      key,
      async () => (await this.clients.catalog.listComponentIds(scope, { as: signed, ...this.generationOptions() })).ids,
    );
    if (!ids) throw new ServiceError('NOT_FOUND');
    return ids;
  }

  /**
   * An object as the caller sees it, of a service whose writes change the access or the catalog generation.
   * @param name unique among the objects of its kind
   * @throws NOT_FOUND
   */
  async visibleObject<V extends object>(
    kind: 'category' | 'component-list' | 'language' | 'user',
    caller: Caller,
    name: string,
    read: () => Promise<V | null>,
  ): Promise<V> {
    const key = `${kind} ${callerKey(caller)} ${name}`;
    // The kind in the key determines the type.
    const value = (await this.readThrough('visible-objects', this.visibleObjects, key, read)) as V | null;
    if (!value) throw new ServiceError('NOT_FOUND');
    return value;
  }

  /**
   * The kept reply to a caller, and how to keep another.
   * @param generation of the data that it shows besides access and catalog
   */
  keptReply(
    caller: Caller,
    address: string,
    generation: string,
  ): { known: KeptReply | undefined; keep: (kept: Kept) => void } {
    const key = `${callerKey(caller)} ${address}`;
    const generations = `${this.seen}/${generation}`;
    return {
      known: this.replies.get(key, generations),
      keep: (kept) => this.replies.set(key, generations, kept),
    };
  }

  /** A page of the translations of a component, ordered by id. The caller's sight of the component must have been checked. */
  async translationKeysOf(
    componentId: number,
    page: { page: number; pageSize: number },
    options: CallOptions,
  ): Promise<TranslationKeyPage> {
    const key = `page ${componentId} ${page.page} ${page.pageSize}`;
    const found = await this.fetchCached('translations', this.translationKeys, key, async () => {
      const answer = await this.clients.translation.listTranslations({ page, componentIds: [componentId] }, options);
      return { items: answer.translations.map(toTranslationKey), total: answer.total };
    });
    if (!found) throw new ServiceError('NOT_FOUND');
    return found;
  }

  /** A translation by its language. The caller's sight of the component must have been checked. */
  async translationKey(
    componentId: number,
    languageCode: string,
    options: CallOptions,
  ): Promise<TranslationKey | undefined> {
    const page = await this.fetchCached(
      'translations',
      this.translationKeys,
      `language ${componentId} ${languageCode}`,
      async () => {
        const { translation } = await this.clients.translation.getTranslation({ componentId, languageCode }, options);
        return translation && { items: [toTranslationKey(translation)], total: 1 };
      },
    );
    return page?.items[0];
  }

  /** Returns whether a value read since this call may be cached: no generation changed in between. */
  private trackGenerations(): () => boolean {
    const { epoch } = this;
    return () => epoch === this.epoch;
  }

  private callOptions() {
    return { as: this.callerToken(), ...this.generationOptions() };
  }

  /** Returns cached objects and loads the others with one call; 0 and '' are ignored. */
  private async fetchMany<Name extends number | string, Key extends number | string, V extends object>(
    cacheName: string,
    cache: LRUCache<Key, V>,
    names: Iterable<Name>,
    keyOf: (name: Name) => Key,
    read: (missing: Name[]) => Promise<[Name, V][]>,
  ): Promise<Map<Name, V>> {
    const found = new Map<Name, V>();
    const missing: Name[] = [];
    for (const name of new Set(names)) {
      if (!name) continue;
      const known = countLookup(cacheName, cache.get(keyOf(name)));
      if (known) found.set(name, known);
      else missing.push(name);
    }
    if (missing.length > 0) {
      const isUnchanged = this.trackGenerations();
      for (const [name, value] of await read(missing)) {
        if (isUnchanged()) cache.set(keyOf(name), value);
        found.set(name, value);
      }
    }
    return found;
  }

  /** Returns the cached value, or reads it and caches it unless it is missing or a generation changed in between. */
  private async readThrough<V extends object, R extends V | null | undefined>(
    cacheName: string,
    cache: LRUCache<string, V>,
    key: string,
    read: () => Promise<R>,
  ): Promise<V | R> {
    const known = countLookup(cacheName, cache.get(key));
    if (known) return known;
    const isUnchanged = this.trackGenerations();
    const value = await read();
    if (value && isUnchanged()) cache.set(key, value);
    return value;
  }

  /** Like `readThrough`; undefined if there is none. */
  private async fetchCached<V extends object>(
    cacheName: string,
    cache: LRUCache<string, V>,
    key: string,
    read: () => Promise<V | null | undefined>,
  ): Promise<V | undefined> {
    try {
      return (await this.readThrough(cacheName, cache, key, read)) ?? undefined;
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return undefined;
      throw error;
    }
  }
}
