import { canSee } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { User } from '../../domain/user';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { requireService } from '../rights';
import { seesUsersInFull } from './user-view';

/**
 * One user by id, by mail address (services only) or by name, in this precedence. Anonymous callers see no user, bots see
 * themselves. A project's bot, whose name reveals the project, is visible to callers who see the project.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function getUser(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  wanted: { id: number; username: string; email?: string },
): Promise<User> {
  const user = await find();
  const { anonymous, onlyProjects, userId } = context.caller;
  if (!user || anonymous || (onlyProjects && user.id !== userId)) throw notFound('The user');
  if (user.projectId !== 0 && user.id !== userId && !(await seesBot(deps, context, user.projectId)))
    throw notFound('The user');
  return user;

  function find(): Promise<User | undefined> {
    const { id, username, email = '' } = wanted;
    if (id !== 0) return deps.users.get(id);
    if (email === '') return deps.users.byName(username);
    requireService(context);
    return deps.users.byEmail(email);
  }
}

async function seesBot(deps: Pick<Deps, 'projects'>, context: RequestContext, projectId: number): Promise<boolean> {
  if (context.caller.service || seesUsersInFull(context)) return true;
  const project = await deps.projects.get(projectId);
  // A project whose creation event has not arrived counts as private.
  return canSee(context.caller, { projectId, accessControl: project?.accessControl ?? 100 });
}

/** User names for histories. @throws INVALID if too many are requested */
export async function batchGetUsers(deps: Pick<Deps, 'users'>, ids: readonly number[]): Promise<User[]> {
  if (ids.length > 10_000) throw new ServiceError('INVALID', { message: 'At most 10 000 users can be requested.' });
  return ids.length === 0 ? [] : deps.users.many([...new Set(ids)]);
}
