import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@parlance/errors';
import type { Task } from '../../domain/task';
import type { Deps } from '../deps';

/** Longest wait for the event of a task's component, and polling interval, in milliseconds. */
const WAIT_MS = 2_000;
const POLL_MS = 20;

/**
 * A task by id. The event that stores its component arrives shortly after the response that named the task, so a prepared task is polled.
 * @throws NOT_FOUND
 */
export async function loadStartedTask({ tasks }: Pick<Deps, 'tasks'>, id: string): Promise<Task> {
  for (let left = WAIT_MS / POLL_MS; ; left--) {
    const task = await tasks.get(id);
    if (!task) throw new ServiceError('NOT_FOUND');
    if (task.state !== 'prepared' || left === 0) return task;
    await pause(POLL_MS);
  }
}
