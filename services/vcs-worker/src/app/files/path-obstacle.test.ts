import { describeObstacle } from './path-obstacle';

describe('describeObstacle', () => {
  it.each([
    ['file', 'the repository has a file at l'],
    ['folder', 'the repository has a folder at l'],
    ['link', 'the repository has a symbolic link at l'],
    ['submodule', 'the repository has a submodule at l'],
  ] as const)('a %s in place of a file is named with its path', async (kind, reason) => {
    expect(await describeObstacle({ findObstacle: async () => ({ kind, path: 'l' }) }, 'head', 'l/cs.po')).toBe(reason);
  });

  it('a free path has no obstacle', async () => {
    expect(await describeObstacle({ findObstacle: async () => null }, 'head', 'l/cs.po')).toBeNull();
  });
});
