import { fold } from '../../domain/user';
import type { RequestContext, Deps } from '../deps';

/**
 * User names that contain a text in username or full name. Names are public, as in histories; bots of projects are
 * excluded, because their names reveal projects that may be private. Project tokens find only their own user.
 */
export async function searchUsers(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  { text, limit }: { text: string; limit: number },
): Promise<string[]> {
  if (!context.caller.onlyProjects) return deps.users.namesContaining(text, limit);
  const own = await deps.users.get(context.caller.userId);
  return own && [own.username, own.fullName].some((name) => fold(name).includes(fold(text))) ? [own.username] : [];
}
