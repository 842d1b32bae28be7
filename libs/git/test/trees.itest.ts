import { GitRepository } from '../src';
import { ObjectReader } from '../src/objects/object-reader';
import { changedInTrees } from '../src/objects/tree-changes';
import { Lab, signature } from './fixture';

const author = signature('Ann');

describe('trees and objects', () => {
  let lab: Lab;
  let repository: GitRepository;

  beforeEach(async () => {
    lab = new Lab();
    repository = await GitRepository.create(lab.folder('clone'), lab.options());
  });
  afterEach(() => lab.close());

  const commit = async (parent: string | null, files: Record<string, string | null>): Promise<string> => {
    const changes = Object.entries(files).map(([path, text]) => ({
      path,
      bytes: text === null ? null : Buffer.from(text),
    }));
    return (await repository.commit(parent, [{ changes, author, committer: author, message: 'm' }]))[0]!;
  };

  it('a repository compares two trees as git diff-tree does', async () => {
    const one = await commit(null, { a: '1', 'b/c/d': '1', 'b/e': '1', 'f-g': '1', f: '1', 'same/x': '1', ž: '1' });
    const emptied = await commit(one, { a: null, f: null, 'b/c/d': null, 'b/e': null });
    const other = await commit(emptied, { 'a/x': '1', 'f/y': '1', b: '2', 'new/z': '3', ž: '2' });
    const objects = repository.objectReader();
    try {
      const [from, to] = await repository.readCommits([one, other]);
      const changed = await changedInTrees(objects, from!.tree, to!.tree);
      const expected = await repository.changedFiles(one, other);
      expect([...changed.keys()].sort()).toEqual([...expected.keys()].sort());
      expect(Object.fromEntries(changed)).toEqual(Object.fromEntries(expected));
      expect([...(await changedInTrees(objects, null, from!.tree)).keys()]).toHaveLength(7);
      expect((await changedInTrees(objects, to!.tree, to!.tree)).size).toBe(0);
    } finally {
      await objects.close();
    }
  });

  it('a repository reads objects in call order, including new and missing ones', async () => {
    const objects = repository.objectReader();
    try {
      const one = await commit(null, { f: 'x'.repeat(300_000) });
      const reads = [objects.read(`${one}:f`), objects.read('0'.repeat(40)), objects.read(`${one}:g`)];
      const [file, missing, none] = await Promise.all(reads);
      expect(file?.bytes.length).toBe(300_000);
      expect([missing, none]).toEqual([null, null]);
      const two = await commit(one, { g: 'later' });
      expect((await objects.read(`${two}:g`))?.bytes.toString()).toBe('later');
    } finally {
      await objects.close();
    }
  });

  it('a repository ends the process when an object is too large, and fails every later read', async () => {
    const one = await commit(null, { f: 'x'.repeat(1000) });
    const { home } = lab;
    const objects = new ObjectReader({ home, gitDir: repository.folder, timeoutMs: 10_000, maxObjectBytes: 999 });
    await expect(objects.read(`${one}:f`)).rejects.toMatchObject({ problem: 'too-large' });
    await expect(objects.read(one)).rejects.toMatchObject({ problem: 'too-large' });
    await objects.close();
    await expect(objects.read(one)).rejects.toMatchObject({ problem: 'too-large' });
  });
});
