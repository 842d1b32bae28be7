import type { Files } from '@parlance/testing';
import { pot, texts, World, type Started } from './world';

/** What the test at hand works with. */
export interface Ground {
  world: World;
  one: Started;
  /** Id of a component that is not there yet; its repository is. */
  component: number;
}

const withTemplate: Files = {
  'po/app.pot': pot,
  'po/cs.po': texts(),
  'po/de.po': texts({ One: 'eins' }),
  'README.md': 'x\n',
};

/** Files in which one string waits for its Czech translation. */
export const withoutTemplate: Files = {
  'po/cs.po': texts({ One: '' }),
  'po/de.po': texts(),
  'README.md': 'x\n',
};

/** Starts a world with one worker for the tests of a file; each of them gets a new repository with these files. */
export function repositoryPerTest(give: (ground: Ground) => void, files = withTemplate): void {
  let world: World;
  let one: Started;
  beforeAll(async () => {
    world = await World.start();
    one = await world.worker();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    give({ world, one, component: await world.fresh(files) });
  });
}
