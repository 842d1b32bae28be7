import type { identity } from '@parlance/contracts';
import { timestamp, type Links } from '../../responses/links';
import type { tokenSchema } from './schema';
import type { z } from 'zod';

/**
 * A token; its value is present on creation only.
 * @param list address of its list
 */
export function presentToken(
  token: identity.Token__Output,
  list: string,
  links: Links,
  value?: string,
): z.infer<typeof tokenSchema> {
  return {
    id: token.id,
    name: token.name,
    ...(value === undefined ? {} : { token: value }),
    hint: token.hint,
    user: links.user(token.username),
    ...(token.kind === 'TOKEN_KIND_PROJECT' ? { groups: token.groupIds.map((id) => links.group(id)) } : {}),
    created: timestamp(token.createdMs),
    expires: timestamp(token.expiresMs),
    last_used: timestamp(token.lastUsedMs),
    url: `${list}${token.id}/`,
  };
}
