import { join } from 'node:path';
import { TaskLimitError, WorkerPool } from './worker-pool';

type Tasks = {
  double(value: number): number;
  fail(message: string): never;
  fillMemory(input: null): void;
  spin(input: null): void;
};

const pools: WorkerPool<Tasks>[] = [];
function poolOf(options: { maxRunMs?: number; maxWaiting?: number } = {}): WorkerPool<Tasks> {
  const limits = { threads: 1, memoryMb: 64, maxRunMs: 20_000, maxWaiting: 4, ...options };
  const pool = new WorkerPool<Tasks>(join(__dirname, '../test/tasks'), limits);
  pools.push(pool);
  return pool;
}
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe('WorkerPool', () => {
  it('WorkerPool survives a task that exhausts the memory of its thread', async () => {
    const pool = poolOf();
    await expect(pool.run('fillMemory', null)).rejects.toMatchObject({ name: 'TaskLimitError', limit: 'memory' });
    await expect(pool.run('double', 21)).resolves.toBe(42);
  });

  it('WorkerPool fails the tasks of a worker that cannot be loaded', async () => {
    const pool = new WorkerPool<Tasks>(join(__dirname, '../test/missing'), {
      threads: 1,
      memoryMb: 64,
      maxRunMs: 20_000,
      maxWaiting: 4,
    });
    pools.push(pool);
    await expect(pool.run('double', 1)).rejects.toThrow();
    await expect(pool.run('double', 1)).rejects.toThrow();
  });

  it('WorkerPool ends a task that exceeds its time limit', async () => {
    const pool = poolOf({ maxRunMs: 500 });
    await expect(pool.run('spin', null)).rejects.toThrow(TaskLimitError);
    await expect(pool.run('double', 4)).resolves.toBe(8);
  });

  it('WorkerPool rejects tasks beyond its queue and reports errors of tasks', async () => {
    const pool = poolOf({ maxWaiting: 1, maxRunMs: 2_000 });
    await pool.run('double', 1);
    const running = pool.run('spin', null).catch((error: Error) => error.name);
    const waiting = pool.run('double', 2);
    await expect(pool.run('double', 3)).rejects.toMatchObject({ reason: 'OVERLOADED' });
    await expect(running).resolves.toBe('TaskLimitError');
    await expect(waiting).resolves.toBe(4);
    await expect(pool.run('fail', 'no such string')).rejects.toThrow('no such string');
  });
});
