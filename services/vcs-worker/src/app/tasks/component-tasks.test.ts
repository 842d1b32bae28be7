import { po, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { newRepository, type Repository } from '../../domain/repository';
import type { TaskKind } from '../../domain/task';
import { importComponent, operateOnComponent, removeComponent, updateComponent } from './component-tasks';
import type { TaskRun } from './task-runner';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'secret.txt': 'x\n' });
});
afterEach(() => world.close());

const runOf = (component: number, kind: TaskKind, changed: string[] = []): TaskRun => ({
  task: {
    id: 'task',
    kind,
    component,
    user: 7,
    state: 'running',
    progress: 0,
    result: null,
    log: [],
    changed,
    attempts: 1,
  },
  signal: new AbortController().signal,
  log: (line) => void world.log.push(line),
  progress: () => undefined,
});
const importNow = (id: number) => importComponent(world.deps)(runOf(id, 'import'));

/** A clone of upstream that was prepared for a task. */
async function prepare(id: string, task = 'task', more: Partial<Repository> = {}): Promise<void> {
  const git = await world.deps.clones.create(id);
  const head = await git.fetch(world.url, 'main');
  const named = { id, task, vcs: 'git', repo: world.url, branch: 'main' };
  await world.repositories.insert(newRepository({ ...named, head, upstream: head, ...more }));
}

/** A component whose repository is not assigned yet. */
async function stored(id: number, linkedComponentId = 0): Promise<void> {
  await world.linked(id, 0, { repo: world.url, linkedComponentId });
  await world.index.remove(id);
}

describe('the first import', () => {
  it('the prepared clone is assigned, all files are imported, and a repetition changes nothing else', async () => {
    await prepare('prepared');
    await stored(1);
    await importNow(1);
    expect(await world.repositories.get('prepared')).toMatchObject({ owner: 1 });
    expect((await world.repositories.get('prepared'))?.scanned).not.toBeNull();
    expect(await world.index.repositoryOf(1)).toBe('prepared');
    expect(world.translations.imports).toMatchObject([{ paths: ['po/cs.po'], options: { initial: true } }]);
    await importNow(1);
    expect(await world.index.repositoryOf(1)).toBe('prepared');
  });

  it('a prepared clone that was deleted is cloned again', async () => {
    await stored(1);
    await importNow(1);
    expect(await world.index.repositoryOf(1)).toBe('task');
    expect(await world.repositories.get('task')).toMatchObject({ owner: 1, upstream: world.remote.log()[0]!.hash });
  });

  it('a link waits until its owner has a repository, and then shares it', async () => {
    await stored(2, 1);
    expect(await reasonOf(importNow(2))).toBe('UNAVAILABLE');
    await world.imported(1);
    await importNow(2);
    expect(await world.index.componentsOf('r1')).toEqual([1, 2]);
  });

  it('a deleted component is NOT_FOUND', async () => {
    expect(await reasonOf(importNow(404))).toBe('NOT_FOUND');
  });
});

describe('changed settings', () => {
  const update = (id: number, changed: string[]) => updateComponent(world.deps)(runOf(id, 'update', changed));

  it('pending edits are committed before the files are imported again', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await update(1, ['filemask']);
    const { list } = world.effects;
    expect(list.indexOf('mark edits as committed')).toBeGreaterThan(-1);
    expect(list.indexOf('mark edits as committed')).toBeLessThan(list.lastIndexOf('import files of 1'));
  });

  it('with another repository, the component and its links move, edits are kept, and the old one is deleted', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await prepare('other');
    await update(1, ['repo']);
    expect(await world.index.componentsOf('other')).toEqual([1, 2]);
    expect(await world.repositories.get('r1')).toBeNull();
    const moved = (await world.repositories.get('other'))!;
    expect(moved).toMatchObject({ owner: 1, ahead: 1 });
    const git = await world.deps.clones.open(moved, async () => world.url);
    expect((await git.readFile(moved.head!, 'po/cs.po'))?.bytes.toString()).toContain('jedna');
  });

  it('a revoked link moves a local component with its own files only', async () => {
    await world.imported(1);
    await world.linked(2, 1, { linkedComponentId: 0, vcs: 'local', repo: 'local:' });
    await update(2, []);
    const own = (await world.repositories.ofOwner(2))!;
    expect(await world.index.repositoryOf(2)).toBe(own.id);
    const git = await world.deps.clones.open(own, async () => '');
    expect((await git.listFiles(own.head!)).map(({ path }) => path)).toEqual(['po/cs.po']);
    expect(await world.index.componentsOf('r1')).toEqual([1]);
  });
});

describe('operations and removal', () => {
  it('an operation that fails for a known reason fails its task', async () => {
    await world.imported(1, { repo: 'file:///nowhere/at/all' });
    expect(await reasonOf(operateOnComponent(world.deps, 'pull')(runOf(1, 'pull')))).toBe('FAILED_PRECONDITION');
    expect(await reasonOf(operateOnComponent(world.deps, 'commit')(runOf(1, 'commit')))).toBe('OK');
  });

  it('the repository is deleted with its owner or its last component, and removal is idempotent', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    await removeComponent(world.deps, 2);
    expect(await world.repositories.get('r1')).not.toBeNull();
    await removeComponent(world.deps, 1);
    await removeComponent(world.deps, 1);
    expect(await world.repositories.get('r1')).toBeNull();
    expect(await world.deps.clones.list()).toEqual([]);
  });
});
