import { installed } from '../../../test/support/memory/addon-files';
import { po, UseCaseWorld } from '../../../test/support/memory/world';
import { pull } from '../push-pull/pull';
import { setHead } from '../repository/set-head';
import { groupByAuthor, groupByPath, joinedMessage, squashCommits } from './squash';

describe('squashing', () => {
  const step = (hash: string, name: string, paths: string[], message = hash) => ({
    hash,
    tree: '',
    parents: ['0'],
    author: { name, email: `${name}@example.com`, timeMs: 0 },
    committer: { name: 'P', email: 'p@example.com', timeMs: 0 },
    message,
    paths,
  });
  const summary = (groups: { steps: { hash: string }[]; paths: Set<string> }[]) =>
    groups.map((group) => [group.steps.map((s) => s.hash).join(''), [...group.paths].sort().join(' ')]);

  it('squashing joins commits of an author unless another author changed the same files in between', () => {
    expect(
      summary(
        groupByAuthor([step('1', 'a', ['x']), step('2', 'b', ['y']), step('3', 'a', ['x']), step('4', 'a', ['y'])]),
      ),
    ).toEqual([
      ['13', 'x'],
      ['2', 'y'],
      ['4', 'y'],
    ]);
  });

  it('squashing can join commits by file', () => {
    expect(summary(groupByPath([step('1', 'a', ['x', 'y']), step('2', 'b', ['x'])], (path) => path))).toEqual([
      ['12', 'x'],
      ['1', 'y'],
    ]);
  });

  it('squashing keeps trailers and lists the other authors', () => {
    const steps = [step('1', 'a', ['x'], 'One\n\nReviewed-by: C <c@x>'), step('2', 'b', ['x'], 'Two')];
    expect(joinedMessage(steps, '', true)).toBe(
      'One\n\nTwo\n\nReviewed-by: C <c@x>\nCo-authored-by: a <a@example.com>',
    );
    expect(joinedMessage(steps, 'All', false)).toBe('All');
  });
});

describe('squashing unpushed commits', () => {
  let world: UseCaseWorld;
  beforeEach(async () => {
    world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'po/de.po': po({ One: '' }), README: 'x\n' });
    await world.imported(1);
  });
  afterEach(() => world.close());

  const commit = (path: string, text: string) =>
    world.run(1, async (work) => setHead(world.deps, work.session, work.git, await world.commit(work, path, text)));
  const squash = (configuration = {}) =>
    world.run(1, (work) =>
      squashCommits.beforePush!(world.deps, work, installed('weblate.git.squash', { squash: 'all', ...configuration })),
    );

  it('all commits become one with the last state of every file', async () => {
    await commit('README', 'a\n');
    await commit('README', 'b\n');
    await commit('new', 'c\n');
    await world.run(1, ({ session }) => session.write({ maintained: session.repository.head }));
    await squash();
    const { head, ahead, maintained } = await world.repository(1);
    expect({ ahead, maintained }).toEqual({ ahead: 1, maintained: head });
    expect([await world.read(1, 'README'), await world.read(1, 'new')]).toEqual(['b\n', 'c\n']);
    expect(world.log).toContain('3 commits squashed into 1');
  });

  it.each([
    ['file', 3],
    ['language', 2],
  ])('commits with a different %s are squashed separately', async (kind, expected) => {
    await commit('po/cs.po', po({ One: 'a' }));
    await commit('README', 'x2\n');
    await commit('po/cs.po', po({ One: 'b' }));
    await commit('LICENSE', 'y\n');
    await squash({ squash: kind });
    expect((await world.repository(1)).ahead).toBe(expected);
    expect(await world.read(1, 'po/cs.po')).toContain('"b"');
  });

  it('a single commit, and commits that would not become fewer, stay as they are', async () => {
    await commit('README', 'a\n');
    const one = (await world.repository(1)).head;
    await squash();
    expect((await world.repository(1)).head).toBe(one);
    await commit('new', 'c\n');
    const two = (await world.repository(1)).head;
    await squash({ squash: 'file' });
    expect((await world.repository(1)).head).toBe(two);
  });

  it('commits are not squashed if one of them is a merge', async () => {
    await commit('README', 'a\n');
    world.catalog.stored.get(1)!.settings.mergeStyle = 'merge';
    world.remote.commit({ theirs: 'b\n' });
    await world.run(1, (work) => pull(world.deps, work));
    const { head } = await world.repository(1);
    await squash();
    expect((await world.repository(1)).head).toBe(head);
    expect(world.log).toContain('Commits are not squashed because one of them is a merge');
  });
});
