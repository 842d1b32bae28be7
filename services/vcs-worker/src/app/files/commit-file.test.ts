import type { common } from '@parlance/contracts';
import { actionsIn, componentOf, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { commitFile, type FileCommit } from './commit-file';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': 'Czech', LINGUAS: 'cs' });
});
afterEach(() => world.close());

const author: common.Author = { userId: 7, username: 'ann', fullName: 'Ann', email: 'ann@example.com' } as never;

/** Commits a German file for component 1. */
const commit = (more: Partial<FileCommit> = {}) =>
  world.run(1, (work) =>
    commitFile(world.deps, work, world.catalog.stored.get(1)!, {
      path: 'po/de.po',
      bytes: Buffer.from('German'),
      template: 'Add {{ language_name }} ({{ language_code }}) in {{ filename }} by {{ author }}',
      author,
      language: { code: 'de', name: 'German' },
      ...more,
    }),
  );
/** The newest commit, as the remote shows it. */
const pushed = (hash: string) =>
  world.run(1, async ({ git }) => {
    await git.push(world.url, hash, 'main', 'fast-forward');
    return world.remote.log()[0]!;
  });

describe('commitFile', () => {
  it('commits a file in the name of its author, with a message from the template', async () => {
    await world.imported(1);
    const hash = await commit();
    expect(await world.repository(1)).toMatchObject({ head: hash, ahead: 1 });
    expect(await world.read(1, 'po/de.po')).toBe('German');
    expect(await pushed(hash)).toMatchObject({
      author: 'Ann',
      email: 'ann@example.com',
      message: 'Add German (de) in po/de.po by Ann <ann@example.com>',
    });
  });

  it('other files are part of the same commit, and a file without bytes is removed', async () => {
    await world.imported(1);
    await commit({ path: 'po/cs.po', bytes: null, otherFiles: [{ path: 'LINGUAS', bytes: Buffer.from('') }] });
    expect(await world.read(1, 'po/cs.po')).toBeNull();
    expect(await world.read(1, 'LINGUAS')).toBe('');
    expect((await world.repository(1)).ahead).toBe(1);
  });

  it('the history names the file, the commit and the user', async () => {
    await world.imported(1);
    const hash = await commit();
    expect(actionsIn(world.effects)).toEqual([Action.committed]);
    const [entry] = world.effects.payloads('changeMade') as { userId: number; target: string; detailsJson: string }[];
    expect(entry).toMatchObject({ userId: 7, target: hash });
    expect(JSON.parse(entry!.detailsJson)).toEqual({ filename: 'po/de.po', commit: hash });
  });

  it('files that were read before the commit count as read after it, because the caller imports the file', async () => {
    await world.imported(1);
    const hash = await commit();
    expect(await world.repository(1)).toMatchObject({ scanned: hash, maintained: hash });
  });

  it('changes that were not read or maintained before the commit remain unread', async () => {
    await world.imported(1);
    const { head } = await world.repository(1);
    await world.run(1, ({ session }) => session.write({ scanned: null, maintained: null }));
    await commit();
    expect(await world.repository(1)).toMatchObject({ scanned: null, maintained: null });
    await world.run(1, ({ session }) => session.write({ scanned: head }));
    await commit({ path: 'po/fr.po' });
    expect(await world.repository(1)).toMatchObject({ scanned: head });
  });

  it('the message can name the other components of the repository', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    world.catalog.stored.set(3, componentOf(3));
    const template = '{% for child in component_linked_children %}{{ child.name }};{% endfor %}';
    expect(await pushed(await commit({ template }))).toMatchObject({ message: 'Component 2;' });
  });
});
