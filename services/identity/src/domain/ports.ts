import type { AuditEntry } from './audit';
import type { ExternalClaims, ExternalProof } from './sign-in/external-identity';
import type { Group } from './permissions/group';
import type { NotifiableChange } from './notifications/notifiable-change';
import type { Mail, MailPart } from './notifications/mail';
import type { Project } from './project';
import type { Role } from './permissions/role';
import type { User } from './user';
import type { CredentialKind, WebCredential } from './sign-in/web-credential';

/** Events and audit entries of a write, stored with it and published afterwards. */
export interface Announcement {
  audit: AuditEntry[];
  /** Users whose cached permissions are stale; empty: all users; absent: none. */
  accessChanged?: number[];
  /** The user was anonymised. */
  userDeleted?: { userId: number; replacementUsername: string };
}

/** A new state of an entity and its announcement. */
export interface EntityUpdate<T> {
  next: T;
  announce: Announcement;
}

/** A page of a list and the length of the list. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** The requested page of a list. */
export interface PageRequest {
  skip: number;
  limit: number;
}

/** Thrown by stores if a unique value is taken. */
export class TakenError extends Error {
  constructor(readonly field: 'username' | 'email' | 'externalKey' | 'id' | 'teamKey') {
    super(`${field} is taken`);
  }
}

/** Entities with optimistic concurrency. Every write advances the access generation before it returns. */
export interface VersionedStore<T extends { id: number; version: number }> {
  get(id: number): Promise<T | undefined>;
  /** Existing entities, ordered by id. */
  many(ids: readonly number[]): Promise<T[]>;
  nextId(): Promise<number>;
  /** @throws TakenError */
  insert(entity: T, announce: Announcement): Promise<void>;
  /**
   * Updates under optimistic concurrency. `change` returns undefined to skip the update, or throws to abort; it runs once
   * per attempt.
   * @returns the current entity; undefined if there is none
   * @throws TakenError
   */
  update(id: number, change: (current: T) => EntityUpdate<T> | undefined): Promise<T | undefined>;
}

export interface UserStore extends VersionedStore<User> {
  byName(username: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  byExternalKey(key: string): Promise<User | undefined>;
  byTokenHash(hash: string): Promise<User | undefined>;
  byTokenId(tokenId: number): Promise<User | undefined>;
  list(filter: { usernamePrefix?: string; id?: number }, page: PageRequest): Promise<Page<User>>;
  /**
   * User names that contain a text in username or full name, case-insensitive, without projects' bots and deleted users; by
   * username.
   */
  namesContaining(text: string, limit: number): Promise<string[]>;
  /** Bots of a project, ordered by id. */
  bots(projectId: number, page: PageRequest): Promise<Page<User>>;
  /** Users that have tokens, ordered by id. */
  withTokens(page: PageRequest): Promise<Page<User>>;
  /** Ids of a group's members. */
  memberIds(groupId: number): Promise<number[]>;
  /** Ids of users who watch a project or have a subscription that names it, or a component. */
  subscribedTo(target: { projectId: number } | { componentId: number }): Promise<number[]>;
  /**
   * Subscribers to changes in these projects: active users with an enabled subscription to a given notification. They watch a project,
   * belong to a given group, or have a subscription with a wider scope.
   */
  subscribers(wanted: {
    notifications: readonly string[];
    projectIds: readonly number[];
    groupIds: readonly number[];
    nowMs: number;
  }): Promise<User[]>;
  /** Active users with a switched-on subscription to one of these notifications, after an id, ordered by id. */
  digestReaders(notifications: readonly string[], afterId: number, limit: number, nowMs: number): Promise<User[]>;
  /** Number of all users, as listed. */
  count(): Promise<number>;
  nextSubscriptionIds(count: number): Promise<number[]>;
  nextTokenId(): Promise<number>;
  nextSecondFactorId(): Promise<number>;
  /** Records a token's use without a new version or access generation, because permissions are unchanged. */
  noteTokenUse(userId: number, tokenId: number, timeMs: number): Promise<void>;
  /** Records a sign-in without a new access generation. */
  noteSignIn(userId: number, timeMs: number): Promise<void>;
}

/** Groups that a caller may see; absent: all. */
export interface GroupFilter {
  memberOf: readonly number[];
  administeredBy: number;
}

export interface GroupStore extends VersionedStore<Group> {
  list(filter: GroupFilter | undefined, page: PageRequest): Promise<Page<Group>>;
  autoJoined(): Promise<Group[]>;
  ofProject(projectId: number): Promise<Group[]>;
  /** Ids of groups that reference an object. */
  listReferencing(
    target: { role: number } | { project: number } | { component: number } | { admin: number },
  ): Promise<number[]>;
  /** Groups whose deletion has begun. */
  beingDeleted(): Promise<Group[]>;
  /** Purges a group whose deletion was announced. */
  forget(id: number): Promise<void>;
}

export interface RoleStore extends VersionedStore<Role> {
  /** @param ids only these; absent: all */
  list(ids: readonly number[] | undefined, page: PageRequest): Promise<Page<Role>>;
  /** The role with this name. */
  named(name: string): Promise<Role | undefined>;
  beingDeleted(): Promise<Role[]>;
  forget(id: number): Promise<void>;
}

export interface ProjectStore extends VersionedStore<Project> {
  bySlug(slug: string): Promise<Project | undefined>;
  forget(id: number): Promise<void>;
}

export interface AuditFilter {
  actorId?: number;
  /** Prefix of the action's name. */
  action?: string;
  target?: { kind: string; id: number };
}

export interface AuditStore {
  /** Adds entries that no stored document carries. */
  record(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry & { id: number }>>;
  /** Deletes the addresses from which a user acted. */
  forgetAddresses(actorId: number): Promise<void>;
}

export interface MailStore {
  /**
   * Adds to mails, creating missing ones. Idempotent by source.
   * @param source origin of the parts, for instance an event's id
   */
  add(source: string, parts: readonly MailPart[]): Promise<void>;
  /** Newest first. @param userId undefined: all users */
  list(userId: number | undefined, page: PageRequest): Promise<Page<Mail>>;
  /** Claims a due mail, so that no other process claims it before `untilMs`. */
  claimDue(nowMs: number, untilMs: number): Promise<Mail | undefined>;
  settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void>;
  removeOf(userId: number): Promise<void>;
}

/** Sessions of browsers, pending sign-ins and password resets. */
export interface WebCredentialStore {
  nextId(): Promise<number>;
  insert(credential: WebCredential): Promise<void>;
  byHash(kind: CredentialKind, hash: string): Promise<WebCredential | undefined>;
  /** Records a use, if the credential still exists. */
  noteUse(hash: string, lastSeenMs: number, expiresMs: number): Promise<void>;
  /** Removes a credential. One of several concurrent callers gets it. */
  take(kind: CredentialKind, hash: string): Promise<WebCredential | undefined>;
  /** Newest first, with expired ones that the store has not deleted yet. */
  sessionsOf(userId: number): Promise<WebCredential[]>;
  /** Ends sessions of a user. Caches of callers are dropped before it returns. */
  endSessions(userId: number, which: { id: number } | { exceptId: number }): Promise<void>;
  /** Removes all credentials of a user. Caches of callers are dropped before it returns. */
  removeOf(userId: number): Promise<void>;
}

/** Attempts to prove an identity, by account or network. Shared by all replicas. */
export interface AttemptStore {
  /**
   * Counts an attempt, unless it comes too early. Concurrent attempts are counted one after the other.
   * @param free attempts without a delay
   * @returns when an attempt is allowed again: if the attempt was counted and fails, or because it came too early
   */
  count(key: string, free: number, nowMs: number): Promise<{ counted: boolean; nextMs: number }>;
  /** Takes back an attempt that was right. */
  refund(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

/** Progress of periodic work; one process at a time continues it. */
export interface ProgressStore {
  /**
   * Claims a piece of work. @param from start of the first run
   * @returns where to continue, and the planned end of an interrupted attempt; undefined if another process has it
   */
  claim(
    work: string,
    from: number,
    nowMs: number,
    untilMs: number,
  ): Promise<{ reached: number; planned: number } | undefined>;
  /** Records the end of this attempt, so that a repetition after an interruption covers the same range. */
  plan(work: string, to: number): Promise<void>;
  /** Records the progress and releases the work. */
  release(work: string, reached: number): Promise<void>;
}

/** A user's caller, passed on to other services. */
export type Reader = object;

/** Data of other services for notifications. */
export interface NotificationContext {
  /** Names and visibility of existing projects and components. */
  describe(
    projectIds: readonly number[],
    componentIds: readonly number[],
  ): Promise<{ projects: Map<number, ProjectInfo>; components: Map<number, ComponentInfo> }>;
  /** History with these actions, from a time (inclusive) to another (exclusive); at most `limit`, the newest. */
  history(actions: readonly number[], fromMs: number, toMs: number, limit: number): Promise<NotifiableChange[]>;
  /** The last user who changed a string before a time; 0: unknown. */
  lastAuthor(unitId: number, beforeMs: number): Promise<number>;
  /** Open work in projects as a user may see it. */
  openWork(reader: Reader, projectIds: readonly number[]): Promise<Map<number, { suggestions: number; todo: number }>>;
}

export interface ProjectInfo {
  name: string;
  slug: string;
  accessControl: number;
}

export interface ComponentInfo {
  name: string;
  /** Slugs of categories and component. */
  path: string;
  projectId: number;
  restricted: boolean;
  /** Mail address for problems in source strings; '' for none. */
  reportSourceBugs: string;
}

/** Sends mails. */
export interface MailTransport {
  /** @throws if the mail was not accepted */
  send(mail: { to: string; subject: string; text: string }): Promise<void>;
}

/** Client of the service that stores component lists. */
export interface ComponentListProjects {
  /** Ids of the projects of each list's components; unknown lists are omitted. */
  projectsOf(listIds: readonly number[]): Promise<Map<number, number[]>>;
}

/** OpenID Connect provider. */
export interface ExternalProvider {
  /** Address to which a browser is sent. @throws UNAVAILABLE */
  authorizationAddress(proof: ExternalProof, redirectUri: string): Promise<string>;
  /**
   * Exchanges the code in the address to which the provider sent the browser back, and verifies the response.
   * @throws AUTHENTICATION_FAILED, UNAVAILABLE
   */
  claims(callback: string, proof: ExternalProof): Promise<ExternalClaims>;
}

/** Reversible encryption. */
export interface SecretSealer {
  seal(text: string): string;
  /** @throws if it was sealed with another key or is damaged */
  open(sealed: string): string;
}

/** Slow hashing of passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
