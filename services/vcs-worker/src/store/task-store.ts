import { MAX_LINE_LENGTH, MAX_LOG_LINES, type Task, type TaskState, type TaskStore } from '../domain/task';
import type { Models, TaskDocument } from './models';

function toTask(document: TaskDocument): Task {
  const { _id, createdAt: _created, finishedAt: _finished, worker: _worker, leaseUntil: _until, ...rest } = document;
  return { id: _id, ...rest };
}

const lines = (list: readonly string[]) => ({
  log: { $each: list.map((line) => line.slice(0, MAX_LINE_LENGTH)), $slice: -MAX_LOG_LINES },
});
const nobody = { worker: '', leaseUntil: new Date(0) };

/** Tasks in Mongo. */
export class MongoTaskStore implements TaskStore {
  constructor(private readonly models: Pick<Models, 'tasks'>) {}

  async add(task: Task): Promise<void> {
    const { id, ...rest } = task;
    await this.models.tasks.updateOne(
      { _id: id },
      { $setOnInsert: { ...rest, ...nobody, createdAt: new Date() } },
      { upsert: true },
    );
  }

  async get(id: string): Promise<Task | null> {
    const found = await this.models.tasks.findOne({ _id: id }).lean<TaskDocument>();
    return found && toTask(found);
  }

  async begin(task: Pick<Task, 'id' | 'kind' | 'component' | 'user' | 'changed'>): Promise<void> {
    const { id, ...facts } = task;
    const result = await this.models.tasks.updateOne(
      { _id: id, state: 'prepared' },
      { $set: { ...facts, state: 'waiting' } },
    );
    if (result.matchedCount === 0)
      await this.add({ ...task, state: 'waiting', progress: 0, result: null, log: [], attempts: 0 });
  }

  async claim(worker: string, until: Date): Promise<Task | null> {
    const take = { $set: { state: 'running', worker, leaseUntil: until }, $inc: { attempts: 1 } };
    const options = { sort: { createdAt: 1 as const }, returnDocument: 'after' as const };
    const taken =
      (await this.models.tasks.findOneAndUpdate({ state: 'waiting' }, take, options).lean<TaskDocument>()) ??
      (await this.models.tasks
        .findOneAndUpdate({ state: 'running', kind: { $ne: 'report' }, leaseUntil: { $lt: new Date() } }, take, options)
        .lean<TaskDocument>());
    return taken && toTask(taken);
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
      { $set: { state: 'waiting', ...nobody }, $inc: { attempts: -1 } },
    );
  }

  async releaseAll(worker: string): Promise<void> {
    await this.models.tasks.updateMany({ state: 'running', worker }, { $set: { leaseUntil: nobody.leaseUntil } });
  }

  async cancel(id: string): Promise<void> {
    await this.models.tasks.updateOne(
      { _id: id, state: { $in: ['waiting', 'running'] } },
      { $set: { state: 'cancelled', result: 'The task was cancelled.', finishedAt: new Date() } },
    );
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
      worker: nobody.worker,
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
