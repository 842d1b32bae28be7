import { randomUUID } from 'node:crypto';
import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, isServiceError, ServiceError, type FieldProblem } from '@parlance/errors';
import { formatInfo, type FormatParams } from '@parlance/formats';
import {
  isGitError,
  isRepositoryPath,
  parseRemoteUrl,
  pinnedAddresses,
  redactRemoteUrl,
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
import { unpackArchive } from './unpack-archive';
import { openForReading } from './with-repository';

export type PrepareRequest = vcsWorker.PrepareRepositoryRequest__Output;

export interface PreparedRepository {
  task: string;
  branch: string;
  files: string[];
}

const problem = (attr: string, detail: string, code = 'invalid'): FieldProblem => ({ attr, code, detail });

/** Problems of the settings that do not require a fetch. */
async function shapeProblems(deps: Pick<Deps, 'clones'>, request: PrepareRequest): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const add = (attr: string, detail: string | null) => {
    if (detail !== null) problems.push(problem(attr, detail));
  };
  add('filemask', filemaskProblem(request.filemask));
  for (const [attr, path] of [
    ['template', request.template],
    ['new_base', request.newBase],
    ['intermediate', request.intermediate],
  ] as const)
    if (path) add(attr, pathProblem(path));
  add('language_regex', request.languageRegex ? codeFilterProblem(request.languageRegex) : null);
  if (request.linkedComponentId !== 0) return problems;
  if (request.vcs === 'local') {
    if (request.repo !== LOCAL_URL) add('repo', `The address of a local repository must be ${LOCAL_URL}`);
    if (request.push) add('push', 'A local repository cannot be pushed.');
    return problems;
  }
  for (const [attr, address] of [
    ['repo', request.repo],
    ['push', request.push],
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

/** Problems of the settings, given the files of the repository. */
async function fileProblems(
  deps: Pick<Deps, 'files'>,
  git: GitRepository,
  head: string | null,
  request: PrepareRequest,
): Promise<{ problems: FieldProblem[]; files: string[] }> {
  const problems: FieldProblem[] = [];
  // Files with unusable names are reported by the import.
  const paths = head === null ? [] : (await git.listFiles(head)).map(({ path }) => path).filter(isRepositoryPath);
  const bases = [
    ['template', request.template],
    ['new_base', request.newBase],
    ['intermediate', request.intermediate],
  ] as const;
  for (const [attr, path] of bases) {
    if (!path) continue;
    if (!paths.includes(path))
      problems.push(problem(attr, `The file ${path} is not in the repository.`, 'does_not_exist'));
    else if (head !== null) {
      const unreadable = await parseProblem(deps, (await git.readFile(head, path))!.bytes, request);
      if (unreadable) problems.push(problem(attr, `The file ${path} cannot be parsed: ${unreadable}`));
    }
  }
  let files: { path: string; code: string }[] = [];
  try {
    files = await filterCodes(
      matchFiles(paths, request.filemask, bases.map(([, path]) => path).filter(Boolean)),
      request.languageRegex || '.',
    );
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    problems.push(...error.problems);
  }
  const info = formatInfo(request.fileFormat);
  const canStart =
    request.template !== '' ||
    request.newBase !== '' ||
    (info?.newFile === 'built-in' && (request.newLang === 'add' || request.isGlossary));
  if (files.length === 0 && !canStart)
    problems.push(problem('filemask', 'The file mask matches no file, and there is no base file to create one from.'));
  const unread = head === null ? null : await unreadableFiles(deps, git, head, files, request);
  if (unread) problems.push(problem('filemask', unread));
  return { problems, files: files.map((file) => file.path) };
}

/**
 * Reason why the files do not have the format: none of them can be parsed. One is enough, because others may contain mistakes.
 */
async function unreadableFiles(
  deps: Pick<Deps, 'files'>,
  git: GitRepository,
  head: string,
  files: readonly { path: string }[],
  request: PrepareRequest,
): Promise<string | null> {
  let first: string | null = null;
  for (const { path } of files) {
    const unreadable = await parseProblem(deps, (await git.readFile(head, path))!.bytes, request);
    if (unreadable === null) return null;
    first ??= `No file of the mask can be read in this format; ${path}, ${unreadable}`;
  }
  return first;
}

function parseProblem({ files }: Pick<Deps, 'files'>, bytes: Buffer, request: PrepareRequest): Promise<string | null> {
  return files.problem(request.fileFormat, bytes, {
    language: request.sourceLanguage || 'en',
    sourceLanguage: request.sourceLanguage || 'en',
    params: readParams(request.fileFormatParamsJson),
    monolingual: request.template !== '',
  });
}

function readParams(json: string): FormatParams {
  try {
    return JSON.parse(json || '{}') as FormatParams;
  } catch {
    throw fieldErrors([problem('file_format_params', 'This is not a JSON object.')]);
  }
}

/** The current repository of a component, if the settings still name it. */
async function present(deps: Deps, request: PrepareRequest): Promise<string | null> {
  if (request.linkedComponentId !== 0) {
    const shared = await deps.index.repositoryOf(request.linkedComponentId);
    if (shared === null)
      throw fieldErrors([problem('repo', 'The component whose repository is to be shared has none yet.')]);
    return shared;
  }
  const current = request.componentId === 0 ? null : await deps.repositories.ofOwner(request.componentId);
  const same =
    current &&
    current.vcs === request.vcs &&
    current.repo === redactRemoteUrl(request.repo) &&
    (request.branch === '' || current.branch === request.branch);
  return same ? current.id : null;
}

/**
 * Verifies a component's repository settings: fetches the repository, finds the branch and the files. The clone is kept
 * under the task until the component is stored.
 * @throws ServiceError INVALID with every problem found
 */
export async function prepareRepository(
  deps: Deps,
  request: PrepareRequest,
  archive: Buffer | null,
  user: number,
  signal?: AbortSignal,
): Promise<PreparedRepository> {
  const early = await shapeProblems(deps, request);
  if (early.length > 0) throw fieldErrors(early);
  const task = randomUUID();
  const kind = request.componentId === 0 ? ('import' as const) : ('update' as const);
  const known = await present(deps, request);
  let branch = request.branch;
  let files: string[];
  if (known !== null) {
    const opened = await openForReading(deps, known);
    if (!opened) throw fieldErrors([problem('repo', 'The repository is empty.')]);
    const found = await fileProblems(deps, opened.git, opened.head, request);
    if (found.problems.length > 0) throw fieldErrors(found.problems);
    files = found.files;
    branch = opened.repository.branch;
  } else ({ branch, files } = await makeRepository(deps, request, archive, task, signal));
  await deps.tasks.add({
    id: task,
    kind,
    component: request.componentId,
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
  request: PrepareRequest,
  archive: Buffer | null,
  task: string,
  signal: AbortSignal | undefined,
): Promise<{ branch: string; files: string[] }> {
  const repository = newRepository({
    id: randomUUID(),
    task,
    vcs: request.vcs || 'git',
    repo: redactRemoteUrl(request.repo),
    branch: request.branch,
  });
  // Stored before the clone exists, because clones without a document are deleted.
  await deps.repositories.insert(repository);
  try {
    const git = await deps.clones.create(repository.id);
    let branch = request.branch || LOCAL_BRANCH;
    let upstream: string | null = null;
    if (repository.vcs !== 'local') {
      branch = request.branch || (await git.remoteBranch(request.repo, '', signal)).branch;
      upstream = await git.fetch(request.repo, branch, signal);
    }
    const head = upstream ?? (await firstCommit(deps, git, request, archive));
    const { problems, files } = await fileProblems(deps, git, head, request);
    if (problems.length > 0) throw fieldErrors(problems);
    // Commits without a remote are saved before the repository is used.
    await deps.queue.run(repository.id, (session) => setHead(deps, session, git, head, { branch, upstream }));
    return { branch, files };
  } catch (error) {
    await deps.clones.drop(repository.id);
    await deps.repositories.remove(repository.id);
    if (!isGitError(error)) throw error;
    if (error.problem === 'aborted')
      throw new ServiceError('DEADLINE_EXCEEDED', {
        message: 'The repository could not be fetched in time.',
        cause: error,
      });
    throw fieldErrors([problem('repo', error.message)]);
  }
}

async function firstCommit(
  deps: Pick<Deps, 'committer' | 'files'>,
  git: GitRepository,
  request: PrepareRequest,
  archive: Buffer | null,
): Promise<string> {
  const changes = archive ? await archiveFiles(deps, request, archive) : [];
  const committer = deps.committer();
  const [head] = await git.commit(null, [
    { changes, author: committer, committer, message: changes.length > 0 ? 'Add files' : 'Start' },
  ]);
  return head!;
}

/** The initial files of a local repository. */
async function archiveFiles(
  deps: Pick<Deps, 'files'>,
  request: PrepareRequest,
  archive: Buffer,
): Promise<{ path: string; bytes: Buffer }[]> {
  if (request.archiveKind === 'zip') return unpackArchive(archive);
  if (request.archiveKind !== 'document')
    throw new ServiceError('INVALID', { message: '"archive_kind" must be zip or document.' });
  const path = request.template || request.newBase || pathForCode(request.filemask, request.sourceLanguage || 'en');
  const unreadable = await parseProblem(deps, archive, request);
  if (unreadable) throw fieldErrors([problem('docfile', `The document cannot be parsed: ${unreadable}`)]);
  return [{ path, bytes: archive }];
}
