import type { AuditEntry } from './audit';
import type { Group } from './group';
import type { Mail } from './mail';
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
export interface Change<T> {
  next: T;
  announce: Announcement;
}

/** A part of a list and the length of the whole. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** Which part of a list is wanted. */
export interface Slice {
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
export interface Repository<T extends { id: number; version: number }> {
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
  update(id: number, change: (current: T) => Change<T> | undefined): Promise<T | undefined>;
}

export interface UserStore extends Repository<User> {
  byName(username: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  byTokenHash(hash: string): Promise<User | undefined>;
  byTokenId(tokenId: number): Promise<User | undefined>;
  list(filter: { usernamePrefix?: string; id?: number }, slice: Slice): Promise<Page<User>>;
  /** Bots of a project, ordered by id. */
  bots(projectId: number, slice: Slice): Promise<Page<User>>;
  /** Users that have tokens, ordered by id. */
  withTokens(slice: Slice): Promise<Page<User>>;
  /** Ids of a group's members. */
  memberIds(groupId: number): Promise<number[]>;
  /** Ids of users with a subscription that names a project, or a component. */
  subscribedTo(target: { projectId: number } | { componentId: number }): Promise<number[]>;
  /** Users that are sent mails and have a switched-on subscription to one of these notifications. */
  subscribers(names: readonly string[]): Promise<User[]>;
  /** Active people. */
  count(): Promise<number>;
  nextSubscriptionIds(count: number): Promise<number[]>;
  nextTokenId(): Promise<number>;
  /** Notes a token's use; no version, no generation: it changes no right. */
  noteTokenUse(userId: number, tokenId: number, timeMs: number): Promise<void>;
  /** Counts failed sign-ins within a window; answers how many there are now. */
  noteFailedSignIn(userId: number, timeMs: number, windowMs: number): Promise<number>;
  failedSignIns(userId: number, timeMs: number, windowMs: number): Promise<number>;
  noteSignIn(userId: number, timeMs: number): Promise<void>;
}

/** Which groups a caller may see; absent: all. */
export interface GroupFilter {
  memberOf: readonly number[];
  administeredBy: number;
}

export interface GroupStore extends Repository<Group> {
  list(filter: GroupFilter | undefined, slice: Slice): Promise<Page<Group>>;
  autoJoined(): Promise<Group[]>;
  ofProject(projectId: number): Promise<Group[]>;
  /** Ids of groups that name something. */
  naming(target: { role: number } | { project: number } | { component: number } | { admin: number }): Promise<number[]>;
  /** Groups whose removal was begun. */
  removed(): Promise<Group[]>;
  /** Forgets a group whose removal was begun and announced. */
  forget(id: number): Promise<void>;
}

export interface RoleStore extends Repository<Role> {
  /** @param ids only these; absent: all */
  list(ids: readonly number[] | undefined, slice: Slice): Promise<Page<Role>>;
  removed(): Promise<Role[]>;
  forget(id: number): Promise<void>;
}

export interface ProjectStore extends Repository<Project> {
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
  list(filter: AuditFilter, slice: Slice): Promise<Page<AuditEntry & { id: number }>>;
  /** Forgets the addresses from which a user acted. */
  forgetAddresses(actorId: number): Promise<void>;
}

export interface MailStore {
  /** Newest first. @param userId undefined: everybody's */
  list(userId: number | undefined, slice: Slice): Promise<Page<Mail>>;
  removeOf(userId: number): Promise<void>;
}

/** Where projects of component lists are known. */
export interface ComponentListDirectory {
  /** Ids of the projects of each list's components; lists that do not exist are left out. */
  projectsOf(listIds: readonly number[]): Promise<Map<number, number[]>>;
}

/** Slow hashing of passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}
