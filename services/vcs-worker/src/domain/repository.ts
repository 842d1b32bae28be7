import type { OutgoingEvent } from '@parlance/events';
import type { PageRequest } from './page';

/** An incremental bundle of unpushed commits, stored outside of the clone. */
export interface SavedCommits {
  /** Key of the stored bytes. */
  id: string;
  /** Newest commit in it. */
  head: string;
  /** Bytes. */
  size: number;
}

/**
 * State of a repository, and the only authority: the current commit, upstream's commit, the unpushed commits. Clones on the
 * workers' disks are caches that can be recreated from it.
 */
export interface Repository {
  id: string;
  /** Component that owns it; null while it is prepared for a component that is not stored yet. */
  owner: number | null;
  /** Task under which it was prepared. */
  task: string;
  vcs: string;
  /** Address without credentials. */
  repo: string;
  branch: string;
  /** Current commit; null for an empty repository. */
  head: string | null;
  /** Head of the remote's branch as of the last fetch; null without a remote. */
  upstream: string | null;
  /** Head of upstream before it rewrote its history, while the current commit is still based on it; otherwise null. */
  former: string | null;
  /** Commits that only one side has. */
  ahead: number;
  behind: number;
  /** Commit that was pushed last, and the branch it went to. */
  pushed: string | null;
  pushedBranch: string;
  /** `addressFingerprint` of the last push; empty when unknown, which counts as the current address. */
  pushedAddress: string;
  saved: SavedCommits[];
  /** Commit that the translation service has read; null before the first. */
  scanned: string | null;
  /** Commit on which add-ons have run; null before the first. */
  maintained: string | null;
  /** Error of the last merge or push; empty after a success. */
  failure: string;
  /** Since when there have been unpushed commits, and unmerged commits of upstream; milliseconds since the epoch. */
  unpushedSince?: number | null;
  unmergedSince?: number | null;
  /** Number of requests for new clones: workers replace clones of earlier ones. Absent before the first. */
  cloneNumber?: number;
  /** Fencing token: grows with every lease, so that a worker that lost its lease cannot write. */
  token: number;
}

/** A new repository. */
export function newRepository(
  known: Pick<Repository, 'id' | 'task' | 'vcs' | 'repo' | 'branch'> & Partial<Repository>,
): Repository {
  return {
    owner: null,
    head: null,
    upstream: null,
    former: null,
    ahead: 0,
    behind: 0,
    pushed: null,
    pushedBranch: '',
    pushedAddress: '',
    saved: [],
    scanned: null,
    maintained: null,
    failure: '',
    token: 0,
    ...known,
  };
}

/** Whether a repository with a remote has commits that were not pushed. */
export const isUnpushed = ({
  vcs,
  ahead,
  head,
  pushed,
}: Pick<Repository, 'vcs' | 'ahead' | 'head' | 'pushed'>): boolean => vcs !== 'local' && ahead > 0 && pushed !== head;

/** The times that change with a change of a repository: since when it is in a state. */
export function stateTimes(before: Repository, change: RepositoryChange, now: number): RepositoryChange {
  const after = { ...before, ...change };
  const unpushedSince = isUnpushed(after) ? (before.unpushedSince ?? now) : null;
  const unmergedSince = after.behind > 0 ? (before.unmergedSince ?? now) : null;
  return {
    ...(unpushedSince === (before.unpushedSince ?? null) ? {} : { unpushedSince }),
    ...(unmergedSince === (before.unmergedSince ?? null) ? {} : { unmergedSince }),
  };
}

/** Changes of a worker to a repository. */
export type RepositoryChange = Partial<Omit<Repository, 'id' | 'token'>>;

/** Thrown when another worker has taken the repository over. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('Another worker has taken over this repository.');
  }
}

/** Selects repositories; conditions are alternatives, none selects all. */
export interface RepositoryFilter {
  failed: boolean;
  unpushed: boolean;
  unmerged: boolean;
  leased: boolean;
}

/** A repository as operators see it. */
export interface RepositoryEntry extends Repository {
  owner: number;
  /** Worker that holds the lease; empty for none. */
  leaseHolder: string;
  /** Operations that hold the lease or wait for it. */
  queueLength: number;
}

/** Repositories in the store. Writes of a worker name the token of its lease. */
export interface RepositoryStore {
  insert(repository: Repository): Promise<void>;
  get(id: string): Promise<Repository | null>;
  /** Existing repositories in any order. */
  byIds(ids: readonly string[]): Promise<Repository[]>;
  ofOwner(component: number): Promise<Repository | null>;
  ofTask(task: string): Promise<Repository | null>;
  /** Assigns a prepared repository to its component; false when it was deleted. */
  claim(id: string, owner: number): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Prepared repositories without a component, older than the given time. */
  findUnclaimed(before: Date, limit: number): Promise<Repository[]>;
  /** Writes a change with its events (outbox). @throws LeaseLostError */
  write(id: string, token: number, change: RepositoryChange, events: readonly OutgoingEvent[]): Promise<void>;

  /** Matching repositories of stored components, ordered by component. */
  list(filter: RepositoryFilter, page: PageRequest): Promise<RepositoryEntry[]>;

  /** Appends a ticket to a repository's queue; false when the ticket or no repository exists. */
  enqueue(id: string, ticket: string, worker: string): Promise<boolean>;
  /** Takes the lease for a queued ticket if a ticket of the worker is first, and no other ticket holds the lease. */
  acquire(id: string, worker: string, ticket: string, until: Date): Promise<Repository | null>;
  /** Extends a lease; false when another worker holds it. */
  renew(id: string, token: number, until: Date): Promise<boolean>;
  /** Removes a ticket, and releases the lease if the ticket holds it. */
  release(id: string, ticket: string): Promise<void>;
  /** Tickets of a worker in all queues. */
  ticketsOf(worker: string): Promise<{ repository: string; ticket: string }[]>;
  /** Removes tickets of dead workers. */
  dropTickets(id: string, alive: readonly string[]): Promise<void>;
  /** Releases every lease and ticket of a worker whose process has ended. */
  releaseAll(worker: string): Promise<void>;
}

/** Heartbeats of workers. */
export interface WorkerStore {
  renew(worker: string, until: Date): Promise<void>;
  listAlive(): Promise<string[]>;
  remove(worker: string): Promise<void>;
}

/** Bytes of unpushed commits. */
export interface CommitStore {
  save(bytes: Buffer): Promise<{ id: string; size: number }>;
  load(id: string): Promise<Buffer>;
  remove(id: string): Promise<void>;
  /** Removes unreferenced bundles older than the given time. */
  sweep(before: Date): Promise<void>;
}

/** Maps components to repositories and records when edits may be pending. */
export interface ComponentIndex {
  put(component: number, project: number, repository: string): Promise<void>;
  /** Moves all components of a repository to another one. */
  moveAll(from: string, to: string): Promise<void>;
  repositoryOf(component: number): Promise<string | null>;
  repositoriesOf(components: readonly number[]): Promise<Map<number, string>>;
  componentsOf(repository: string): Promise<number[]>;
  ofProject(project: number): Promise<number[]>;
  all(): Promise<number[]>;
  remove(component: number): Promise<void>;
  /** Records edits in these components. */
  recordEdits(components: readonly number[], at: number): Promise<void>;
  /**
   * Components that may have pending edits; those whose oldest edit may be the oldest come first. `touched` differs after each record of
   * edits.
   */
  listEdited(limit: number): Promise<{ component: number; repository: string; since: number; touched: number }[]>;
  /** Blob hashes of imported screenshots, by path. */
  screenshots(component: number): Promise<Map<string, string>>;
  setScreenshots(component: number, hashes: ReadonlyMap<string, string>): Promise<void>;
  /** Records since when the oldest pending edit of a component waits (0: it has none), unless edits were recorded since `touched` was read. */
  recordOldestEdit(component: number, since: number, touched: number): Promise<void>;
}
