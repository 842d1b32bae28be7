import type { z } from 'zod';
import type { identity } from '@parlance/contracts';
import type { Links } from '../../responses/links';
import type { roleSchema } from './schema';

export function presentRole(role: identity.Role__Output, links: Links): z.infer<typeof roleSchema> {
  return { id: role.id, name: role.name, permissions: role.permissions, url: links.role(role.id) };
}
