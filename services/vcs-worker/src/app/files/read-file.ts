import { type Caller, can } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { isRepositoryPath } from '@parlance/git';
import { countLookup } from '@parlance/telemetry';
import { accessTarget } from '../../domain/component';
import type { Deps } from '../deps';
import { baseFiles, translationFiles } from '../import/plan-import';
import { repositoryOf, openForReading } from '../repository/with-repository';
import { requireComponent } from './require-component';

/** Current content of a file in the repository. @throws ServiceError NOT_FOUND */
export async function readFile(deps: Deps, component: number, path: string): Promise<{ bytes: Buffer; hash: string }> {
  if (!isRepositoryPath(path)) throw new ServiceError('NOT_FOUND', { message: 'There is no such file.' });
  const id = await repositoryOf(deps, component);
  const head = (await deps.repositories.get(id))?.head;
  const cached = countLookup('repository-files', head ? deps.readFiles.get(`${id} ${head} ${path}`) : undefined);
  if (cached) return cached;
  const opened = await openForReading(deps, id);
  const file = opened && (await opened.git.readFile(opened.head, path));
  if (!file) throw new ServiceError('NOT_FOUND', { message: 'There is no such file.' });
  deps.readFiles.set(`${id} ${opened.head} ${path}`, file);
  return file;
}

/**
 * Reads a file for a user: only files of the component, and only with translation.download. The repository may contain files that
 * readers of this component may not see.
 * @throws ServiceError NOT_FOUND, PERMISSION_DENIED
 */
export async function readComponentFile(
  deps: Deps,
  caller: Caller,
  id: number,
  path: string,
): Promise<{ bytes: Buffer; hash: string }> {
  if (!caller.service) {
    const component = await requireComponent(deps, id);
    if (!can(caller, 'translation.download', accessTarget(component))) throw new ServiceError('PERMISSION_DENIED');
    if (!baseFiles(component).includes(path) && (await translationFiles(component, [path])).length === 0)
      throw new ServiceError('NOT_FOUND', { message: 'The component has no such file.' });
  }
  return readFile(deps, id, path);
}
