import { openStore, type Store } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import { newRepository } from '../src/domain/repository';
import { MongoComponentIndex } from '../src/store/component-index';
import { makeModels, type Models } from '../src/store/models';
import { MongoRepositoryStore } from '../src/store/repository-store';

interface Place {
  project: number;
  component: number;
}

const owner = { project: 1, component: 10 };
/** A component of another project that shares the repository. */
const linked = { project: 2, component: 20 };

describe('replies about the state of repositories are invalidated', () => {
  let mongo: Store<Models>;
  let repositories: MongoRepositoryStore;
  let index: MongoComponentIndex;
  let changed: Place[];
  beforeEach(async () => {
    mongo = await openStore((await engines()).mongoUri('vcscontents'), makeModels);
    await mongo.connection.dropDatabase();
    const contents = { changed: async (places: readonly Place[]) => void changed.push(...places) };
    repositories = new MongoRepositoryStore(mongo.models, contents);
    index = new MongoComponentIndex(mongo.models, contents);
    changed = [];
    await repositories.insert(newRepository({ id: 'shared', task: 'task', vcs: 'git', repo: 'x', branch: 'main' }));
    for (const { project, component } of [owner, linked]) await index.put(component, project, 'shared');
  });
  afterEach(() => mongo.close());

  /** Components whose replies a write invalidated. */
  async function invalidatedBy(write: () => Promise<unknown>): Promise<Place[]> {
    changed = [];
    await write();
    return changed.sort((a, b) => a.component - b.component);
  }

  it('of each component that uses a repository, after its writes', async () => {
    expect(await invalidatedBy(() => repositories.claim('shared', 10))).toEqual([owner, linked]);
    expect(await invalidatedBy(() => repositories.write('shared', 0, { behind: 1 }, []))).toEqual([owner, linked]);
    expect(await invalidatedBy(() => repositories.remove('shared'))).toEqual([owner, linked]);
  });

  it('not by leases, which no reply shows', async () => {
    const lease = async () => {
      await repositories.enqueue('shared', 'ticket', 'worker');
      await repositories.acquire('shared', 'worker', 'ticket', new Date(Date.now() + 60_000));
      await repositories.release('shared', 'ticket');
    };
    expect(await invalidatedBy(lease)).toEqual([]);
  });

  it('of a component that gets another repository', async () => {
    expect(await invalidatedBy(() => index.put(20, 2, 'another'))).toEqual([linked]);
    expect(await invalidatedBy(() => index.moveAll('shared', 'another'))).toEqual([owner, linked]);
  });

  it('of the components of a restored project', async () => {
    expect(await invalidatedBy(() => index.invalidateProject(2))).toEqual([{ project: 2, component: 0 }, linked]);
  });
});
