import type { Files } from '@parlance/testing';
import { pot, texts, World, type Started } from './world';

/** Context of the current test. */
export interface Ground {
  world: World;
  one: Started;
  /** Id of a component that does not exist yet; its repository does. */
  component: number;
}

const withTemplate: Files = {
  'po/app.pot': pot,
  'po/cs.po': texts(),
  'po/de.po': texts({ One: 'eins' }),
  'README.md': 'x\n',
};

/** Files with one untranslated Czech string. */
export const withoutTemplate: Files = {
  'po/cs.po': texts({ One: '' }),
  'po/de.po': texts(),
  'README.md': 'x\n',
};

/** Starts a world with one worker for the tests of a file; each test gets a new repository with these files. */
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
