import { can, type Permission, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { describeStatus } from '@parlance/git';
import { accessTarget, type Component } from '../../domain/component';
import type { Repository } from '../../domain/repository';
import type { Deps } from '../deps';
import { needsPush, pushTarget } from '../push-pull/push';
import { partitionByOwnerPermission } from './owner-permission';

/** Any of these permissions allows reading the state of a repository. */
const VIEWERS: readonly Permission[] = ['vcs.push', 'vcs.commit', 'vcs.reset', 'vcs.update'];

export interface RepositoryStatus {
  needsCommit: boolean;
  needsMerge: boolean;
  needsPush: boolean;
  remoteCommit: string;
  localCommit: string;
  status: string;
  mergeFailure: string;
}

/** Whether the next commit has pending edits; if a project withholds some, they are loaded. */
async function hasEditsToCommit(
  { translations }: Pick<Deps, 'translations'>,
  components: readonly Component[],
): Promise<boolean> {
  const all = components.filter(({ project }) => project.commitPolicy === 0).map(({ settings }) => settings.id);
  if (all.length > 0 && (await translations.anyPending(all))) return true;
  for (const component of components) {
    if (component.project.commitPolicy !== 0 && (await translations.pending(component)).length > 0) return true;
  }
  return false;
}

/** Whether there are unpushed commits; the target is loaded only if needed. */
async function hasCommitsToPush(
  { catalog }: Pick<Deps, 'catalog'>,
  components: readonly Component[],
  repositories: readonly Repository[],
): Promise<boolean> {
  const ahead = repositories.filter((repository) => repository.ahead > 0);
  if (ahead.some((repository) => repository.pushed !== repository.head)) return true;
  for (const repository of ahead) {
    const owner =
      components.find(({ settings }) => settings.id === repository.owner) ??
      (repository.owner === null ? undefined : (await catalog.components([repository.owner]))[0]);
    if (owner && needsPush(repository, pushTarget(owner))) return true;
  }
  return false;
}

/**
 * The state of the repositories of components, without disk access. Pending edits also count as unpushed, as
 * in the public API.
 * @param generation catalog generation that the caller has seen
 */
export async function repositoryStatus(
  deps: Pick<Deps, 'catalog' | 'index' | 'repositories' | 'translations'>,
  caller: Caller,
  ids: readonly number[],
  generation: string,
): Promise<RepositoryStatus> {
  const components = await deps.catalog.components(ids, generation);
  // Components that were deleted in the meantime are skipped.
  if (components.length === 0) throw new ServiceError('NOT_FOUND', { message: 'There is no such component.' });
  if (!components.every((component) => can(caller, 'vcs.view', accessTarget(component))))
    throw new ServiceError('PERMISSION_DENIED');
  // The state of a repository requires permissions on its owner; pending strings belong to the component.
  const [partition, needsCommit] = await Promise.all([
    partitionByOwnerPermission(deps, caller, VIEWERS, components, { generation }),
    hasEditsToCommit(deps, components),
  ]);
  const { allowed } = partition;
  if (allowed.length === 0) throw new ServiceError('PERMISSION_DENIED');
  const repositories = [...new Set(allowed.flatMap(({ settings }) => partition.repositories.get(settings.id) ?? []))];
  const pushable = repositories.filter((repository) => repository.upstream !== null);
  const one = repositories.length === 1 ? repositories[0]! : null;
  return {
    needsCommit,
    needsMerge: repositories.some((repository) => repository.behind > 0),
    needsPush: (await hasCommitsToPush(deps, components, pushable)) || (needsCommit && pushable.length > 0),
    remoteCommit: one?.upstream ?? '',
    localCommit: one?.head ?? '',
    status: one
      ? describeStatus({
          branch: one.branch,
          ...(one.upstream === null ? {} : { upstream: { ahead: one.ahead, behind: one.behind } }),
        })
      : '',
    mergeFailure: repositories
      .map((repository) => repository.failure)
      .filter(Boolean)
      .join('\n'),
  };
}
