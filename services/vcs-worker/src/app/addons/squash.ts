import type { CommitInfo, FileChange, NewCommit, Signature } from '@parlance/git';
import { flagOf, textOf, type InstalledAddon } from '../../domain/addon';
import { setHead } from '../repository/set-head';
import type { Deps } from '../deps';
import { baseFiles, codeOfFile } from '../import/plan-import';
import type { RepositoryWork } from '../repository/repository-work';
import type { Effect } from './effect';

/** An unpushed commit with the files that it changed. */
interface Step extends CommitInfo {
  paths: readonly string[];
}
/** Commits that are squashed into one. */
interface Group {
  key: string;
  steps: Step[];
  /** Paths whose final state comes from this commit. */
  paths: Set<string>;
}

const TRAILER = /^[A-Za-z][A-Za-z-]*-by: .+$/;
const identity = ({ name, email }: Signature): string => `${name} <${email}>`;

/** Squashes the commits of each author; commits of others to the same files in between keep them apart. */
export function groupByAuthor(steps: readonly Step[]): Group[] {
  const groups: Group[] = [];
  for (const step of steps) {
    const key = identity(step.author);
    let target: Group | undefined;
    for (const group of [...groups].reverse()) {
      if (group.key === key) {
        target = group;
        break;
      }
      if (step.paths.some((path) => group.paths.has(path))) break;
    }
    if (target) {
      target.steps.push(step);
      for (const path of step.paths) target.paths.add(path);
    } else groups.push({ key, steps: [step], paths: new Set(step.paths) });
  }
  return groups;
}

/** Squashes commits by the key of their files, with the last state of each file. */
export function groupByPath(steps: readonly Step[], keyOf: (path: string) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const step of steps)
    for (const path of step.paths) {
      const key = keyOf(path);
      const group = groups.get(key) ?? { key, steps: [], paths: new Set<string>() };
      if (!group.steps.includes(step)) group.steps.push(step);
      group.paths.add(path);
      groups.set(key, group);
    }
  return [...groups.values()];
}

/** Message of a squashed commit: the given one or those of its commits, followed by their trailers and other authors. */
export function joinedMessage(steps: readonly Step[], given: string, trailers: boolean): string {
  const found = new Set<string>();
  const bodies = steps.map(({ message }) => {
    const lines = message.trimEnd().split('\n');
    for (const line of lines) if (TRAILER.test(line)) found.add(line);
    return lines
      .filter((line) => !TRAILER.test(line))
      .join('\n')
      .trim();
  });
  const author = identity(steps.at(-1)!.author);
  for (const step of steps) if (identity(step.author) !== author) found.add(`Co-authored-by: ${identity(step.author)}`);
  const body = given.trim() || [...new Set(bodies)].join('\n\n');
  return trailers && found.size > 0 ? `${body}\n\n${[...found].join('\n')}` : body;
}

async function stepsOf({ git, session }: RepositoryWork, base: string): Promise<Step[]> {
  const commits = await git.readCommits(await git.commitsBetween(base, session.repository.head!));
  const steps: Step[] = [];
  for (const commit of commits) {
    const changed = commit.parents.length === 1 ? await git.changedPaths(commit.parents[0]!, commit.hash) : [];
    steps.push({ ...commit, paths: changed.map((change) => change.path) });
  }
  return steps;
}

function languageOf({ components }: RepositoryWork): (path: string) => string {
  return (path) => {
    for (const component of components) {
      if (baseFiles(component).includes(path)) return '';
      const code = codeOfFile(component, path);
      if (code !== undefined) return code;
    }
    return '';
  };
}

async function squash(deps: Deps, work: RepositoryWork, addon: InstalledAddon): Promise<void> {
  const { session, git, log } = work;
  const { head, upstream, ahead } = session.repository;
  if (head === null || upstream === null || ahead < 2) return;
  const base = await git.mergeBase(head, upstream);
  if (base === null) return;
  const steps = await stepsOf(work, base);
  if (steps.some((step) => step.parents.length !== 1))
    return log('Commits are not squashed because one of them is a merge');
  const kind = textOf(addon, 'squash');
  const groups =
    kind === 'author'
      ? groupByAuthor(steps)
      : groupByPath(steps, kind === 'file' ? (path) => path : kind === 'language' ? languageOf(work) : () => '');
  if (groups.length >= steps.length) return;
  const commits: NewCommit[] = [];
  for (const group of groups) {
    // A group by author has the files of its last commit; otherwise no other group contains them.
    const state = kind === 'author' ? group.steps : steps;
    const changes: FileChange[] = [];
    for (const path of group.paths) {
      const last = state.filter((step) => step.paths.includes(path)).at(-1)!;
      changes.push({ path, bytes: (await git.readFile(last.hash, path))?.bytes ?? null });
    }
    const { author } = group.steps.at(-1)!;
    const message = joinedMessage(group.steps, textOf(addon, 'commit_message'), flagOf(addon, 'append_trailers'));
    commits.push({ changes, author, committer: deps.committer(), message });
  }
  const joined = (await git.commit(base, commits)).at(-1)!;
  if ((await git.changedPaths(joined, head)).length > 0) throw new Error('squashing changed files');
  const { scanned, maintained } = session.repository;
  await setHead(deps, session, git, joined, {
    ...(scanned === head ? { scanned: joined } : {}),
    ...(maintained === head ? { maintained: joined } : {}),
  });
  log(`${steps.length} commits squashed into ${groups.length}`);
}

export const squashCommits: Effect = { beforePush: squash };
