import { fold } from '../../domain/user';
import type { RequestContext, Deps } from '../deps';

/**
 * Names of users whose username or full name contains a text. Names are public, as they are in histories; bots of projects are left
 * out, whose names tell those of projects that may be private. Tokens of projects find their own user only.
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
