import { checkedHash } from './names';
import { parseDiff, type ChangedFile } from './objects/parse';
import type { CommandRunner } from './process/run';

/** Hashes of commits in the history of `included` but not of `excluded`, oldest first. */
export async function commitsBetween(
  repository: CommandRunner,
  excluded: string,
  included: string,
  options: { merges: boolean } = { merges: true },
): Promise<string[]> {
  const args = [
    'rev-list',
    '--topo-order',
    '--reverse',
    ...(options.merges ? [] : ['--no-merges']),
    checkedHash(included),
    `^${checkedHash(excluded)}`,
  ];
  return (await repository.run(args)).stdout.toString('latin1').split('\n').filter(Boolean);
}

/** Number of commits that only one side has. */
export async function distance(
  repository: CommandRunner,
  local: string,
  upstream: string,
): Promise<{ ahead: number; behind: number }> {
  const { stdout } = await repository.run([
    'rev-list',
    '--left-right',
    '--count',
    `${checkedHash(local)}...${checkedHash(upstream)}`,
  ]);
  const [ahead, behind] = stdout.toString('latin1').trim().split(/\s+/).map(Number) as [number, number];
  return { ahead, behind };
}

/** Paths that differ between two commits. */
export async function changedPaths(
  repository: CommandRunner,
  from: string,
  to: string,
): Promise<{ path: string; kind: 'added' | 'changed' | 'removed' }[]> {
  return [...(await changedFiles(repository, from, to))].map(([path, { before, after }]) => ({
    path,
    kind: !before ? 'added' : !after ? 'removed' : 'changed',
  }));
}

/** Both versions of each file that differs between two commits. */
export async function changedFiles(
  repository: CommandRunner,
  from: string,
  to: string,
): Promise<Map<string, ChangedFile>> {
  const { stdout } = await repository.run([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    checkedHash(from),
    checkedHash(to),
  ]);
  return parseDiff(stdout);
}

/** New paths of renamed files by their old paths, with git's default similarity. */
export async function movedFiles(repository: CommandRunner, from: string, to: string): Promise<Map<string, string>> {
  const { stdout } = await repository.run([
    'diff-tree',
    '-r',
    '-z',
    '--find-renames',
    '--diff-filter=R',
    '--name-status',
    checkedHash(from),
    checkedHash(to),
  ]);
  const parts = stdout.toString('utf8').split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < parts.length; at += 3) found.set(parts[at + 1]!, parts[at + 2]!);
  return found;
}

/** Whether one history contains another. */
export async function isAncestor(repository: CommandRunner, ancestor: string, descendant: string): Promise<boolean> {
  const { code } = await repository.run(
    ['merge-base', '--is-ancestor', checkedHash(ancestor), checkedHash(descendant)],
    {
      allowedExitCodes: [1],
    },
  );
  return code === 0;
}

/** Newest common ancestor; null for unrelated histories. */
export async function mergeBase(repository: CommandRunner, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await repository.run(['merge-base', checkedHash(one), checkedHash(other)], {
    allowedExitCodes: [1],
  });
  return code === 0 ? stdout.toString('latin1').trim() : null;
}
