import { randomUUID } from 'node:crypto';
import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, isServiceError, ServiceError, type FieldProblem } from '@parlance/errors';
import { formatInfo, type FormatParams } from '@parlance/formats';
import {
  isGitError,
  isRepositoryPath,
  parseRemoteUrl,
  pinnedAddresses,
  shownRemoteUrl,
  type GitRepository,
} from '@parlance/git';
import {
  codeFilterProblem,
  filemaskProblem,
  filterCodes,
  matchFiles,
  pathForCode,
  pathProblem,
} from '../../domain/filemask';
import { LOCAL_BRANCH, LOCAL_URL } from '../../domain/component';
import { newRepository } from '../../domain/repository';
import type { Deps } from '../deps';
import { setHead } from './set-head';
import { unpack } from './unpack-archive';
import { openForReading } from './with-repository';

export type PrepareRequest = vcsWorker.PrepareRepositoryRequest__Output;

export interface Prepared {
  task: string;
  branch: string;
  files: string[];
}

const problem = (attr: string, detail: string, code = 'invalid'): FieldProblem => ({ attr, code, detail });

/** What can be said about the settings before anything is fetched. */
async function shapeProblems(deps: Pick<Deps, 'clones'>, wish: PrepareRequest): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const add = (attr: string, detail: string | null) => {
    if (detail !== null) problems.push(problem(attr, detail));
  };
  add('filemask', filemaskProblem(wish.filemask));
  for (const [attr, path] of [
    ['template', wish.template],
    ['new_base', wish.newBase],
    ['intermediate', wish.intermediate],
  ] as const)
    if (path) add(attr, pathProblem(path));
  add('language_regex', wish.languageRegex ? codeFilterProblem(wish.languageRegex) : null);
  if (wish.linkedComponentId !== 0) return problems;
  if (wish.vcs === 'local') {
    if (wish.repo !== LOCAL_URL) add('repo', `A local repository has the address ${LOCAL_URL}`);
    if (wish.push) add('push', 'A local repository cannot be pushed.');
    return problems;
  }
  for (const [attr, address] of [
    ['repo', wish.repo],
    ['push', wish.push],
  ] as const) {
    if (attr === 'push' && !address) continue;
    try {
      await pinnedAddresses(parseRemoteUrl(address, deps.clones.policy).host, deps.clones.policy);
    } catch (error) {
      if (!isGitError(error)) throw error;
      if (attr === 'repo' || error.problem === 'refused') add(attr, error.message);
    }
  }
  return problems;
}

/** What is wrong with the settings, given the files of the repository. */
async function fileProblems(
  deps: Pick<Deps, 'files'>,
  git: GitRepository,
  head: string | null,
  wish: PrepareRequest,
): Promise<{ problems: FieldProblem[]; files: string[] }> {
  const problems: FieldProblem[] = [];
  // Files under other names are told of when they are imported.
  const paths = head === null ? [] : (await git.listFiles(head)).map(({ path }) => path).filter(isRepositoryPath);
  const bases = [
    ['template', wish.template],
    ['new_base', wish.newBase],
    ['intermediate', wish.intermediate],
  ] as const;
  for (const [attr, path] of bases) {
    if (!path) continue;
    if (!paths.includes(path))
      problems.push(problem(attr, `The file ${path} is not in the repository.`, 'does_not_exist'));
    else if (head !== null) {
      const unreadable = await parseProblem(deps, (await git.readFile(head, path))!.bytes, wish);
      if (unreadable) problems.push(problem(attr, `The file ${path} cannot be read: ${unreadable}`));
    }
  }
  let files: { path: string; code: string }[] = [];
  try {
    files = await filterCodes(
      matchFiles(paths, wish.filemask, bases.map(([, path]) => path).filter(Boolean)),
      wish.languageRegex || '.',
    );
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    problems.push(...error.problems);
  }
  const info = formatInfo(wish.fileFormat);
  const canStart =
    wish.template !== '' ||
    wish.newBase !== '' ||
    (info?.newFile === 'built-in' && (wish.newLang === 'add' || wish.isGlossary));
  if (files.length === 0 && !canStart)
    problems.push(problem('filemask', 'The file mask matches no file, and there is no base file to make one from.'));
  const unread = head === null ? null : await unreadableFiles(deps, git, head, files, wish);
  if (unread) problems.push(problem('filemask', unread));
  return { problems, files: files.map((file) => file.path) };
}

/** Why the files cannot be of the format: none of them can be read. One that can is enough, others may have mistakes in them. */
async function unreadableFiles(
  deps: Pick<Deps, 'files'>,
  git: GitRepository,
  head: string,
  files: readonly { path: string }[],
  wish: PrepareRequest,
): Promise<string | null> {
  let first: string | null = null;
  for (const { path } of files) {
    const unreadable = await parseProblem(deps, (await git.readFile(head, path))!.bytes, wish);
    if (unreadable === null) return null;
    first ??= `No file of the mask can be read in this format; ${path}, ${unreadable}`;
  }
  return first;
}

function parseProblem({ files }: Pick<Deps, 'files'>, bytes: Buffer, wish: PrepareRequest): Promise<string | null> {
  return files.problem(wish.fileFormat, bytes, {
    language: wish.sourceLanguage || 'en',
    sourceLanguage: wish.sourceLanguage || 'en',
    params: readParams(wish.fileFormatParamsJson),
    monolingual: wish.template !== '',
  });
}

function readParams(json: string): FormatParams {
  try {
    return JSON.parse(json || '{}') as FormatParams;
  } catch {
    throw fieldErrors([problem('file_format_params', 'This is not a JSON object.')]);
  }
}

/** The repository that a component works in already, when the settings still name it. */
async function present(deps: Deps, wish: PrepareRequest): Promise<string | null> {
  if (wish.linkedComponentId !== 0) {
    const shared = await deps.index.repositoryOf(wish.linkedComponentId);
    if (shared === null)
      throw fieldErrors([problem('repo', 'The component whose repository is to be shared has none yet.')]);
    return shared;
  }
  const current = wish.componentId === 0 ? null : await deps.repositories.ofOwner(wish.componentId);
  const same =
    current &&
    current.vcs === wish.vcs &&
    current.repo === shownRemoteUrl(wish.repo) &&
    (wish.branch === '' || current.branch === wish.branch);
  return same ? current.id : null;
}

/**
 * Checks a component's repository settings by doing what they ask: fetches the repository, finds the branch and the files. The clone
 * waits under the task for the component to be stored.
 * @throws ServiceError INVALID with every problem that was found
 */
export async function prepareRepository(
  deps: Deps,
  wish: PrepareRequest,
  archive: Buffer | null,
  user: number,
  signal?: AbortSignal,
): Promise<Prepared> {
  const early = await shapeProblems(deps, wish);
  if (early.length > 0) throw fieldErrors(early);
  const task = randomUUID();
  const kind = wish.componentId === 0 ? ('import' as const) : ('update' as const);
  const known = await present(deps, wish);
  let branch = wish.branch;
  let files: string[];
  if (known !== null) {
    const opened = await openForReading(deps, known);
    if (!opened) throw fieldErrors([problem('repo', 'The repository is empty.')]);
    const found = await fileProblems(deps, opened.git, opened.head, wish);
    if (found.problems.length > 0) throw fieldErrors(found.problems);
    files = found.files;
    branch = opened.repository.branch;
  } else ({ branch, files } = await makeRepository(deps, wish, archive, task, signal));
  await deps.tasks.add({
    id: task,
    kind,
    component: wish.componentId,
    user,
    state: 'prepared',
    progress: 0,
    result: null,
    log: [],
    changed: [],
    attempts: 0,
  });
  return { task, branch, files };
}

async function makeRepository(
  deps: Deps,
  wish: PrepareRequest,
  archive: Buffer | null,
  task: string,
  signal: AbortSignal | undefined,
): Promise<{ branch: string; files: string[] }> {
  const repository = newRepository({
    id: randomUUID(),
    task,
    vcs: wish.vcs || 'git',
    repo: shownRemoteUrl(wish.repo),
    branch: wish.branch,
  });
  // Known before there is a clone: what nobody knows is swept from the disk.
  await deps.repositories.insert(repository);
  try {
    const git = await deps.clones.create(repository.id);
    let branch = wish.branch || LOCAL_BRANCH;
    let upstream: string | null = null;
    if (repository.vcs !== 'local') {
      branch = wish.branch || (await git.remoteBranch(wish.repo, '', signal)).branch;
      upstream = await git.fetch(wish.repo, branch, signal);
    }
    const head = upstream ?? (await firstCommit(deps, git, wish, archive));
    const { problems, files } = await fileProblems(deps, git, head, wish);
    if (problems.length > 0) throw fieldErrors(problems);
    // What no remote has is saved before anybody relies on it.
    await deps.queue.run(repository.id, (session) => setHead(deps, session, git, head, { branch, upstream }));
    return { branch, files };
  } catch (error) {
    await deps.clones.drop(repository.id);
    await deps.repositories.remove(repository.id);
    if (!isGitError(error)) throw error;
    if (error.problem === 'aborted')
      throw new ServiceError('DEADLINE_EXCEEDED', {
        message: 'The repository could not be read in time.',
        cause: error,
      });
    throw fieldErrors([problem('repo', error.message)]);
  }
}

async function firstCommit(
  deps: Pick<Deps, 'committer' | 'files'>,
  git: GitRepository,
  wish: PrepareRequest,
  archive: Buffer | null,
): Promise<string> {
  const changes = archive ? await archiveFiles(deps, wish, archive) : [];
  const committer = deps.committer();
  const [head] = await git.commit(null, [
    { changes, author: committer, committer, message: changes.length > 0 ? 'Add files' : 'Start' },
  ]);
  return head!;
}

/** The first files of a local repository. */
async function archiveFiles(
  deps: Pick<Deps, 'files'>,
  wish: PrepareRequest,
  archive: Buffer,
): Promise<{ path: string; bytes: Buffer }[]> {
  if (wish.archiveKind === 'zip') return unpack(archive);
  if (wish.archiveKind !== 'document')
    throw new ServiceError('INVALID', { message: 'archive_kind is zip or document.' });
  const path = wish.template || wish.newBase || pathForCode(wish.filemask, wish.sourceLanguage || 'en');
  const unreadable = await parseProblem(deps, archive, wish);
  if (unreadable) throw fieldErrors([problem('docfile', `The document cannot be read: ${unreadable}`)]);
  return [{ path, bytes: archive }];
}
