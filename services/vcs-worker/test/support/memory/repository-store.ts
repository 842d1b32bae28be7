import type { OutgoingEvent } from '@parlance/events';
import {
  LeaseLostError,
  type CommitStore,
  type Repository,
  type RepositoryChange,
  type RepositoryEntry,
  type RepositoryFilter,
  type RepositoryStore,
  type WorkerStore,
} from '../../../src/domain/repository';
import type { PageRequest } from '../../../src/domain/page';
import { Effects } from './effects';

interface Stored {
  repository: Repository;
  createdMs: number;
  queue: { ticket: string; worker: string }[];
  lease: { worker: string; ticket: string; untilMs: number };
}

const noLease = { worker: '', ticket: '', untilMs: 0 };

/** Repositories in memory. */
export class MemoryRepositoryStore implements RepositoryStore {
  private readonly stored = new Map<string, Stored>();
  /** Time at which repositories are inserted; undefined: now. */
  nowMs: number | undefined;

  constructor(private readonly effects = new Effects()) {}

  private find(matches: (repository: Repository) => boolean): Repository | null {
    const found = [...this.stored.values()].find(({ repository }) => matches(repository));
    return found ? structuredClone(found.repository) : null;
  }

  async insert(repository: Repository): Promise<void> {
    if (this.stored.has(repository.id)) throw new Error('The id is taken.');
    const createdMs = this.nowMs ?? Date.now();
    this.stored.set(repository.id, { repository: structuredClone(repository), createdMs, queue: [], lease: noLease });
    this.effects.store('insert repository');
  }

  async get(id: string): Promise<Repository | null> {
    return this.find((repository) => repository.id === id);
  }

  async byIds(ids: readonly string[]): Promise<Repository[]> {
    return (await Promise.all(ids.map((id) => this.get(id)))).flatMap((found) => found ?? []);
  }

  async ofOwner(component: number): Promise<Repository | null> {
    return this.find(({ owner }) => owner === component);
  }

  async ofTask(task: string): Promise<Repository | null> {
    return this.find((repository) => repository.task === task);
  }

  async claim(id: string, owner: number): Promise<boolean> {
    const found = this.stored.get(id)?.repository;
    if (!found || (found.owner !== null && found.owner !== owner)) return false;
    found.owner = owner;
    this.effects.store(`assign repository to ${owner}`);
    return true;
  }

  async remove(id: string): Promise<void> {
    this.stored.delete(id);
    this.effects.store('remove repository');
  }

  async findUnclaimed(before: Date, limit: number): Promise<Repository[]> {
    return [...this.stored.values()]
      .filter(({ repository, createdMs }) => repository.owner === null && createdMs < before.getTime())
      .slice(0, limit)
      .map(({ repository }) => structuredClone(repository));
  }

  async write(id: string, token: number, change: RepositoryChange, events: readonly OutgoingEvent[]): Promise<void> {
    if (Object.keys(change).length === 0 && events.length === 0) return;
    const found = this.stored.get(id);
    if (found?.repository.token !== token) throw new LeaseLostError();
    Object.assign(found.repository, structuredClone(change));
    this.effects.store(`write ${[...Object.keys(change), ...events.map((event) => event.payloadName)].join()}`, events);
  }

  async list({ failed, unpushed, unmerged, leased }: RepositoryFilter, page: PageRequest): Promise<RepositoryEntry[]> {
    const matches = (repository: Repository, leaseHolder: string) =>
      (!failed && !unpushed && !unmerged && !leased) ||
      (leased && leaseHolder !== '') ||
      (failed && repository.failure !== '') ||
      (unpushed && (repository.unpushedSince ?? 0) > 0) ||
      (unmerged && repository.behind > 0);
    return [...this.stored.values()]
      .flatMap(({ repository, lease, queue }) => {
        const leaseHolder = lease.untilMs > Date.now() ? lease.worker : '';
        if (repository.owner === null || !matches(repository, leaseHolder)) return [];
        return [{ ...structuredClone(repository), owner: repository.owner, leaseHolder, queueLength: queue.length }];
      })
      .sort((a, b) => a.owner - b.owner)
      .slice(page.skip, page.skip + page.size);
  }

  async enqueue(id: string, ticket: string, worker: string): Promise<boolean> {
    const found = this.stored.get(id);
    if (!found || found.queue.some((entry) => entry.ticket === ticket)) return false;
    found.queue.push({ ticket, worker });
    return true;
  }

  async acquire(id: string, worker: string, ticket: string, until: Date): Promise<Repository | null> {
    const found = this.stored.get(id);
    if (found?.queue[0]?.worker !== worker || !found.queue.some((entry) => entry.ticket === ticket)) return null;
    if (found.lease.untilMs >= Date.now() && found.lease.ticket !== ticket) return null;
    found.lease = { worker, ticket, untilMs: until.getTime() };
    found.repository.token++;
    this.effects.add('acquire lease');
    return structuredClone(found.repository);
  }

  async renew(id: string, token: number, until: Date): Promise<boolean> {
    const found = this.stored.get(id);
    if (found?.repository.token !== token) return false;
    found.lease = { ...found.lease, untilMs: until.getTime() };
    return true;
  }

  async release(id: string, ticket: string): Promise<void> {
    const found = this.stored.get(id);
    if (!found) return;
    found.queue = found.queue.filter((entry) => entry.ticket !== ticket);
    if (found.lease.ticket !== ticket) return;
    found.lease = noLease;
    this.effects.add('release lease');
  }

  async ticketsOf(worker: string): Promise<{ repository: string; ticket: string }[]> {
    return [...this.stored].flatMap(([repository, { queue }]) =>
      queue.filter((entry) => entry.worker === worker).map(({ ticket }) => ({ repository, ticket })),
    );
  }

  async dropTickets(id: string, alive: readonly string[]): Promise<void> {
    const found = this.stored.get(id);
    if (found) found.queue = found.queue.filter(({ worker }) => alive.includes(worker));
  }

  async releaseAll(worker: string): Promise<void> {
    for (const found of this.stored.values()) {
      found.queue = found.queue.filter((entry) => entry.worker !== worker);
      if (found.lease.worker === worker) found.lease = noLease;
    }
  }
}

/** Heartbeats in memory. */
export class MemoryWorkerStore implements WorkerStore {
  private readonly untilMs = new Map<string, number>();

  async renew(worker: string, until: Date): Promise<void> {
    this.untilMs.set(worker, until.getTime());
  }

  async listAlive(): Promise<string[]> {
    return [...this.untilMs].filter(([, until]) => until > Date.now()).map(([worker]) => worker);
  }

  async remove(worker: string): Promise<void> {
    this.untilMs.delete(worker);
  }
}

/** Bytes of unpushed commits in memory. */
export class MemoryCommitStore implements CommitStore {
  readonly stored = new Map<string, Buffer>();
  /** Times before which unreferenced bundles were swept. */
  readonly swept: Date[] = [];
  private lastId = 0;

  constructor(private readonly effects = new Effects()) {}

  async save(bytes: Buffer): Promise<{ id: string; size: number }> {
    const id = `bundle-${++this.lastId}`;
    this.stored.set(id, bytes);
    this.effects.add('save commits');
    return { id, size: bytes.length };
  }

  async load(id: string): Promise<Buffer> {
    const bytes = this.stored.get(id);
    if (!bytes) throw new Error('There is no such bundle.');
    return bytes;
  }

  async remove(id: string): Promise<void> {
    this.stored.delete(id);
    this.effects.add('remove saved commits');
  }

  async sweep(before: Date): Promise<void> {
    this.swept.push(before);
  }
}
