import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryPerTest } from './support/repository';
import type { Started, World } from './support/world';

describe('a new clone on request', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground));

  it('every worker replaces its clone once, whichever worker answers', async () => {
    const other = await world.worker();
    const workers = [one, other];
    await world.component(one, c);
    const repository = await world.store.collection('repositories').findOne({ owner: c });
    const marker = ({ folder }: Started) => join(folder, 'repositories', `${String(repository!._id)}.git`, 'marker');
    // Reading a file would not need the clone: its content is cached.
    const workOn = async () => {
      for (const worker of workers)
        expect(await world.run(worker, 'OPERATION_CLEANUP', c)).toMatchObject({ result: true });
    };
    await workOn();
    for (const worker of workers) writeFileSync(marker(worker), '');
    await workOn();
    expect(workers.map((worker) => existsSync(marker(worker)))).toEqual([true, true]);

    const request = { componentIds: [c], operation: 'OPERATION_CLONE_AGAIN' as const };
    expect(await other.client.runOperation(request, world.process)).toMatchObject({ result: true });
    expect(workers.map((worker) => existsSync(marker(worker)))).toEqual([true, false]);
    await workOn();
    expect(workers.map((worker) => existsSync(marker(worker)))).toEqual([false, false]);

    for (const worker of workers) writeFileSync(marker(worker), '');
    await workOn();
    expect(workers.map((worker) => existsSync(marker(worker)))).toEqual([true, true]);
    await world.stop(other);
  });

  it('the clone stays while the remote is unreachable', async () => {
    await world.component(one, c);
    world.remote.close();
    const request = { componentIds: [c], operation: 'OPERATION_CLONE_AGAIN' as const };
    expect(await one.client.runOperation(request, world.process)).toMatchObject({ result: false });
    expect(await world.read(one, c, 'po/cs.po')).toContain('jedna');
  });
});
