import { fieldErrors } from '@parlance/errors';
import { fold } from '../domain/user';
import type { Caller, Identity } from './identity';

/** No name is longer. */
const MAX_TEXT = 150;
const MAX_LIMIT = 100;

/**
 * Names of users whose username or full name contains a text. Names are public, as they are in histories; bots of projects are left
 * out, whose names tell those of projects that may be private. Tokens of projects find their own user only.
 * @throws INVALID
 */
export async function searchUsers(on: Identity, caller: Caller, text: string, limit: number): Promise<string[]> {
  if (text === '' || text.length > MAX_TEXT)
    throw fieldErrors([{ attr: 'text', code: 'invalid', detail: `A text of 1 to ${MAX_TEXT} characters is needed.` }]);
  if (limit < 1 || limit > MAX_LIMIT)
    throw fieldErrors([{ attr: 'limit', code: 'invalid', detail: `From 1 to ${MAX_LIMIT} can be asked for.` }]);
  if (!caller.principal.onlyProjects) return on.users.namesContaining(text, limit);
  const own = await on.users.get(caller.principal.userId);
  return own && [own.username, own.fullName].some((name) => fold(name).includes(fold(text))) ? [own.username] : [];
}
