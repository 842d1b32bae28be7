import { AGE_BOUNDS, agesOf, type Measures } from '../domain/measures';
import { isUnpushed, type Repository } from '../domain/repository';
import type { Models, TaskDocument } from './models';

/** Waiting tasks that are read; later ones cannot be older by more than their debounce. */
const OLDEST_TASKS = 100;
/** Most repositories that are read. Beyond it, counts stop growing. */
const MAX_REPOSITORIES = 20_000;

type State = Pick<Repository, 'vcs' | 'ahead' | 'behind' | 'head' | 'pushed' | 'failure'> &
  Partial<Pick<Repository, 'unpushedSince' | 'unmergedSince'>>;

/** Earliest of some times; null without any. */
const earliest = (times: readonly (number | null | undefined)[]): number | null =>
  times.reduce<number | null>((first, time) => (time && (first === null || time < first) ? time : first), null);

/** Queries for metrics in Mongo. */
export class MongoMeasures implements Measures {
  constructor(private readonly models: Pick<Models, 'tasks' | 'components' | 'repositories'>) {}

  async tasks(now: number): ReturnType<Measures['tasks']> {
    const [waiting, running, oldest] = await Promise.all([
      this.models.tasks.countDocuments({ state: 'waiting' }),
      this.models.tasks.countDocuments({ state: 'running' }),
      this.models.tasks
        .find({ state: 'waiting' }, { createdAt: 1, notBefore: 1 })
        .sort({ createdAt: 1 })
        .limit(OLDEST_TASKS)
        .lean<Pick<TaskDocument, 'createdAt' | 'notBefore'>[]>(),
    ]);
    const due = oldest.map(({ createdAt, notBefore }) => Math.max(createdAt.getTime(), notBefore?.getTime() ?? 0));
    return { waiting, running, oldestDueMs: earliest(due.filter((time) => time <= now)) };
  }

  async pendingEdits(now: number): ReturnType<Measures['pendingEdits']> {
    const waiting = { waitingSince: { $gt: 0 } };
    const since = (bound: number) => ({ waitingSince: { $gte: Math.max(1, now - bound * 1000) } });
    const [components, oldest, ...withinBounds] = await Promise.all([
      this.models.components.countDocuments(waiting),
      this.models.components
        .findOne(waiting, { waitingSince: 1 })
        .sort({ waitingSince: 1 })
        .lean<{ waitingSince: number }>(),
      ...AGE_BOUNDS.map((bound) => this.models.components.countDocuments(since(bound))),
    ]);
    return { components, ages: { oldestMs: oldest?.waitingSince ?? null, withinBounds } };
  }

  async repositories(now: number): ReturnType<Measures['repositories']> {
    const fields = { vcs: 1, ahead: 1, behind: 1, head: 1, pushed: 1, failure: 1, unpushedSince: 1, unmergedSince: 1 };
    const [all, notable] = await Promise.all([
      this.models.repositories.estimatedDocumentCount(),
      this.models.repositories
        .find({ $or: [{ ahead: { $gt: 0 } }, { behind: { $gt: 0 } }, { failure: { $gt: '' } }] }, fields)
        .limit(MAX_REPOSITORIES)
        .lean<State[]>(),
    ]);
    const unpushed = notable.filter(isUnpushed);
    const unmerged = notable.filter(({ behind }) => behind > 0);
    return {
      all,
      unpushed: unpushed.length,
      unmerged: unmerged.length,
      failed: notable.filter(({ failure }) => failure !== '').length,
      unpushedAges: agesOf(
        unpushed.map(({ unpushedSince }) => unpushedSince),
        now,
      ),
      unmergedAges: agesOf(
        unmerged.map(({ unmergedSince }) => unmergedSince),
        now,
      ),
    };
  }
}
