import type { OutgoingEvent } from '@parlance/events';

/** Commits that no remote has yet, kept outside of the clone: one of a row of bundles, each on top of the one before. */
export interface SavedCommits {
  /** Key of the stored bytes. */
  id: string;
  /** Newest commit in it. */
  head: string;
  /** Bytes. */
  size: number;
}

/**
 * What is known of a repository. This is the truth: which commit is current, what upstream has, what is not pushed. Clones on the
 * workers' disks are made from it when they are missing.
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
  /** Current commit, with our commits. Null: nothing yet. */
  head: string | null;
  /** Newest commit of the remote's branch as of the last fetch. Null: no remote. */
  upstream: string | null;
  /** What upstream was before it rewrote its history, while the current commit still stands on that. Null: it did not. */
  former: string | null;
  /** Commits that one side has and the other has not. */
  ahead: number;
  behind: number;
  /** Commit that was pushed last, and the branch it went to. */
  pushed: string | null;
  pushedBranch: string;
  /** Fingerprint of the address it went to (`addressFingerprint`). Empty: not known, which counts as the present one. */
  pushedAddress: string;
  saved: SavedCommits[];
  /** Commit whose files the translation service has read. Null: none yet. */
  scanned: string | null;
  /** Commit on whose files add-ons did their work. Null: none yet. */
  maintained: string | null;
  /** Why the last merge or push failed; empty when nothing is wrong. */
  failure: string;
  /** Grows with every lease: a worker that lost its lease cannot write any more. */
  token: number;
}

/** A repository in which nothing was done yet. */
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

/** What a worker changes in a repository. */
export type RepositoryChange = Partial<Omit<Repository, 'id' | 'token'>>;

/** Thrown when another worker has taken the repository over. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('Another worker has taken this repository over.');
  }
}

/** Repositories in the store. Writes of a worker name the token of its lease. */
export interface RepositoryStore {
  insert(repository: Repository): Promise<void>;
  get(id: string): Promise<Repository | null>;
  ofOwner(component: number): Promise<Repository | null>;
  ofTask(task: string): Promise<Repository | null>;
  /** Gives a prepared repository to its component; false when it is gone. */
  claim(id: string, owner: number): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Those prepared before the given time that no component has taken. */
  forgotten(before: Date, limit: number): Promise<Repository[]>;
  /** Writes and announces in one step. @throws LeaseLostError */
  write(id: string, token: number, change: RepositoryChange, events: readonly OutgoingEvent[]): Promise<void>;

  /** Puts a ticket at the end of the queue for a repository; false when it is there already or there is no such repository. */
  enqueue(id: string, ticket: string, worker: string): Promise<boolean>;
  /** Takes the lease when a ticket of the worker is first and nobody holds it. */
  acquire(id: string, worker: string, until: Date): Promise<Repository | null>;
  /** False: the lease belongs to somebody else now. */
  prolong(id: string, token: number, until: Date): Promise<boolean>;
  /** Ends a lease and gives the ticket back. */
  release(id: string, token: number, ticket: string): Promise<void>;
  /** Gives a ticket back that got no lease. */
  leave(id: string, ticket: string): Promise<void>;
  /** Tickets of a worker in all queues. */
  ticketsOf(worker: string): Promise<{ repository: string; ticket: string }[]>;
  /** Removes the tickets of workers that are gone. */
  dropTickets(id: string, alive: readonly string[]): Promise<void>;
  /** Releases every lease and ticket of a worker whose process has ended. */
  releaseAll(worker: string): Promise<void>;
}

/** Which workers live; they say so from time to time. */
export interface WorkerStore {
  beat(worker: string, until: Date): Promise<void>;
  alive(): Promise<string[]>;
  leave(worker: string): Promise<void>;
}

/** Bytes of unpushed commits. */
export interface CommitStore {
  save(bytes: Buffer): Promise<{ id: string; size: number }>;
  load(id: string): Promise<Buffer>;
  remove(id: string): Promise<void>;
  /** Removes what no repository refers to and is older than the given time. */
  sweep(before: Date): Promise<void>;
}

/** Which component works in which repository, and since when edits may wait there. */
export interface ComponentIndex {
  put(component: number, project: number, repository: string): Promise<void>;
  repositoryOf(component: number): Promise<string | null>;
  repositoriesOf(components: readonly number[]): Promise<Map<number, string>>;
  componentsOf(repository: string): Promise<number[]>;
  ofProject(project: number): Promise<number[]>;
  all(): Promise<number[]>;
  remove(component: number): Promise<void>;
  /** Edits were made in these components. */
  touch(components: readonly number[], at: number): Promise<void>;
  /** Components with edits that may wait, longest waiting first. */
  waiting(limit: number): Promise<{ component: number; repository: string; since: number; touched: number }[]>;
  /** Images that were taken over as screenshots: blob hashes by path. */
  screenshots(component: number): Promise<Map<string, string>>;
  setScreenshots(component: number, hashes: ReadonlyMap<string, string>): Promise<void>;
  /** Nothing waits in a component; does nothing when edits were made after `touched`. */
  settle(component: number, touched: number): Promise<void>;
}
