import { can, canOnSite, canSee } from '@parlance/access';
import { field, toMessage, type identity, type RequestMode } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { Named } from '../../access/definition';
import { componentTarget, denied, projectTarget, requireProjectFactor } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { addressed, idParam, perCall, readValues, relationProblem, requireId, requireText } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentGroup } from './present';
import { pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { groupSchema } from './schema';
import { z } from 'zod';

/** Fields of a group; its associations have separate endpoints. */
const groupFields = z.object({
  name: field.line('Name, not necessarily unique.'),
  project_selection: field
    .integerChoice(
      '0 listed projects, 1 all, 2 projects of the component lists, 3 public, 4 public and protected ones.',
      [0, 1, 2, 3, 4],
    )
    .optional(),
  language_selection: field.integerChoice('0 listed languages, 1 all.', [0, 1]).optional(),
  defining_project: field.relation('Address of the project that defines this team; null: none.').nullable().optional(),
  enforced_2fa: field
    .boolean('Members without a confirmed second factor get no permissions of the group; bots are exempt.')
    .optional(),
});

/** The group named by the path. @throws NOT_FOUND */
const groupOf = perCall(async (call): Promise<identity.Group__Output> => {
  const { group } = await call.clients.identity.getGroup({ id: idParam(call, 'group') }, call.options);
  if (!group) throw notFound();
  return group;
});

async function managesProject(call: Call, projectId: number): Promise<boolean> {
  if (!projectId) return false;
  const project = (await call.directory.projectsById([projectId])).get(projectId);
  return project !== undefined && can(call.caller, 'project.permissions', projectTarget(project));
}

async function mayEdit(call: Call): Promise<void> {
  const group = await groupOf(call);
  await requireProjectFactor(call, group.definingProjectId);
  if (canOnSite(call.caller, 'group.edit') || (await managesProject(call, group.definingProjectId))) return;
  throw denied(call);
}

async function mayNameAdmins(call: Call): Promise<void> {
  const group = await groupOf(call);
  await requireProjectFactor(call, group.definingProjectId);
  if (group.adminUserIds.includes(call.caller.userId)) return;
  await mayEdit(call);
}

/** Managers of groups; for a project's own team also managers of the project's teams. */
const managers = [
  { permission: 'group.edit', on: 'site' },
  { permission: 'project.permissions', on: 'object' },
] as const;
const editors = { decide: mayEdit, ways: managers };
const admins = { decide: mayNameAdmins, ways: [...managers, 'team-admin'] } as const;

/** Presents groups; loads all objects they refer to at once. */
async function presentGroups(call: Call, groups: identity.Group__Output[]): Promise<Record<string, unknown>[]> {
  const withLists = groups.some((g) => g.componentListIds.length > 0);
  const [projects, components, lists] = await Promise.all([
    call.directory.projectsById(groups.flatMap((g) => [g.definingProjectId, ...g.projectIds])),
    call.directory.componentsById(groups.flatMap((g) => g.components.map((c) => c.componentId))),
    withLists
      ? call.clients.catalog.listComponentLists({ page: { page: 1, pageSize: 1000 } }, call.options)
      : Promise.resolve({ componentLists: [] }),
  ]);
  const context = { projects, components, lists: new Map(lists.componentLists.map((l) => [l.id, l])) };
  return groups.map((g) => presentGroup(g, context, call.links));
}

async function groupReply(call: Call, group: identity.Group__Output | null): Promise<Reply> {
  return ok((await presentGroups(call, [group!]))[0]);
}

/** Fields of the body; the project must be visible to the caller. */
async function readGroup(call: Call, mode: RequestMode) {
  const { values, problems } = await readValues(call, groupFields, mode);
  let definingProjectId: number | undefined;
  const address = values.defining_project;
  if (address === null) definingProjectId = 0;
  else if (address !== undefined) {
    const slug = addressed(address, 'projects');
    const project = slug === undefined ? undefined : await call.directory.project(slug);
    if (project && canSee(call.caller, projectTarget(project))) definingProjectId = project.id;
    else problems.push(relationProblem('defining_project', address, 'projects', 'project'));
  }
  // The permission depends on the project, so problems of this field come first.
  if (problems.some(({ attr }) => attr === 'defining_project')) throw fieldErrors(problems);
  await requireProjectFactor(call, definingProjectId ?? 0);
  call.problems.push(...problems);
  const message = toMessage(groupFields, values);
  return definingProjectId === undefined ? message : { ...message, definingProjectId };
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const fields = await readGroup(call, mode);
    const request = { ...fields, id: (await groupOf(call)).id, replace: mode === 'replace' };
    return groupReply(call, (await call.clients.identity.updateGroup(request, call.options)).group);
  };

/** A kind of object that a group can be associated with. */
interface Association {
  /** Last segment of the path. */
  path: string;
  /** Name of the body's field, and of the path's parameter on removal. */
  field: string;
  doc: string;
  add(call: Call): Promise<Omit<identity.AddGroupAssociationRequest, 'groupId'>>;
  remove(call: Call): Omit<identity.RemoveGroupAssociationRequest, 'groupId'>;
  access: Endpoint['access'];
  /** Permissions on the associated object, for managers of a project's teams only. */
  named?: Named['needs'];
  /** A removal returns the group instead of 204. */
  answersGroup?: boolean;
}

const unknown = (attr: string, what: string) =>
  fieldErrors([{ attr, code: 'does_not_exist', detail: `The ${what} does not exist.` }]);

const associations: Association[] = [
  {
    path: 'roles',
    field: 'role_id',
    doc: 'role',
    access: editors,
    add: async (call) => ({ roleId: await requireId(call, 'role_id') }),
    remove: (call) => ({ roleId: idParam(call, 'role_id') }),
  },
  {
    path: 'projects',
    field: 'project_id',
    doc: 'project',
    access: editors,
    named: 'same project',
    async add(call) {
      const id = await requireId(call, 'project_id');
      const project = (await call.directory.projectsById([id])).get(id);
      if (!project || !canSee(call.caller, projectTarget(project))) throw unknown('project_id', 'project');
      return { projectId: id };
    },
    remove: (call) => ({ projectId: idParam(call, 'project_id') }),
  },
  {
    path: 'components',
    field: 'component_id',
    doc: 'component',
    access: editors,
    named: 'same project',
    async add(call) {
      const id = await requireId(call, 'component_id');
      const view = (await call.directory.componentsById([id])).get(id);
      // Listing a restricted component grants access to it, so managers of its project may name it without seeing it.
      const target = view && componentTarget(view);
      if (
        !target ||
        !(canSee(call.caller, target) || can(call.caller, 'project.permissions', { ...target, restricted: false }))
      ) {
        throw unknown('component_id', 'component');
      }
      return { component: { componentId: id, projectId: view.project.id } };
    },
    remove: (call) => ({ componentId: idParam(call, 'component_id') }),
  },
  {
    path: 'componentlists',
    field: 'component_list_id',
    doc: 'component list',
    access: editors,
    async add(call) {
      const id = await requireId(call, 'component_list_id');
      const { componentLists } = await call.clients.catalog.listComponentLists(
        { page: { page: 1, pageSize: 1000 } },
        call.options,
      );
      if (!componentLists.some((l) => l.id === id)) throw unknown('component_list_id', 'component list');
      return { componentListId: id };
    },
    remove: (call) => ({ componentListId: idParam(call, 'component_list_id') }),
  },
  {
    path: 'languages',
    field: 'language_code',
    doc: 'language',
    access: editors,
    async add(call) {
      const code = await requireText(call, 'language_code');
      const language = await call.directory.language(code);
      if (!language) throw unknown('language_code', 'language');
      return { languageCode: language.code };
    },
    remove: (call) => ({ languageCode: call.params['language_code']! }),
  },
  {
    path: 'admins',
    field: 'user_id',
    doc: 'admin, who also becomes a member',
    access: admins,
    add: async (call) => ({ adminUserId: await requireId(call, 'user_id') }),
    remove: (call) => ({ adminUserId: idParam(call, 'user_id') }),
    answersGroup: true,
  },
];

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const GROUP_PATH = '/api/groups/:group/';

const associationEndpoints = associations.flatMap((a): Endpoint[] => {
  const doc = `The ${a.doc}.`;
  const fields = z.object({ [a.field]: a.field === 'language_code' ? field.line(doc) : field.id(doc) });
  return [
    {
      method: 'POST',
      path: `${GROUP_PATH}${a.path}/`,
      response: groupSchema,
      access: a.access,
      ...(a.named ? { named: [{ field: a.field, needs: a.named }] } : {}),
      doc: `Adds ${withArticle(a.doc)} to a group.`,
      body: { fields },
      async handle(call) {
        const request = { ...(await a.add(call)), groupId: (await groupOf(call)).id };
        return groupReply(call, (await call.clients.identity.addGroupAssociation(request, call.options)).group);
      },
    },
    {
      method: 'DELETE',
      path: `${GROUP_PATH}${a.path}/:${a.field}/`,
      ...(a.answersGroup ? { response: groupSchema } : {}),
      access: a.access,
      doc: `Removes ${withArticle(a.doc.split(',')[0]!)} from a group.`,
      async handle(call) {
        const request = { ...a.remove(call), groupId: (await groupOf(call)).id };
        const { group } = await call.clients.identity.removeGroupAssociation(request, call.options);
        return a.answersGroup ? groupReply(call, group) : noContent;
      },
    },
  ];
});

export const groupEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/groups/',
    response: pageSchema(groupSchema),
    access: 'anyone',
    doc: "Lists groups; without the permission to view all groups, only the caller's own.",
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.identity.listGroups({ page }, call.options);
          return { items: answer.groups, total: answer.total };
        },
        (items) => presentGroups(call, items),
      ),
  },
  {
    method: 'POST',
    path: '/api/groups/',
    success: [201],
    response: groupSchema,
    access: { ways: managers },
    doc: 'Creates a group, or a team of the project in the body.',
    body: { fields: groupFields },
    async handle(call) {
      const fields = await readGroup(call, 'create');
      const { group } = await call.clients.identity.createGroup(fields, call.options);
      const [data] = await presentGroups(call, [group!]);
      return created(data, call.links.group(group!.id));
    },
  },
  {
    method: 'GET',
    path: GROUP_PATH,
    response: groupSchema,
    access: 'anyone',
    doc: 'Shows a group.',
    cached: true,
    handle: async (call) => groupReply(call, await groupOf(call)),
  },
  {
    method: 'PUT',
    path: GROUP_PATH,
    response: groupSchema,
    access: editors,
    doc: 'Replaces a group.',
    body: { fields: groupFields },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: GROUP_PATH,
    response: groupSchema,
    access: editors,
    doc: 'Changes a group.',
    body: { fields: groupFields },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: GROUP_PATH,
    access: editors,
    doc: 'Removes a group.',
    async handle(call) {
      await call.clients.identity.deleteGroup({ id: (await groupOf(call)).id }, call.options);
      return noContent;
    },
  },
  ...associationEndpoints,
];
