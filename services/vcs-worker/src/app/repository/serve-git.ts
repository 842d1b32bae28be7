import { can, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { isGitError, type UploadPackRequest } from '@parlance/git';
import { logger } from '@parlance/telemetry';
import { accessTarget } from '../../domain/component';
import type { Deps } from '../deps';
import { openForReading, repositoryOf } from './with-repository';

/**
 * Serves a git client that clones or fetches a component's repository: the current branch, including unpushed commits. No lease
 * is needed, because commits are immutable.
 * @throws ServiceError NOT_FOUND, PERMISSION_DENIED, UNAVAILABLE
 */
export async function* serveGit(
  deps: Deps,
  caller: Caller,
  id: number,
  exchange: Pick<UploadPackRequest, 'protocol' | 'body'>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const component = await deps.catalog.component(id);
  if (!component || component.settings.linkedComponentId !== 0)
    throw new ServiceError('NOT_FOUND', { message: 'There is no such repository.' });
  if (!can(caller, 'vcs.access', accessTarget(component))) throw new ServiceError('PERMISSION_DENIED');
  const repository = await repositoryOf(deps, id);
  // A component whose link was revoked has no repository until it moves.
  if ((await deps.repositories.get(repository))?.owner !== id)
    throw new ServiceError('NOT_FOUND', { message: 'There is no such repository.' });
  const leave = await deps.serveSemaphore.acquire(signal);
  try {
    const opened = await openForReading(deps, repository);
    if (!opened) throw new ServiceError('NOT_FOUND', { message: 'The repository is empty.' });
    const { git, head } = opened;
    yield* deps.clones.serve(git, { ...exchange, head, branch: opened.repository.branch, signal });
  } catch (error) {
    if (!isGitError(error)) throw error;
    if (!signal.aborted) logger.warn({ err: error, component: id, repository }, 'git client: serving failed');
    // Git's message names local folders and remotes, which are not disclosed.
    throw new ServiceError('UNAVAILABLE', { message: 'The repository cannot be read at the moment.', cause: error });
  } finally {
    leave();
  }
}
