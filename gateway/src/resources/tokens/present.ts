import type { identity } from '@parlance/contracts';
import { timestamp, type Links } from '../../responses/links';
import type { tokenSchema } from './schema';
import type { z } from 'zod';

/**
 * A token.
 * @param list address of its list
 * @param more.value its value, on creation only
 * @param more.projects slugs of the projects that it is limited to
 */
export function presentToken(
  token: identity.Token__Output,
  list: string,
  links: Links,
  { value, projects }: { value?: string | undefined; projects: readonly string[] },
): z.infer<typeof tokenSchema> {
  return {
    id: token.id,
    name: token.name,
    ...(value === undefined ? {} : { token: value }),
    hint: token.hint,
    read_only: token.readOnly,
    projects: projects.map((slug) => links.project(slug)),
    user: links.user(token.username),
    ...(token.kind === 'TOKEN_KIND_PROJECT' ? { groups: token.groupIds.map((id) => links.group(id)) } : {}),
    created: timestamp(token.createdMs),
    expires: timestamp(token.expiresMs),
    last_used: timestamp(token.lastUsedMs),
    url: `${list}${token.id}/`,
  };
}
