import { driverCollection, LOST_RACE, optimisticUpdate, isDuplicateKey } from '@parlance/store-kit';
import { sampledTraceparents } from '@parlance/telemetry';
import {
  MAX_LINE_LENGTH,
  MAX_LOG_LINES,
  MAX_LOSSES,
  SET_ASIDE,
  taskStates,
  type Claimant,
  type Task,
  type TaskEntry,
  type TaskFilter,
  type TaskKind,
  type TaskState,
  type TaskStore,
} from '../domain/task';
import type { Models, TaskDocument } from './models';
import type { PageRequest } from '../domain/page';

function toTask(document: TaskDocument): Task {
  const {
    _id,
    createdAt,
    finishedAt: _finished,
    setAside: _aside,
    worker: _worker,
    leaseUntil: _until,
    notBefore: _notBefore,
    slot: _slot,
    merged: _merged,
    ...rest
  } = document;
  return { id: _id, ...rest, createdAtMs: createdAt.getTime() };
}

/** Traces of merged tasks that are kept. */
const MAX_TRACES = 10;
/** The trace that stores a task, as a field of it; none if it is not sampled. */
function tracedBy(): Pick<TaskDocument, 'traceparents'> {
  const traceparents = sampledTraceparents();
  return traceparents.length === 0 ? {} : { traceparents };
}

/** Maximum number of merged task ids. */
const MAX_MERGED = 1000;

const lines = (list: readonly string[]) => ({
  log: { $each: list.map((line) => line.slice(0, MAX_LINE_LENGTH)), $slice: -MAX_LOG_LINES },
});
const unclaimed = { worker: '', leaseUntil: new Date(0) };
/** States of tasks that have not ended. */
const OPEN_STATES = { $in: ['waiting' as const, 'running' as const] };
/** Running tasks of workers. Reports belong to other services. */
const unfinished = { state: 'running' as const, kind: { $ne: 'report' as const } };
/** Running tasks with an expired lease. */
const abandoned = (now: Date) => ({ ...unfinished, leaseUntil: { $lt: now } });
const notYet = (losses: number) => ({ $or: [{ losses: { $exists: false } }, { losses: { $lt: losses } }] });

function waitingPull(id: string, component: number, slot: string, delayMs: number): TaskDocument {
  const now = Date.now();
  return {
    _id: id,
    kind: 'pull',
    component,
    user: 0,
    changed: [],
    state: 'waiting',
    progress: 0,
    result: null,
    log: [],
    attempts: 0,
    ...unclaimed,
    createdAt: new Date(now),
    notBefore: new Date(now + delayMs),
    slot,
    ...tracedBy(),
  };
}

/** Tasks in MongoDB. */
export class MongoTaskStore implements TaskStore {
  constructor(private readonly models: Pick<Models, 'tasks'>) {}

  async add(task: Task): Promise<void> {
    const { id, ...rest } = task;
    await this.models.tasks.updateOne(
      { _id: id },
      { $setOnInsert: { ...tracedBy(), ...rest, ...unclaimed, createdAt: new Date() } },
      { upsert: true },
    );
  }

  async get(id: string): Promise<Task | null> {
    const found =
      (await this.models.tasks.findOne({ _id: id }).lean<TaskDocument>()) ??
      (await this.models.tasks.findOne({ merged: id }).lean<TaskDocument>());
    return found && toTask(found);
  }

  async beginPull(id: string, component: number, delayMs: number): Promise<void> {
    if (await this.get(id)) return;
    // A claimed task has left the slot, so a later announcement becomes a separate task.
    const slot = `pull:${component}`;
    await optimisticUpdate(async () => {
      const merge = {
        $push: {
          merged: { $each: [id], $slice: -MAX_MERGED },
          traceparents: { $each: sampledTraceparents(), $slice: -MAX_TRACES },
        },
      };
      const { matchedCount } = await this.models.tasks.updateOne({ slot, state: 'waiting' }, merge);
      if (matchedCount === 1) return undefined;
      try {
        const pull = waitingPull(id, component, slot, delayMs);
        await driverCollection(this.models.tasks).insertOne(pull);
        return undefined;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // The duplicate is either this announcement, or another one that took the slot first.
        return (await this.get(id)) ? undefined : LOST_RACE;
      }
    });
  }

  async begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void> {
    const { id, ...fields } = task;
    const result = await this.models.tasks.updateOne(
      { _id: id, state: 'prepared' },
      { $set: { ...fields, state: 'waiting' } },
    );
    if (result.matchedCount === 0)
      await this.add({ ...task, state: 'waiting', progress: 0, result: null, log: [], attempts: 0 });
  }

  async hasOpen(): Promise<boolean> {
    return (await this.models.tasks.exists({ state: OPEN_STATES, kind: unfinished.kind })) !== null;
  }

  async claim({ worker, until, running, takesOver, takesSuspects }: Claimant): Promise<Task | null> {
    const oldest = { sort: { createdAt: 1 as const }, returnDocument: 'after' as const };
    const kept = takesSuspects ? {} : { losses: { $exists: false } };
    const expired = { ...abandoned(new Date()), ...kept, _id: { $nin: [...running] } };
    const take = async (filter: object, losses: number): Promise<TaskDocument | null> =>
      this.models.tasks
        .findOneAndUpdate(
          filter,
          {
            $set: { state: 'running', worker, leaseUntil: until },
            $unset: { slot: '' },
            $inc: { attempts: 1, ...(losses > 0 ? { losses } : {}) },
          },
          oldest,
        )
        .lean<TaskDocument>();
    const due = { $or: [{ notBefore: { $exists: false } }, { notBefore: { $lte: new Date() } }] };
    const taken =
      // A retried task may still run in this process: it was cancelled, and its work has not ended yet.
      (await take({ state: 'waiting', ...due, ...kept, _id: { $nin: [...running] } }, 0)) ??
      // Deferred: no worker was lost.
      (await take({ ...expired, worker: unclaimed.worker }, 0)) ??
      // Claimed by this process, which never learned of it: the answer of the store was lost.
      (await take({ ...unfinished, ...kept, _id: { $nin: [...running] }, worker }, 0)) ??
      (takesOver && takesSuspects
        ? await take({ ...expired, worker: { $nin: [unclaimed.worker, worker] }, ...notYet(MAX_LOSSES - 1) }, 1)
        : null);
    return taken && toTask(taken);
  }

  async setAside(now: Date): Promise<Task | null> {
    const found = await this.models.tasks
      .findOneAndUpdate(
        { ...abandoned(now), worker: { $ne: unclaimed.worker }, losses: { $gte: MAX_LOSSES - 1 } },
        {
          $set: { state: 'failed', setAside: true, result: SET_ASIDE, progress: 100, finishedAt: now },
          $inc: { losses: 1 },
          $push: lines([SET_ASIDE]),
        },
        { returnDocument: 'after' as const },
      )
      .lean<TaskDocument>();
    return found && toTask(found);
  }

  async isOpen(kind: TaskKind, component: number): Promise<boolean> {
    return (await this.models.tasks.exists({ state: OPEN_STATES, kind, component })) !== null;
  }

  async wasSetAside(kind: TaskKind, component: number, since: Date): Promise<boolean> {
    const filter = { setAside: true as const, kind, component, finishedAt: { $gte: since } };
    return (await this.models.tasks.exists(filter)) !== null;
  }

  async defer(id: string, worker: string): Promise<void> {
    await this.models.tasks.updateOne({ _id: id, worker, state: 'running' }, { $set: { worker: unclaimed.worker } });
  }

  async prolong(ids: readonly string[], worker: string, until: Date): Promise<void> {
    if (ids.length > 0)
      await this.models.tasks.updateMany(
        { _id: { $in: [...ids] }, worker, state: 'running' },
        { $set: { leaseUntil: until } },
      );
  }

  async report(
    id: string,
    worker: string,
    change: { progress?: number; result?: unknown; lines?: readonly string[] },
  ): Promise<boolean> {
    const set = {
      ...(change.progress === undefined ? {} : { progress: change.progress }),
      ...(change.result === undefined ? {} : { result: change.result }),
    };
    const update = {
      ...(Object.keys(set).length > 0 ? { $set: set } : {}),
      ...(change.lines?.length ? { $push: lines(change.lines) } : {}),
    };
    const filter = { _id: id, worker, state: 'running' as const };
    if (Object.keys(update).length === 0) return (await this.models.tasks.countDocuments(filter)) === 1;
    return (await this.models.tasks.updateOne(filter, update)).matchedCount === 1;
  }

  async finish(id: string, worker: string, state: TaskState, result: unknown): Promise<void> {
    await this.models.tasks.updateOne(
      { _id: id, worker, state: 'running' },
      { $set: { state, result, progress: 100, finishedAt: new Date() } },
    );
  }

  async giveBack(id: string, worker: string): Promise<void> {
    await this.models.tasks.updateOne(
      { _id: id, worker, state: 'running' },
      { $set: { state: 'waiting', ...unclaimed }, $inc: { attempts: -1 } },
    );
  }

  async releaseAll(worker: string): Promise<void> {
    await this.models.tasks.updateMany({ state: 'running', worker }, { $set: { leaseUntil: unclaimed.leaseUntil } });
  }

  async cancel(id: string): Promise<void> {
    await this.models.tasks.updateOne(
      { _id: id, state: { $in: ['waiting', 'running'] } },
      {
        $set: { state: 'cancelled', result: 'The task was cancelled.', finishedAt: new Date() },
        $unset: { slot: '' },
      },
    );
  }

  async retry(id: string): Promise<boolean> {
    const queued = await this.models.tasks.updateOne(
      { _id: id, state: { $in: ['failed', 'cancelled'] }, kind: { $ne: 'report' } },
      {
        $set: { state: 'waiting', progress: 0, result: null, attempts: 0, ...unclaimed },
        $unset: { finishedAt: '', setAside: '', losses: '', notBefore: '' },
        $push: lines(['An operator queued the task again.']),
      },
    );
    return queued.matchedCount === 1;
  }

  async list({ states, component }: TaskFilter, page: PageRequest): Promise<TaskEntry[]> {
    const found = await this.models.tasks
      // With a condition on the state, the index on state and time returns the order.
      .find({ state: { $in: states.length > 0 ? [...states] : [...taskStates] }, ...(component ? { component } : {}) })
      .select({ log: 0, merged: 0 })
      .sort({ createdAt: -1 })
      .skip(page.skip)
      .limit(page.size)
      .lean<TaskDocument[]>();
    return found.map((task) => ({
      id: task._id,
      kind: task.kind,
      component: task.component,
      state: task.state,
      progress: task.progress,
      attempts: task.attempts,
      result: task.result,
      losses: task.losses ?? 0,
      worker: task.worker,
      createdAtMs: task.createdAt.getTime(),
      finishedAtMs: task.finishedAt?.getTime() ?? 0,
    }));
  }

  async endSilentReports(now: Date): Promise<void> {
    await this.models.tasks.updateMany(
      { kind: 'report', state: 'running', leaseUntil: { $lt: now } },
      { $set: { state: 'failed', progress: 100, result: 'The work was interrupted.', finishedAt: now } },
    );
  }

  async upsertReport(task: Task, until: Date): Promise<void> {
    const over = task.state !== 'running';
    const set = {
      progress: task.progress,
      state: task.state,
      leaseUntil: until,
      ...(task.result === undefined ? {} : { result: task.result }),
      ...(over ? { finishedAt: new Date() } : {}),
    };
    const first = {
      kind: 'report',
      component: task.component,
      user: task.user,
      changed: [],
      attempts: 0,
      worker: unclaimed.worker,
      createdAt: new Date(),
      ...(task.result === undefined ? { result: null } : {}),
    };
    await this.models.tasks.updateOne(
      { _id: task.id },
      { $set: set, $setOnInsert: first, $push: lines(task.log) },
      { upsert: true },
    );
  }
}
