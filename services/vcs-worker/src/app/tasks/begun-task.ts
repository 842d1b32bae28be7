import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@parlance/errors';
import type { Task } from '../../domain/task';
import type { Deps } from '../deps';

/** How long a task may need to hear of its component, and how often it is looked at meanwhile, in milliseconds. */
const WAIT_MS = 2_000;
const LOOK_MS = 20;

/**
 * A task as who was just told its name expects it: that its component is stored comes with an event, a moment after the answer.
 * @throws NOT_FOUND
 */
export async function begunTask({ tasks }: Pick<Deps, 'tasks'>, id: string): Promise<Task> {
  for (let left = WAIT_MS / LOOK_MS; ; left--) {
    const task = await tasks.get(id);
    if (!task) throw new ServiceError('NOT_FOUND');
    if (task.state !== 'prepared' || left === 0) return task;
    await pause(LOOK_MS);
  }
}
