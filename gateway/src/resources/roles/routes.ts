import { field, type identity, type RequestMode } from '@parlance/contracts';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { idParam, perCall, readFields } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentRole } from './present';
import { pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { roleSchema } from './schema';
import { z } from 'zod';

const roleFields = z.object({
  name: field.line('Name.'),
  permissions: field.list('Codenames of permissions.'),
});

/** The role named by the path. @throws NOT_FOUND */
const roleOf = perCall(async (call): Promise<identity.Role__Output> => {
  const { role } = await call.clients.identity.getRole({ id: idParam(call, 'role') }, call.options);
  if (!role) throw notFound();
  return role;
});

const editors = { site: 'role.edit', of: roleOf } as const;

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const fields = await readFields(call, roleFields, mode);
    const request = { ...fields, id: (await roleOf(call)).id, replace: mode === 'replace' };
    const { role } = await call.clients.identity.updateRole(request, call.options);
    return ok(presentRole(role!, call.links));
  };

const ROLE_PATH = '/api/roles/:role/';

export const roleEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/roles/',
    response: pageSchema(roleSchema),
    access: 'anyone',
    doc: "Lists roles; without the permission to view all roles, those of the caller's groups.",
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.identity.listRoles({ page }, call.options);
          return { items: answer.roles, total: answer.total };
        },
        (items) => items.map((r) => presentRole(r, call.links)),
      ),
  },
  {
    method: 'POST',
    path: '/api/roles/',
    success: [201],
    response: roleSchema,
    access: { site: 'role.edit' },
    doc: 'Creates a role.',
    body: { fields: roleFields },
    async handle(call) {
      const { role } = await call.clients.identity.createRole(
        await readFields(call, roleFields, 'create'),
        call.options,
      );
      return created(presentRole(role!, call.links), call.links.role(role!.id));
    },
  },
  {
    method: 'GET',
    path: ROLE_PATH,
    response: roleSchema,
    access: 'anyone',
    doc: 'Shows a role.',
    cached: true,
    handle: async (call) => ok(presentRole(await roleOf(call), call.links)),
  },
  {
    method: 'PUT',
    path: ROLE_PATH,
    response: roleSchema,
    access: editors,
    doc: 'Replaces a role.',
    body: { fields: roleFields },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: ROLE_PATH,
    response: roleSchema,
    access: editors,
    doc: 'Changes a role; the given permissions are added to the existing ones.',
    body: { fields: roleFields },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: ROLE_PATH,
    access: editors,
    doc: 'Removes a role.',
    async handle(call) {
      await call.clients.identity.deleteRole({ id: (await roleOf(call)).id }, call.options);
      return noContent;
    },
  },
];
