import type { AuditEntry } from './audit';
import type { Group } from './group';
import type { NotifiableChange } from './notifiable-change';
import type { Mail, MailPart } from './mail';
import type { Project } from './project';
import type { Role } from './role';
import type { User } from './user';

/** What a write announces: stored with it in one step, passed on after it. */
export interface Announcement {
  audit: AuditEntry[];
  /** Users whose resolved rights are stale; empty list: everybody's; absent: nobody's. */
  accessChanged?: number[];
  /** The user was anonymised. */
  userDeleted?: { userId: number; replacementUsername: string };
}

/** A new state of an entity and what is to be announced of it. */
export interface EntityUpdate<T> {
  next: T;
  announce: Announcement;
}

/** A part of a list and the length of the whole. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** Which part of a list is wanted. */
export interface PageRequest {
  skip: number;
  limit: number;
}

/** Thrown by stores when a unique value is taken already. */
export class TakenError extends Error {
  constructor(readonly field: 'username' | 'email' | 'id' | 'teamKey') {
    super(`${field} is taken`);
  }
}

/** Entities with optimistic concurrency. Every write moves the access generation before it returns. */
export interface VersionedStore<T extends { id: number; version: number }> {
  get(id: number): Promise<T | undefined>;
  /** Those that exist, ordered by id. */
  many(ids: readonly number[]): Promise<T[]>;
  nextId(): Promise<number>;
  /** @throws TakenError */
  insert(entity: T, announce: Announcement): Promise<void>;
  /**
   * Reads, changes and writes; again when somebody else wrote meanwhile. `change` answers undefined to leave the entity as it is,
   * or throws to give up.
   * @returns the entity as it is now; undefined when there is none
   * @throws TakenError
   */
  update(id: number, change: (current: T) => EntityUpdate<T> | undefined): Promise<T | undefined>;
}

export interface UserStore extends VersionedStore<User> {
  byName(username: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  byTokenHash(hash: string): Promise<User | undefined>;
  byTokenId(tokenId: number): Promise<User | undefined>;
  list(filter: { usernamePrefix?: string; id?: number }, page: PageRequest): Promise<Page<User>>;
  /** Names of users, without projects' bots and deleted ones, whose username or full name contains a text, letter case ignored; by username. */
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
   * People who may want to be told of something in these projects: they can be mailed at this time, have a switched-on subscription
   * to one of the notifications, and watch a project, are in one of the groups, or have a subscription that reaches further.
   */
  subscribers(wanted: {
    notifications: readonly string[];
    projectIds: readonly number[];
    groupIds: readonly number[];
    nowMs: number;
  }): Promise<User[]>;
  /** People who can be mailed and have a switched-on subscription to one of these notifications, after an id, ordered by id. */
  digestReaders(notifications: readonly string[], afterId: number, limit: number, nowMs: number): Promise<User[]>;
  /** All users, as many as their list has. */
  count(): Promise<number>;
  nextSubscriptionIds(count: number): Promise<number[]>;
  nextTokenId(): Promise<number>;
  nextSecondFactorId(): Promise<number>;
  /** Notes a token's use; no version, no generation: it changes no right. */
  noteTokenUse(userId: number, tokenId: number, timeMs: number): Promise<void>;
  /** Counts failed sign-ins within a window; answers how many there are now. */
  noteFailedSignIn(userId: number, timeMs: number, windowMs: number): Promise<number>;
  failedSignIns(userId: number, timeMs: number, windowMs: number): Promise<number>;
  forgetFailedSignIns(userId: number): Promise<void>;
  noteSignIn(userId: number, timeMs: number): Promise<void>;
}

/** Which groups a caller may see; absent: all. */
export interface GroupFilter {
  memberOf: readonly number[];
  administeredBy: number;
}

export interface GroupStore extends VersionedStore<Group> {
  list(filter: GroupFilter | undefined, page: PageRequest): Promise<Page<Group>>;
  autoJoined(): Promise<Group[]>;
  ofProject(projectId: number): Promise<Group[]>;
  /** Ids of groups that name something. */
  naming(target: { role: number } | { project: number } | { component: number } | { admin: number }): Promise<number[]>;
  /** Groups whose removal was begun. */
  beingDeleted(): Promise<Group[]>;
  /** Forgets a group whose removal was begun and announced. */
  forget(id: number): Promise<void>;
}

export interface RoleStore extends VersionedStore<Role> {
  /** @param ids only these; absent: all */
  list(ids: readonly number[] | undefined, page: PageRequest): Promise<Page<Role>>;
  /** The role that is called so. */
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
  /** Beginning of the action's name. */
  action?: string;
  target?: { kind: string; id: number };
}

export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry & { id: number }>>;
  /** Forgets the addresses from which a user acted. */
  forgetAddresses(actorId: number): Promise<void>;
}

export interface MailStore {
  /**
   * Adds to mails, making those that are not there. Repeating a source adds nothing.
   * @param source what the parts come from, for instance an event's id
   */
  add(source: string, parts: readonly MailPart[]): Promise<void>;
  /** Newest first. @param userId undefined: everybody's */
  list(userId: number | undefined, page: PageRequest): Promise<Page<Mail>>;
  /** Takes a waiting mail that is due, so that no other process takes it before `untilMs`. */
  claimDue(nowMs: number, untilMs: number): Promise<Mail | undefined>;
  settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void>;
  removeOf(userId: number): Promise<void>;
}

/** How far periodic work has come; one process at a time goes on with it. */
export interface ProgressStore {
  /**
   * Takes over a piece of work. @param from where it begins when it never ran
   * @returns where to go on, and how far an attempt that was cut short was to go; undefined when another process has it
   */
  claim(
    work: string,
    from: number,
    nowMs: number,
    untilMs: number,
  ): Promise<{ reached: number; planned: number } | undefined>;
  /** Notes how far this attempt is to go, so that the next one goes exactly as far if this one is cut short. */
  plan(work: string, to: number): Promise<void>;
  /** Notes how far it has come, and lets go of it. */
  release(work: string, reached: number): Promise<void>;
}

/** A user's caller, which other rooms judge by; only handed on here. */
export type Reader = object;

/** What notifications need of other rooms. */
export interface NotificationContext {
  /** Names and visibility of projects and components; what does not exist any more is left out. */
  describe(
    projectIds: readonly number[],
    componentIds: readonly number[],
  ): Promise<{ projects: Map<number, ProjectInfo>; components: Map<number, ComponentInfo> }>;
  /** History with these actions, from a time (inclusive) to another (exclusive); at most `limit`, the newest. */
  history(actions: readonly number[], fromMs: number, toMs: number, limit: number): Promise<NotifiableChange[]>;
  /** Who changed a string's text last before a time; 0: nobody known. */
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
  /** Mail address for problems in source strings; '' when there is none. */
  reportSourceBugs: string;
}

/** Sends mails. */
export interface MailTransport {
  /** @throws when the mail was not taken */
  send(mail: { to: string; subject: string; text: string }): Promise<void>;
}

/** Where projects of component lists are known. */
export interface ComponentListProjects {
  /** Ids of the projects of each list's components; lists that do not exist are left out. */
  projectsOf(listIds: readonly number[]): Promise<Map<number, number[]>>;
}

/** Encryption of what has to be read again. */
export interface SecretSealer {
  seal(text: string): string;
  /** @throws when it was sealed with another key or is damaged */
  open(sealed: string): string;
}

/** Slow hashing of passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
