import type { Page, PageRequest, UserStore } from '../../../src/domain/ports';
import { fold, maySignIn, type User } from '../../../src/domain/user';
import type { Announced } from './announced';
import { MemoryRepository } from './memory-repository';
import { page } from './page';

const active = (u: User, nowMs: number) => maySignIn(u, nowMs) && !u.isBot;
const mailable = (u: User, nowMs: number) => active(u, nowMs) && !!u.email;
const askedFor = (u: User, names: readonly string[]) =>
  u.subscriptions.filter((s) => names.includes(s.notification) && s.frequency > 0);

export class MemoryUserStore extends MemoryRepository<User> implements UserStore {
  private lastToken = 0;
  private lastSecondFactor = 0;
  private lastSubscription = 0;

  constructor(announced: Announced) {
    super(announced, 1);
  }

  protected taken(user: User) {
    const others = this.where((u) => u.id !== user.id);
    if (others.some((u) => fold(u.username) === fold(user.username))) return 'username' as const;
    if (user.email && others.some((u) => u.email && fold(u.email) === fold(user.email!))) return 'email' as const;
    if (user.externalKey && others.some((u) => u.externalKey === user.externalKey)) return 'externalKey' as const;
    return undefined;
  }

  private first(matches: (user: User) => boolean): Promise<User | undefined> {
    return Promise.resolve(this.where(matches)[0]);
  }

  byName = (username: string) => this.first((u) => fold(u.username) === fold(username));
  byEmail = (email: string) => this.first((u) => email !== '' && fold(u.email ?? '') === fold(email));
  byExternalKey = (key: string) => this.first((u) => u.externalKey === key);
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

  noteSignIn(userId: number, timeMs: number): Promise<void> {
    const user = this.stored.get(userId);
    if (user) user.lastLoginMs = timeMs;
    return Promise.resolve();
  }
}
