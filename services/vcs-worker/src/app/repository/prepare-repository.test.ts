import { fieldsOf, po, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { prepareRepository, type PrepareRequest } from './prepare-repository';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'po/app.pot': po({ One: '' }), 'x/de.po': 'broken' });
});
afterEach(() => world.close());

function prepare(more: Partial<PrepareRequest> = {}, archive: Buffer | null = null) {
  const request: Partial<PrepareRequest> = {
    componentId: 0,
    linkedComponentId: 0,
    vcs: 'git',
    repo: world.url,
    branch: '',
    push: '',
    filemask: 'po/*.po',
    fileFormat: 'po',
    languageRegex: '^[^.]+$',
    newLang: 'none',
    sourceLanguage: 'en',
    fileFormatParamsJson: '{}',
    template: '',
    newBase: '',
    intermediate: '',
    isGlossary: false,
    archiveKind: '',
    ...more,
  };
  return prepareRepository(world.deps, request as PrepareRequest, archive, 7);
}
/** Nothing is left of a refused preparation. */
async function expectNothingLeft(): Promise<void> {
  expect(await world.deps.clones.list()).toEqual([]);
  expect(world.effects.list.filter((effect) => effect === 'insert repository')).toHaveLength(
    world.effects.list.filter((effect) => effect === 'remove repository').length,
  );
  expect(world.tasks.tasks).toEqual([]);
}

describe('preparing a repository', () => {
  it('the clone is stored under a prepared task, with its branch and files', async () => {
    const { task, branch, files } = await prepare();
    expect({ branch, files }).toEqual({ branch: 'main', files: ['po/cs.po'] });
    const head = world.remote.log()[0]!.hash;
    expect(await world.repositories.ofTask(task)).toMatchObject({ owner: null, branch, head, upstream: head });
    expect(await world.tasks.get(task)).toMatchObject({ kind: 'import', state: 'prepared', user: 7 });
    // Clones without a document are deleted.
    expect(world.effects.list[0]).toBe('insert repository');
  });

  it('problems that need no clone are reported together, before one is made', async () => {
    const invalid = { filemask: 'po/cs.po', template: '../x', languageRegex: '(', repo: 'ftp://example.org/a' };
    expect(await fieldsOf(prepare(invalid))).toEqual([
      'filemask:invalid',
      'template:invalid',
      'language_regex:invalid',
      'repo:invalid',
    ]);
    expect(world.effects.list).toEqual([]);
  });

  it('missing and unreadable files are refused, and the clone is deleted', async () => {
    expect(await fieldsOf(prepare({ newBase: 'missing.pot' }))).toEqual(['new_base:does_not_exist']);
    expect(await fieldsOf(prepare({ filemask: 'none/*.po' }))).toEqual(['filemask:invalid']);
    expect(await fieldsOf(prepare({ filemask: 'x/*.po' }))).toEqual(['filemask:invalid']);
    await expectNothingLeft();
  });

  it('an unreachable repository and a missing branch are problems of the address', async () => {
    expect(await fieldsOf(prepare({ repo: 'file:///nowhere/at/all' }))).toEqual(['repo:invalid']);
    expect(await fieldsOf(prepare({ branch: 'missing' }))).toEqual(['repo:invalid']);
    await expectNothingLeft();
  });

  it('a local repository has the fixed address, no push, and keeps its first commit in the store', async () => {
    const local = { vcs: 'local', repo: 'local:', newBase: 'po/app.pot', archiveKind: 'document' };
    expect(await fieldsOf(prepare({ ...local, repo: world.url, push: world.url }))).toEqual([
      'repo:invalid',
      'push:invalid',
    ]);
    const { task } = await prepare(local, Buffer.from(po({ One: '' })));
    expect((await world.repositories.ofTask(task))?.saved).toHaveLength(1);
    expect(await reasonOf(prepare({ ...local, archiveKind: 'tar' }, Buffer.from('')))).toBe('INVALID');
    expect(await fieldsOf(prepare(local, Buffer.from('broken')))).toEqual(['docfile:invalid']);
  });

  it('a shared repository is only read; one that does not exist yet is refused', async () => {
    expect(await fieldsOf(prepare({ linkedComponentId: 1 }))).toEqual(['repo:invalid']);
    await world.imported(1);
    const { files } = await prepare({ linkedComponentId: 1 });
    expect(files).toEqual(['po/cs.po']);
    expect(world.effects.list).toEqual([]);
  });

  it('changed settings of the same repository need no other clone; another branch does', async () => {
    await world.imported(1);
    world.remote.commit({ 'po/fr.po': po({ One: '' }) }, { branch: 'next' });
    const same = await prepare({ componentId: 1, branch: 'main' });
    expect(await world.tasks.get(same.task)).toMatchObject({ kind: 'update', component: 1 });
    expect(await world.repositories.ofTask(same.task)).toBeNull();
    const other = await prepare({ componentId: 1, branch: 'next' });
    expect(await world.repositories.ofTask(other.task)).toMatchObject({ branch: 'next' });
  });
});
