import type { GitRepository } from '@parlance/git';

const names = {
  file: 'a file',
  folder: 'a folder',
  link: 'a symbolic link',
  submodule: 'a submodule',
} as const;

/** Reason why a commit cannot contain a file at this path; null if it can. */
export async function describeObstacle(
  git: Pick<GitRepository, 'findObstacle'>,
  head: string,
  path: string,
): Promise<string | null> {
  const obstacle = await git.findObstacle(head, path);
  return obstacle && `the repository has ${names[obstacle.kind]} at ${obstacle.path}`;
}
