import type { Permission } from '@parlance/access';
import { Effects } from '../../../test/support/memory/effects';
import { MemoryComponentIndex } from '../../../test/support/memory/component-index';
import { MemoryRepositoryStore } from '../../../test/support/memory/repository-store';
import { MemoryTranslations } from '../../../test/support/memory/translations';
import { componentOf, MemoryCatalog, reasonOf, userWith } from '../../../test/support/memory/world';
import { newRepository, type Repository } from '../../domain/repository';
import { repositoryStatus } from './repository-status';

async function start(known: Partial<Repository> = {}) {
  const effects = new Effects();
  const deps = {
    catalog: new MemoryCatalog(effects),
    index: new MemoryComponentIndex(),
    repositories: new MemoryRepositoryStore(effects),
    translations: new MemoryTranslations(effects),
  };
  const component = componentOf(1, { push: 'https://example.org/a.git' });
  deps.catalog.stored.set(1, component);
  const clean = { head: 'b', upstream: 'b', pushed: null, ahead: 0, behind: 0 };
  const named = { id: 'r', owner: 1, task: '', vcs: 'git', repo: '', branch: 'main' };
  await deps.repositories.insert(newRepository({ ...named, ...clean, ...known }));
  await deps.index.put(1, 1, 'r');
  const status = (ids: number[], ...permissions: Permission[]) =>
    repositoryStatus(deps, userWith(...permissions), ids, '');
  return { deps, component, status, shown: () => status([1], 'vcs.view', 'vcs.push') };
}

describe('the state of a repository', () => {
  it('viewing requires a permission on the component and one on the owner of its repository', async () => {
    const { status } = await start();
    expect(await reasonOf(status([1]))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(status([1], 'vcs.view'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(status([1], 'vcs.view', 'vcs.commit'))).toBe('OK');
    expect(await reasonOf(status([404], 'vcs.view', 'vcs.commit'))).toBe('NOT_FOUND');
  });

  it('a clean repository needs nothing', async () => {
    const { shown } = await start();
    expect(await shown()).toMatchObject({
      needsCommit: false,
      needsMerge: false,
      needsPush: false,
      remoteCommit: 'b',
      localCommit: 'b',
      mergeFailure: '',
    });
  });

  it('pending edits need a commit and a push', async () => {
    const { deps, shown } = await start();
    deps.translations.addEdit(deps.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect(await shown()).toMatchObject({ needsCommit: true, needsPush: true });
  });

  it('edits that the commit policy withholds need no commit', async () => {
    const { deps, component, shown } = await start();
    component.project.commitPolicy = 2;
    deps.translations.withholds = true;
    deps.translations.addEdit(deps.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect(await shown()).toMatchObject({ needsCommit: false, needsPush: false });
  });

  it('commits of ours need a push unless they were pushed to the target', async () => {
    const unpushed = await start({ head: 'c', ahead: 1 });
    expect(await unpushed.shown()).toMatchObject({ needsPush: true });
    const pushed = await start({ head: 'c', ahead: 1, pushed: 'c', pushedBranch: 'main' });
    expect(await pushed.shown()).toMatchObject({ needsPush: false });
    pushed.component.settings.pushBranch = 'translations';
    expect(await pushed.shown()).toMatchObject({ needsPush: true });
  });

  it('a repository without a remote needs no push', async () => {
    const { shown } = await start({ upstream: null, ahead: 1, head: 'c' });
    expect(await shown()).toMatchObject({ needsPush: false, remoteCommit: '' });
  });

  it('commits of upstream need a merge, and a failure is shown', async () => {
    const { shown } = await start({ behind: 2, failure: 'Conflict in README' });
    expect(await shown()).toMatchObject({ needsMerge: true, mergeFailure: 'Conflict in README' });
  });
});
