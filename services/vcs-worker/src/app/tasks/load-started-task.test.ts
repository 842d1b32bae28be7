import { MemoryTaskStore } from '../../../test/support/memory/task-store';
import { reasonOf } from '../../../test/support/memory/world';
import { loadStartedTask } from './load-started-task';

const prepared = {
  id: 't',
  kind: 'import' as const,
  component: 0,
  user: 7,
  state: 'prepared' as const,
  progress: 0,
  result: null,
  log: [],
  changed: [],
  attempts: 0,
};

describe('a task by id', () => {
  it('a prepared task is returned as soon as it has begun', async () => {
    const tasks = new MemoryTaskStore();
    await tasks.add(prepared);
    const loaded = loadStartedTask({ tasks }, 't');
    await tasks.begin({ id: 't', kind: 'import', component: 1, user: 7, changed: [] });
    expect(await loaded).toMatchObject({ state: 'waiting', component: 1 });
  });

  it('a prepared task whose component is not stored is returned as it is', async () => {
    const tasks = new MemoryTaskStore();
    await tasks.add(prepared);
    expect(await loadStartedTask({ tasks }, 't')).toMatchObject({ state: 'prepared' });
  });

  it('an unknown task is NOT_FOUND', async () => {
    expect(await reasonOf(loadStartedTask({ tasks: new MemoryTaskStore() }, 'x'))).toBe('NOT_FOUND');
  });
});
