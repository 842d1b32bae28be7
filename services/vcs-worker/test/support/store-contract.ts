import {
  LeaseLostError,
  newRepository,
  type ComponentIndex,
  type RepositoryStore,
  type WorkerStore,
} from '../../src/domain/repository';
import { SET_ASIDE, type Claimant, type TaskStore } from '../../src/domain/task';

export interface Stores {
  repositories: RepositoryStore;
  workers: WorkerStore;
  index: ComponentIndex;
  tasks: TaskStore;
}

const later = () => new Date(Date.now() + 60_000);
const past = () => new Date(Date.now() - 1);
const claimant = (worker: string, until = later()): Claimant => ({
  worker,
  until,
  running: [],
  takesOver: true,
  takesSuspects: true,
});
const commitOf = (id: string, component = 1) => ({ id, kind: 'commit' as const, component, user: 7, changed: [] });

/** Rules that every implementation of the stores has. */
export function storeContract(start: () => Promise<Stores>): void {
  let stores: Stores;
  let count = 0;
  let id = '';

  beforeAll(async () => {
    stores = await start();
  });
  beforeEach(async () => {
    id = `repository-${++count}`;
    await stores.repositories.insert(
      newRepository({ id, task: `task-of-${id}`, vcs: 'git', repo: 'x', branch: 'main' }),
    );
  });

  describe('repositories', () => {
    it('a repository is assigned to one component only', async () => {
      const { repositories } = stores;
      const owner = 100 + count;
      expect(await repositories.claim(id, owner)).toBe(true);
      expect(await repositories.claim(id, owner)).toBe(true);
      expect(await repositories.claim(id, owner + 1)).toBe(false);
      expect((await repositories.ofOwner(owner))?.id).toBe(id);
      expect((await repositories.ofTask(`task-of-${id}`))?.id).toBe(id);
    });

    it('the first ticket of the queue gets the lease, with a higher token each time', async () => {
      const { repositories } = stores;
      expect(await repositories.enqueue(id, 'one', 'a')).toBe(true);
      expect(await repositories.enqueue(id, 'one', 'a')).toBe(false);
      expect(await repositories.enqueue(id, 'two', 'b')).toBe(true);
      expect(await repositories.acquire(id, 'b', 'two', later())).toBeNull();
      expect((await repositories.acquire(id, 'a', 'one', later()))?.token).toBe(1);
      await repositories.release(id, 'one');
      expect((await repositories.acquire(id, 'b', 'two', later()))?.token).toBe(2);
    });

    it('a write or renewal with the token of a lost lease fails', async () => {
      const { repositories } = stores;
      await repositories.enqueue(id, 'one', 'a');
      await repositories.enqueue(id, 'two', 'b');
      await repositories.acquire(id, 'a', 'one', past());
      await repositories.dropTickets(id, ['b']);
      await repositories.acquire(id, 'b', 'two', later());
      await expect(repositories.write(id, 1, { failure: 'x' }, [])).rejects.toThrow(LeaseLostError);
      expect(await repositories.renew(id, 1, later())).toBe(false);
      expect(await repositories.renew(id, 2, later())).toBe(true);
      await repositories.write(id, 2, { failure: 'y' }, []);
      expect((await repositories.get(id))?.failure).toBe('y');
    });

    it('releasing a worker ends its lease and its tickets', async () => {
      const { repositories } = stores;
      const worker = `worker-${id}`;
      await repositories.enqueue(id, 'one', worker);
      await repositories.acquire(id, worker, 'one', later());
      expect(await repositories.ticketsOf(worker)).toEqual([{ repository: id, ticket: 'one' }]);
      await repositories.releaseAll(worker);
      expect(await repositories.ticketsOf(worker)).toEqual([]);
      await repositories.enqueue(id, 'two', 'b');
      expect(await repositories.acquire(id, 'b', 'two', later())).not.toBeNull();
    });

    it('only prepared repositories without a component count as unclaimed', async () => {
      const { repositories } = stores;
      const unclaimed = async () => (await repositories.findUnclaimed(later(), 1000)).map((one) => one.id);
      expect(await unclaimed()).toContain(id);
      await repositories.claim(id, 200 + count);
      expect(await unclaimed()).not.toContain(id);
    });
  });

  it('a worker is alive until its heartbeat expires', async () => {
    const { workers } = stores;
    await workers.renew('alive', later());
    await workers.renew('dead', past());
    expect(await workers.listAlive()).toEqual(['alive']);
    await workers.remove('alive');
    expect(await workers.listAlive()).toEqual([]);
  });

  describe('the component index', () => {
    it('edits made during a commit keep the component listed, with the time of the first one', async () => {
      const { index } = stores;
      const component = 300 + count;
      await index.put(component, 5, id);
      await index.recordEdits([component], 10);
      await index.recordEdits([component], 20);
      const edited = async () => (await index.listEdited(1000)).filter((entry) => entry.component === component);
      const { touched } = (await edited())[0]!;
      expect(await edited()).toEqual([{ component, repository: id, since: 10, touched }]);
      await index.recordOldestEdit(component, 15, touched);
      expect(await edited()).toMatchObject([{ since: 15 }]);
      // An edit whose event is late, or whose clock is slow.
      await index.recordEdits([component], 12);
      await index.recordOldestEdit(component, 0, touched);
      expect(await edited()).toMatchObject([{ since: 15 }]);
      await index.recordOldestEdit(component, 0, (await edited())[0]!.touched);
      expect(await edited()).toEqual([]);
    });

    it('a moved component keeps its screenshots', async () => {
      const { index } = stores;
      const component = 400 + count;
      await index.put(component, 6, id);
      await index.setScreenshots(component, new Map([['a.png', 'hash']]));
      await index.put(component, 6, 'another');
      expect(await index.screenshots(component)).toEqual(new Map([['a.png', 'hash']]));
      expect(await index.componentsOf(id)).toEqual([]);
      expect(await index.repositoryOf(component)).toBe('another');
    });

    it('components that share a repository move together, and stay in their projects', async () => {
      const { index } = stores;
      const [owner, linked] = [500 + count, 600 + count];
      await index.put(owner, 7000 + count, id);
      await index.put(linked, 8000 + count, id);
      await index.moveAll(id, `next-${id}`);
      expect(await index.componentsOf(`next-${id}`)).toEqual([owner, linked]);
      expect(await index.ofProject(8000 + count)).toEqual([linked]);
    });
  });

  describe('tasks', () => {
    it('a task begins once', async () => {
      const { tasks } = stores;
      const task = commitOf(`once-${id}`);
      await tasks.begin(task);
      const claimed = await tasks.claim(claimant('a'));
      expect(claimed).toMatchObject({ id: task.id, state: 'running', attempts: 1 });
      await tasks.begin(task);
      expect(await tasks.claim(claimant('b'))).toBeNull();
      await tasks.finish(task.id, 'b', 'failed', 'x');
      expect((await tasks.get(task.id))?.state).toBe('running');
      await tasks.finish(task.id, 'a', 'done', {});
      expect(await tasks.get(task.id)).toMatchObject({ state: 'done', progress: 100 });
    });

    it('a task is open from its beginning to its end', async () => {
      const { tasks } = stores;
      const task = commitOf(`open-${id}`, 6000 + count);
      expect(await tasks.isOpen('commit', task.component)).toBe(false);
      await tasks.begin(task);
      expect(await tasks.isOpen('commit', task.component)).toBe(true);
      expect(await tasks.isOpen('pull', task.component)).toBe(false);
      await tasks.claim(claimant('a'));
      expect(await tasks.isOpen('commit', task.component)).toBe(true);
      await tasks.finish(task.id, 'a', 'failed', 'x');
      expect(await tasks.isOpen('commit', task.component)).toBe(false);
    });

    it('a task is set aside after it has lost two workers', async () => {
      const { tasks } = stores;
      const task = commitOf(`lost-${id}`, 7000 + count);
      await tasks.begin(task);
      await tasks.claim(claimant('a', past()));
      expect(await tasks.setAside(new Date())).toBeNull();
      expect(await tasks.claim(claimant('b', past()))).toMatchObject({ id: task.id, losses: 1 });
      expect(await tasks.claim(claimant('c'))).toBeNull();
      expect(await tasks.setAside(new Date())).toMatchObject({ id: task.id, losses: 2, result: SET_ASIDE });
      expect(await tasks.wasSetAside('commit', task.component, new Date(Date.now() - 60_000))).toBe(true);
    });

    it('a deferred or returned task counts no lost worker', async () => {
      const { tasks } = stores;
      const task = commitOf(`deferred-${id}`);
      await tasks.begin(task);
      await tasks.claim(claimant('a'));
      await tasks.prolong([task.id], 'a', past());
      await tasks.defer(task.id, 'a');
      const again = await tasks.claim(claimant('b'));
      expect(again).toMatchObject({ id: task.id, attempts: 2 });
      expect(again?.losses).toBeUndefined();
      await tasks.giveBack(task.id, 'b');
      expect(await tasks.claim(claimant('c'))).toMatchObject({ attempts: 2 });
      await tasks.finish(task.id, 'c', 'done', {});
    });

    it('a pull that still waits is extended; one that has begun is not', async () => {
      const { tasks } = stores;
      const component = 8000 + count;
      await tasks.beginPull(`first-${id}`, component, 0);
      await tasks.beginPull(`second-${id}`, component, 0);
      expect((await tasks.get(`second-${id}`))?.id).toBe(`first-${id}`);
      expect(await tasks.claim(claimant('a'))).toMatchObject({ id: `first-${id}` });
      await tasks.beginPull(`third-${id}`, component, 0);
      expect((await tasks.get(`third-${id}`))?.id).toBe(`third-${id}`);
      await tasks.cancel(`third-${id}`);
      await tasks.finish(`first-${id}`, 'a', 'done', {});
    });

    it('only failed and cancelled tasks are retried', async () => {
      const { tasks } = stores;
      const task = commitOf(`again-${id}`);
      await tasks.begin(task);
      expect(await tasks.retry(task.id)).toBe(false);
      await tasks.cancel(task.id);
      expect(await tasks.retry(task.id)).toBe(true);
      expect(await tasks.get(task.id)).toMatchObject({ state: 'waiting', attempts: 0, result: null });
      await tasks.cancel(task.id);
    });

    it('a retried task is not claimed by a worker that still runs it', async () => {
      const { tasks } = stores;
      const task = commitOf(`running-${id}`);
      await tasks.begin(task);
      await tasks.claim(claimant('a'));
      await tasks.cancel(task.id);
      await tasks.retry(task.id);
      expect(await tasks.claim({ ...claimant('a'), running: [task.id] })).toBeNull();
      expect(await tasks.claim(claimant('a'))).toMatchObject({ id: task.id, attempts: 1 });
      await tasks.finish(task.id, 'a', 'done', {});
    });
  });
}
