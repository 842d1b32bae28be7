import { StagedFiles } from './staged-files';

/** A commit with two files and a folder. */
const git = {
  readFile: async (_head: string, path: string) =>
    path === 'a' || path === 'b' ? { bytes: Buffer.from(path), hash: path } : null,
  listFiles: async () => ['a', 'b'].map((path) => ({ path, hash: path, size: 1, executable: false })),
  findObstacle: async (_head: string, path: string) => (path === 'folder' ? { path, kind: 'folder' as const } : null),
};
const start = () => new StagedFiles(git, 'head');
const text = async (files: StagedFiles, path: string) => (await files.read(path))?.toString();

describe('staged files', () => {
  it('a staged file is read and listed instead of the committed one', async () => {
    const files = start();
    await files.write('a', Buffer.from('new'));
    await files.write('b', null);
    await files.write('c', Buffer.from('c'));
    expect([await text(files, 'a'), await text(files, 'b'), await text(files, 'c')]).toEqual(['new', undefined, 'c']);
    expect((await files.list()).sort()).toEqual(['a', 'c']);
  });

  it('changes of staged files are taken once, and stay readable', async () => {
    const files = start();
    await files.write('a', Buffer.from('new'));
    expect(files.takeChanges()).toEqual([{ path: 'a', bytes: Buffer.from('new') }]);
    expect(files.takeChanges()).toEqual([]);
    expect(await text(files, 'a')).toBe('new');
  });

  it('equal bytes, and the deletion of a missing file, are no changes', async () => {
    const files = start();
    await files.write('a', Buffer.from('a'));
    await files.write('missing', null);
    await files.change('missing', () => Buffer.from('x'));
    expect(files.takeChanges()).toEqual([]);
  });

  it('a path outside of the repository is refused', async () => {
    await expect(start().write('../a', Buffer.from('x'))).rejects.toThrow('not a path in a repository');
    expect(await start().read('../a')).toBeNull();
  });

  it('an obstacle at a path is described', async () => {
    expect(await start().findObstacle('folder')).toBe('the repository has a folder at folder');
    expect(await start().findObstacle('c')).toBeNull();
  });
});
