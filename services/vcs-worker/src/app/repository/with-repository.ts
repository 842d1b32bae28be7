import { ServiceError } from '@parlance/errors';
import { diskFullOr, isGitError, type GitRepository } from '@parlance/git';
import { repoUrl, type Component } from '../../domain/component';
import type { Repository } from '../../domain/repository';
import { setHead } from './set-head';
import { scanChanges } from '../import/import-files';
import type { Log, Deps } from '../deps';
import type { RepositoryWork } from './repository-work';
import type { Session } from './repository-queue';

export interface WorkOptions {
  user?: number;
  log?: Log;
  signal?: AbortSignal;
  /** Shares the run of a call with the same key that still waits for the repository. */
  sharedAs?: string;
}

const discardLog: Log = () => undefined;

/** Repository of a component. @throws ServiceError NOT_FOUND */
export async function repositoryOf(deps: Pick<Deps, 'index'>, component: number): Promise<string> {
  const id = await deps.index.repositoryOf(component);
  if (id === null) throw new ServiceError('NOT_FOUND', { message: 'The component has no repository yet.' });
  return id;
}

/** Components of a repository, its owner first and with credentials. */
async function componentsOf(deps: Pick<Deps, 'catalog' | 'index'>, repository: Repository): Promise<Component[]> {
  const owner = repository.owner === null ? null : await deps.catalog.component(repository.owner);
  if (!owner) throw new ServiceError('NOT_FOUND', { message: 'The component of this repository was deleted.' });
  const others = (await deps.index.componentsOf(repository.id)).filter((id) => id !== repository.owner);
  // A component whose link was revoked or changed is skipped; its edits stay pending until its move.
  const linked = (await deps.catalog.components(others)).filter(
    (c) => c.settings.linkedComponentId === owner.settings.id,
  );
  return [owner, ...linked];
}

/** Runs an action under the lease of a component's repository, in FIFO order. @throws NOT_FOUND, UNAVAILABLE */
export async function withRepositoryOf<T>(
  deps: Deps,
  component: number,
  options: WorkOptions,
  action: (work: RepositoryWork) => Promise<T>,
): Promise<T> {
  return withRepository(deps, await repositoryOf(deps, component), options, (work) => {
    if (work.components.every(({ settings }) => settings.id !== component))
      throw new ServiceError('UNAVAILABLE', { message: 'The component is moving to another repository.' });
    return action(work);
  });
}

/** Runs an action under the lease of a repository, in FIFO order. */
export async function withRepository<T>(
  deps: Deps,
  id: string,
  options: WorkOptions,
  action: (work: RepositoryWork) => Promise<T>,
): Promise<T> {
  const run = async (session: Session) => {
    const components = await componentsOf(deps, session.repository);
    const work = { session, components, user: options.user ?? 0, log: options.log ?? discardLog };
    return action({ ...work, git: await openClone(deps, session, components, work.log) });
  };
  const { sharedAs, signal } = options;
  return sharedAs === undefined ? deps.queue.run(id, run, signal) : deps.queue.runShared(id, sharedAs, run, signal);
}

async function openClone(
  deps: Deps,
  session: Session,
  components: readonly Component[],
  log: Log,
): Promise<GitRepository> {
  const url = async () => repoUrl(components[0]!);
  try {
    return await deps.clones.open(session.repository, url, session.signal);
  } catch (error) {
    if (!isGitError(error, 'incomplete') || session.repository.saved.length > 0 || session.repository.upstream === null)
      throw error;
    // Upstream rewrote its history while the clone was missing, and no commits of ours depend on it: adopt upstream's history.
    const git = await deps.clones.open({ ...session.repository, head: null }, url, session.signal);
    const upstream = await git.fetch(await url(), session.repository.branch, session.signal);
    log('Upstream rewrote its history; the clone was replaced');
    await setHead(deps, session, git, upstream, { upstream });
    await scanChanges(deps, { session, git, components, log }, { all: true });
    return git;
  }
}

/**
 * Opens the clone for reading, without a lease: the store names the current commit, and commits are immutable.
 * @returns null for an empty repository
 */
export async function openForReading(
  deps: Deps,
  id: string,
): Promise<{ git: GitRepository; head: string; repository: Repository } | null> {
  const repository = await deps.repositories.get(id);
  if (!repository?.head) return null;
  try {
    const git = await deps.clones.open(repository, async () => {
      const owner = repository.owner === null ? null : await deps.catalog.component(repository.owner);
      if (!owner) throw new ServiceError('NOT_FOUND', { message: 'The component of this repository was deleted.' });
      return repoUrl(owner);
    });
    return { git, head: repository.head, repository };
  } catch (error) {
    if (!isGitError(error, 'incomplete')) throw error;
    // Upstream rewrote its history: take the lease once, which adopts it.
    return withRepository(deps, id, {}, async ({ session, git }) => ({
      git,
      head: session.repository.head!,
      repository: session.repository,
    }));
  }
}

/** Maps a git failure to the error of the service's contract. */
export function asServiceError(thrown: unknown): unknown {
  const error = diskFullOr(thrown);
  if (!isGitError(error)) return error;
  const away = ['unreachable', 'timeout', 'disk-full'].includes(error.problem);
  return new ServiceError(away ? 'UNAVAILABLE' : 'FAILED_PRECONDITION', { message: error.message, cause: error });
}
