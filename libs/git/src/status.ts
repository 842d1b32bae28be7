/** Input of `describeStatus`. */
export interface RepositoryStatus {
  branch: string;
  /** Absent: a repository without a remote. */
  upstream?: { ahead: number; behind: number };
}

const commits = (count: number) => `${count} commit${count === 1 ? '' : 's'}`;

/** Formats the state of a repository like `git status`. There is no work tree, so it is always clean. */
export function describeStatus(status: RepositoryStatus): string {
  const lines = [`On branch ${status.branch}`];
  if (status.upstream) {
    const { ahead, behind } = status.upstream;
    const remote = `'origin/${status.branch}'`;
    if (ahead > 0 && behind > 0) {
      lines.push(
        `Your branch and ${remote} have diverged,`,
        `and have ${ahead} and ${behind} different commits each, respectively.`,
      );
    } else if (ahead > 0) lines.push(`Your branch is ahead of ${remote} by ${commits(ahead)}.`);
    else if (behind > 0)
      lines.push(`Your branch is behind ${remote} by ${commits(behind)}, and can be fast-forwarded.`);
    else lines.push(`Your branch is up to date with ${remote}.`);
    lines.push('');
  }
  lines.push('nothing to commit, working tree clean');
  return lines.join('\n');
}
