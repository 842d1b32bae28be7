import type { AuditEntry } from '../../src/domain/audit';
import { defaultGroups, defaultRoles } from '../../src/domain/defaults';
import type { Group } from '../../src/domain/group';
import { LINES_MAX, type Mail, type MailPart } from '../../src/domain/mail';
import {
  TakenError,
  type Announcement,
  type AuditFilter,
  type AuditStore,
  type EntityUpdate,
  type GroupFilter,
  type GroupStore,
  type MailStore,
  type Page,
  type ProgressStore,
  type ProjectStore,
  type VersionedStore,
  type RoleStore,
  type PageRequest,
  type UserStore,
} from '../../src/domain/ports';
import type { Project } from '../../src/domain/project';
import type { Role } from '../../src/domain/role';
import { fold, maySignIn, type User } from '../../src/domain/user';

/** Recorded announcements in order; the audit store reads from it. */
export class Announced {
  readonly all: Announcement[] = [];
  get audit(): AuditEntry[] {
    return this.all.flatMap((a) => a.audit);
  }
}

function page<T>(items: T[], pageRequest: PageRequest): Page<T> {
  return { items: items.slice(pageRequest.skip, pageRequest.skip + pageRequest.limit), total: items.length };
}

/** Stores copies, so that callers cannot change stored entities. */
abstract class MemoryRepository<T extends { id: number; version: number }> implements VersionedStore<T> {
  protected readonly stored = new Map<number, T>();
  private last: number;

  constructor(
    private readonly announced: Announced,
    lastId: number,
  ) {
    this.last = lastId;
  }

  protected where(matches: (entity: T) => boolean): T[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((e) => structuredClone(e));
  }

  /** The field in which another entity has the same unique value. */
  protected abstract taken(entity: T): TakenError['field'] | undefined;

  get(id: number): Promise<T | undefined> {
    return Promise.resolve(this.where((e) => e.id === id)[0]);
  }

  many(ids: readonly number[]): Promise<T[]> {
    return Promise.resolve(this.where((e) => ids.includes(e.id)));
  }

  nextId(): Promise<number> {
    return Promise.resolve(++this.last);
  }

  insert(entity: T, announcement: Announcement): Promise<void> {
    const taken = this.stored.has(entity.id) ? 'id' : this.taken(entity);
    if (taken) return Promise.reject(new TakenError(taken));
    this.stored.set(entity.id, structuredClone(entity));
    this.announced.all.push(announcement);
    return Promise.resolve();
  }

  /** Synchronous between read and write, so that concurrent writers are serialized. */
  update(id: number, change: (current: T) => EntityUpdate<T> | undefined): Promise<T | undefined> {
    const stored = this.stored.get(id);
    if (!stored) return Promise.resolve(undefined);
    try {
      const wanted = change(structuredClone(stored));
      if (!wanted) return Promise.resolve(structuredClone(stored));
      const next = { ...wanted.next, version: stored.version + 1 };
      const taken = this.taken(next);
      if (taken) throw new TakenError(taken);
      this.stored.set(id, structuredClone(next));
      this.announced.all.push(wanted.announce);
      return Promise.resolve(next);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }
}

const active = (u: User, nowMs: number) => maySignIn(u, nowMs) && !u.isBot;
const mailable = (u: User, nowMs: number) => active(u, nowMs) && !!u.email;
const askedFor = (u: User, names: readonly string[]) =>
  u.subscriptions.filter((s) => names.includes(s.notification) && s.frequency > 0);

export class MemoryUserStore extends MemoryRepository<User> implements UserStore {
  private lastToken = 0;
  private lastSecondFactor = 0;
  private lastSubscription = 0;
  private readonly failures = new Map<number, { sinceMs: number; count: number }>();

  constructor(announced: Announced) {
    super(announced, 1);
  }

  protected taken(user: User) {
    const others = this.where((u) => u.id !== user.id);
    if (others.some((u) => fold(u.username) === fold(user.username))) return 'username' as const;
    if (user.email && others.some((u) => u.email && fold(u.email) === fold(user.email!))) return 'email' as const;
    return undefined;
  }

  private first(matches: (user: User) => boolean): Promise<User | undefined> {
    return Promise.resolve(this.where(matches)[0]);
  }

  byName = (username: string) => this.first((u) => fold(u.username) === fold(username));
  byEmail = (email: string) => this.first((u) => email !== '' && fold(u.email ?? '') === fold(email));
  byTokenHash = (hash: string) => this.first((u) => u.tokens.some((t) => t.hash === hash));
  byTokenId = (id: number) => this.first((u) => u.tokens.some((t) => t.id === id));

  list(filter: { usernamePrefix?: string; id?: number }, pageRequest: PageRequest): Promise<Page<User>> {
    const prefix = fold(filter.usernamePrefix ?? '');
    const id = filter.id;
    const found = this.where((u) => fold(u.username).startsWith(prefix) && (id === undefined || u.id === id));
    return Promise.resolve(page(found, pageRequest));
  }

  namesContaining(text: string, limit: number): Promise<string[]> {
    const found = this.where(
      (u) => u.projectId === 0 && !u.deleted && [u.username, u.fullName].some((n) => fold(n).includes(fold(text))),
    );
    const names = found.map((u) => u.username).sort((a, b) => (fold(a) < fold(b) ? -1 : 1));
    return Promise.resolve(names.slice(0, limit));
  }

  bots(projectId: number, pageRequest: PageRequest): Promise<Page<User>> {
    const found = this.where((u) => projectId !== 0 && u.projectId === projectId && !u.deleted);
    return Promise.resolve(page(found, pageRequest));
  }

  withTokens(pageRequest: PageRequest): Promise<Page<User>> {
    return Promise.resolve(
      page(
        this.where((u) => u.tokens.length > 0),
        pageRequest,
      ),
    );
  }

  memberIds(groupId: number): Promise<number[]> {
    return Promise.resolve(this.where((u) => u.groups.includes(groupId)).map((u) => u.id));
  }

  subscribedTo(target: { projectId: number } | { componentId: number }): Promise<number[]> {
    const named = this.where((u) =>
      'projectId' in target
        ? u.watched.includes(target.projectId) || u.subscriptions.some((s) => s.projectId === target.projectId)
        : u.subscriptions.some((s) => s.componentId === target.componentId),
    );
    return Promise.resolve(named.map((u) => u.id));
  }

  subscribers(wanted: {
    notifications: readonly string[];
    projectIds: readonly number[];
    groupIds: readonly number[];
    nowMs: number;
  }): Promise<User[]> {
    return Promise.resolve(
      this.where((u) => {
        const asked = askedFor(u, wanted.notifications);
        const near =
          u.watched.some((id) => wanted.projectIds.includes(id)) ||
          u.groups.some((id) => wanted.groupIds.includes(id)) ||
          asked.some((s) => [0, 30, 40].includes(s.scope));
        return mailable(u, wanted.nowMs) && asked.length > 0 && near;
      }),
    );
  }

  digestReaders(notifications: readonly string[], afterId: number, limit: number, nowMs: number): Promise<User[]> {
    const readers = this.where((u) => mailable(u, nowMs) && u.id > afterId && askedFor(u, notifications).length > 0);
    return Promise.resolve(readers.slice(0, limit));
  }

  count(): Promise<number> {
    return Promise.resolve(this.where(() => true).length);
  }

  nextTokenId(): Promise<number> {
    return Promise.resolve(++this.lastToken);
  }

  nextSecondFactorId(): Promise<number> {
    return Promise.resolve(++this.lastSecondFactor);
  }

  nextSubscriptionIds(count: number): Promise<number[]> {
    return Promise.resolve(Array.from({ length: count }, () => ++this.lastSubscription));
  }

  noteTokenUse(userId: number, tokenId: number, timeMs: number): Promise<void> {
    const token = this.stored.get(userId)?.tokens.find((t) => t.id === tokenId);
    if (token) token.lastUsedMs = timeMs;
    return Promise.resolve();
  }

  noteFailedSignIn(userId: number, timeMs: number, windowMs: number): Promise<number> {
    const current = this.failures.get(userId);
    if (current && current.sinceMs > timeMs - windowMs) current.count++;
    else this.failures.set(userId, { sinceMs: timeMs, count: 1 });
    return this.failedSignIns(userId, timeMs, windowMs);
  }

  failedSignIns(userId: number, timeMs: number, windowMs: number): Promise<number> {
    const current = this.failures.get(userId);
    return Promise.resolve(current && current.sinceMs > timeMs - windowMs ? current.count : 0);
  }

  forgetFailedSignIns(userId: number): Promise<void> {
    this.failures.delete(userId);
    return Promise.resolve();
  }

  noteSignIn(userId: number, timeMs: number): Promise<void> {
    const user = this.stored.get(userId);
    if (user) user.lastLoginMs = timeMs;
    this.failures.delete(userId);
    return Promise.resolve();
  }
}

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

export class MemoryProjectStore extends MemoryRepository<Project> implements ProjectStore {
  constructor(announced: Announced) {
    super(announced, 0);
  }

  protected taken() {
    return undefined;
  }

  bySlug = (slug: string) => Promise.resolve(this.where((p) => p.slug === slug)[0]);

  forget(id: number): Promise<void> {
    this.stored.delete(id);
    return Promise.resolve();
  }
}

export class MemoryAuditStore implements AuditStore {
  constructor(private readonly announced: Announced) {}

  list(filter: AuditFilter, pageRequest: PageRequest): Promise<Page<AuditEntry & { id: number }>> {
    const entries = this.announced.audit.map((entry, index) => ({ ...entry, id: index + 1 }));
    const wanted = entries.filter(
      (e) =>
        (filter.actorId === undefined || e.actorId === filter.actorId) &&
        (!filter.action || e.action.startsWith(filter.action)) &&
        (!filter.target || (e.targetKind === filter.target.kind && e.targetId === filter.target.id)),
    );
    return Promise.resolve(page(wanted.reverse(), pageRequest));
  }

  forgetAddresses(actorId: number): Promise<void> {
    for (const entry of this.announced.audit) if (entry.actorId === actorId) entry.clientAddress = '';
    return Promise.resolve();
  }
}

export class MemoryMailStore implements MailStore {
  readonly mails: Mail[] = [];
  private readonly sources = new Set<string>();

  add(source: string, parts: readonly MailPart[]): Promise<void> {
    for (const part of parts) {
      if (this.sources.has(`${source} ${part.key}`)) continue;
      this.sources.add(`${source} ${part.key}`);
      const mail = this.mails.find((m) => m.key === part.key);
      if (mail) {
        mail.lines = [...mail.lines, ...part.lines].slice(0, LINES_MAX);
        mail.count += part.count;
      } else {
        const id = this.mails.length + 1;
        this.mails.push({ ...structuredClone(part), id, state: 'waiting', sentMs: 0, attempts: 0, error: '' });
      }
    }
    return Promise.resolve();
  }

  list(userId: number | undefined, pageRequest: PageRequest): Promise<Page<Mail>> {
    const wanted = this.mails.filter((m) => userId === undefined || m.userId === userId);
    return Promise.resolve(page([...wanted].reverse(), pageRequest));
  }

  claimDue(nowMs: number, untilMs: number): Promise<Mail | undefined> {
    const [mail] = this.mails
      .filter((m) => m.state === 'waiting' && m.dueMs <= nowMs)
      .sort((a, b) => a.dueMs - b.dueMs);
    if (mail) mail.dueMs = untilMs;
    return Promise.resolve(mail && structuredClone(mail));
  }

  settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void> {
    const { state, sentMs, error, dueMs, attempts } = result;
    Object.assign(this.mails.find((m) => m.id === id) ?? {}, { state, sentMs, error, dueMs, attempts });
    return Promise.resolve();
  }

  removeOf(userId: number): Promise<void> {
    this.mails.splice(0, this.mails.length, ...this.mails.filter((m) => m.userId !== userId));
    return Promise.resolve();
  }
}

export class MemoryProgressStore implements ProgressStore {
  private readonly works = new Map<string, { reached: number; planned: number; claimedUntilMs: number }>();

  claim(work: string, from: number, nowMs: number, untilMs: number) {
    const current = this.works.get(work) ?? { reached: from, planned: from, claimedUntilMs: 0 };
    this.works.set(work, current);
    if (current.claimedUntilMs > nowMs) return Promise.resolve(undefined);
    current.claimedUntilMs = untilMs;
    return Promise.resolve({ reached: current.reached, planned: current.planned });
  }

  plan(work: string, to: number): Promise<void> {
    this.works.get(work)!.planned = to;
    return Promise.resolve();
  }

  release(work: string, reached: number): Promise<void> {
    Object.assign(this.works.get(work)!, { reached, claimedUntilMs: 0 });
    return Promise.resolve();
  }
}
