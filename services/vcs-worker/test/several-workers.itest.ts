import { repositoryPerTest } from './support/repository';
import { texts, type Started, type World } from './support/world';

describe('clones of several workers', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground));

  it('a worker with an older clone adds to the commits of another worker, which then reads the result', async () => {
    await world.component(one, c, { push: world.url });
    const other = await world.worker();
    expect(await world.read(other, c, 'po/cs.po')).toBe(texts());
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    world.translation.edit('po/cs.po', 'Two', 'druhá', 'Bob');
    expect(await world.run(other, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    expect(await world.read(one, c, 'po/cs.po')).toBe(texts({ One: 'první', Two: 'druhá' }));

    // The remote does not have this commit.
    world.translation.edit('po/cs.po', 'Three', 'třetí', 'Ann');
    expect(await world.run(one, 'OPERATION_COMMIT', c)).toMatchObject({ result: true });
    world.translation.edit('po/de.po', 'Two', 'zwei', 'Bob');
    expect(await world.run(other, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
    for (const worker of [one, other]) {
      expect(await world.read(worker, c, 'po/cs.po')).toBe(texts({ One: 'první', Two: 'druhá', Three: 'třetí' }));
      expect(await world.read(worker, c, 'po/de.po')).toBe(texts({ One: 'eins', Two: 'zwei' }));
      expect(await world.status(worker, c)).toMatchObject({ needsCommit: false, needsPush: false });
    }
    expect(world.remote.log().map(({ author }) => author)).toEqual(['Bob', 'Ann', 'Bob', 'Ann', 'Ada Developer']);
    await world.stop(other);
  });
});
