import { can, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { isGitError, type UploadPackRequest } from '@parlance/git';
import { logger } from '@parlance/telemetry';
import { accessTarget } from '../../domain/component';
import type { Deps } from '../deps';
import { openForReading, repositoryOf } from './with-repository';

/**
 * Answers a git client that clones or fetches a component's repository: its branch as it is here, unpushed commits included. It needs
 * no lease, because the current commit never changes under a reader.
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
  // A component whose link was revoked a moment ago has no repository of its own yet.
  if ((await deps.repositories.get(repository))?.owner !== id)
    throw new ServiceError('NOT_FOUND', { message: 'There is no such repository.' });
  const leave = await deps.served.enter(signal);
  try {
    const opened = await openForReading(deps, repository);
    if (!opened) throw new ServiceError('NOT_FOUND', { message: 'The repository is empty.' });
    const { git, head } = opened;
    yield* deps.clones.serve(git, { ...exchange, head, branch: opened.repository.branch, signal });
  } catch (error) {
    if (!isGitError(error)) throw error;
    if (!signal.aborted) logger.warn({ err: error, component: id, repository }, 'a git client could not be served');
    // What git says of folders and remotes here is the operator's business.
    throw new ServiceError('UNAVAILABLE', { message: 'The repository cannot be read at the moment.', cause: error });
  } finally {
    leave();
  }
}
