import type { identity } from '@parlance/contracts';
import type { Links } from '../../responses/links';

export function presentRole(role: identity.Role__Output, links: Links): Record<string, unknown> {
  return { id: role.id, name: role.name, permissions: role.permissions, url: links.role(role.id) };
}
