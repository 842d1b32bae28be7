import { field, type identity, type RequestMode } from '@parlance/contracts';
import { can, canOnSite, canSee } from '@parlance/access';
import { isServiceError } from '@parlance/errors';
import { componentTarget, denied, projectTarget, requireProjectFactor } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { isReadMethod } from '../../limits/maintenance';
import { notFound } from '../../responses/errors';
import { idOf, idParam, perCall, readValues, readFields, requireId } from '../../bodies/input';
import { list } from '../../responses/lists';
import { listUsers, untilExpiry } from './list-users';
import { presentSubscription, presentUser } from './present';
import { loadHidden, pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { subscriptionSchema, userSchema, userStatisticsSchema } from './schema';
import { z } from 'zod';

/** Fields of a user; the identity service validates their values. */
const userFields = z.object({
  username: field.line('Unique name in addresses, case-insensitive.'),
  full_name: field.line('Display name.'),
  email: field.line('Unique mail address; null: none.', { filled: true }).nullable().optional(),
  is_superuser: field.boolean('Superuser with all permissions; default: false.').optional(),
  is_active: field.boolean('May sign in; default: true.').optional(),
  is_bot: field.boolean('Bot account; default: false.').optional(),
  date_expires: field.time('Time when the account expires; null: never.').nullable().optional(),
});

/** Fields of a notification subscription. */
const subscriptionFields = z.object({
  notification: field.line('Name of the notification.'),
  scope: field.integerChoice(
    '0 everything, 10 watched projects, 20 administered projects, 30 one project, 40 one component.',
    [0, 10, 20, 30, 40],
  ),
  frequency: field.integerChoice('0 off, 1 immediately, 2 daily, 3 weekly, 4 monthly digest.', [0, 1, 2, 3, 4]),
});

/** Subject of a new subscription with a narrow scope; optional for compatibility, but without it no mail is sent. */
const subjectFields = z.object({
  project_slug: field
    .line('Slug of the project of scope 30, or of the project that contains the component of scope 40.', {
      maxLength: 100,
      access: 'write-only',
    })
    .optional(),
  component_slug: field
    .line('Slug of the component of scope 40, prefixed by the slugs of its categories and slashes.', {
      maxLength: 500,
      access: 'write-only',
    })
    .optional(),
});

const groupIdField = z.object({
  group_id: field.id('Id of the group.'),
});

/** The user named by the path. @throws NOT_FOUND also for anonymous callers */
export const userOf = perCall(async (call): Promise<identity.User__Output> => {
  if (call.caller.anonymous) throw notFound();
  const { user } = await call.clients.identity.getUser({ username: call.params['username']! }, call.options);
  if (!user) throw notFound();
  return user;
});

const editors = { site: 'user.edit', of: userOf } as const;

/**
 * The user named by the path, for objects that belong to it. Reads take it from the cache: it has the time of the last sign-in and whether
 * the account is active, which change without a generation.
 * @throws NOT_FOUND also for anonymous callers
 */
export const ownerOf = perCall(async (call): Promise<identity.User__Output> => {
  if (!isReadMethod(call.request.method ?? '')) return userOf(call);
  return call.directory.visibleObject('user', call.caller, call.params['username']!, () => userOf(call));
});

async function readUser(call: Call, mode: RequestMode) {
  const { email, ...fields } = await readFields(call, userFields, mode);
  // The service represents "no address" as an empty text.
  return email === undefined ? fields : { ...fields, email: email === 0 ? '' : email };
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const fields = await readUser(call, mode);
    const { id } = await userOf(call);
    const { user } = await call.clients.identity.updateUser(
      { ...fields, id, replace: mode === 'replace' },
      call.options,
    );
    return ok(presentUser(user!, call.links));
  };

/** May change members of the group in the body: managers of users or of the team's project, and admins of the team. */
async function mayChangeMembership(call: Call): Promise<void> {
  await userOf(call);
  const managesUsers = canOnSite(call.caller, 'user.edit');
  const id = idOf((await call.body()).values['group_id']);
  let group: identity.Group__Output | null = null;
  try {
    if (id !== undefined) ({ group } = await call.clients.identity.getGroup({ id }, call.options));
  } catch (error) {
    if (!isServiceError(error, 'NOT_FOUND')) throw error;
  }
  if (group) await requireProjectFactor(call, group.definingProjectId);
  if (managesUsers) return;
  if (!group) throw denied(call);
  if (group.adminUserIds.includes(call.caller.userId)) return;
  const project = (await call.directory.projectsById([group.definingProjectId])).get(group.definingProjectId);
  if (!project || !can(call.caller, 'project.permissions', projectTarget(project))) throw denied(call);
}

const membership =
  (method: 'addUserToGroup' | 'removeUserFromGroup') =>
  async (call: Call): Promise<Reply> => {
    const groupId = await requireId(call, 'group_id');
    const { user } = await call.clients.identity[method]({ userId: (await userOf(call)).id, groupId }, call.options);
    return ok(presentUser(user!, call.links));
  };

const membershipAccess = {
  decide: mayChangeMembership,
  ways: [{ permission: 'user.edit', on: 'site' }, { permission: 'project.permissions', on: 'object' }, 'team-admin'],
} as const;

async function presentSubscriptions(
  call: Call,
  items: identity.Subscription__Output[],
): Promise<Record<string, unknown>[]> {
  const [projects, components] = await Promise.all([
    call.directory.projectsById(items.map((s) => s.projectId)),
    call.directory.componentsById(items.map((s) => s.componentId)),
  ]);
  for (const [id, project] of projects) if (!canSee(call.caller, projectTarget(project))) projects.delete(id);
  for (const [id, view] of components) if (!canSee(call.caller, componentTarget(view))) components.delete(id);
  return items.map((s) => presentSubscription(s, { projects, components }, call.links, call.caller));
}

/** Ids of a new subscription's subject; problems are added to the call. */
async function readSubject(call: Call, scope: unknown): Promise<{ projectId?: number; componentId?: number }> {
  const { values, problems } = await readValues(call, subjectFields, 'create');
  call.problems.push(...problems);
  const [projectSlug, path] = [values.project_slug || undefined, values.component_slug || undefined];
  const wrong = (attr: string, code: string, detail: string) => void call.problems.push({ attr, code, detail });
  if (projectSlug !== undefined && scope !== 30 && scope !== 40)
    wrong('project_slug', 'invalid', 'Subscriptions of this scope have no project.');
  if (path !== undefined && scope !== 40)
    wrong('component_slug', 'invalid', 'Subscriptions of this scope have no component.');
  else if (path !== undefined && projectSlug === undefined)
    wrong('project_slug', 'required', 'This field is required.');
  if (projectSlug === undefined || call.problems.length > 0) return {};
  const project = await call.directory.project(projectSlug);
  if (!project || !canSee(call.caller, projectTarget(project))) {
    wrong('project_slug', 'does_not_exist', 'The project does not exist.');
    return {};
  }
  if (path === undefined) return { projectId: project.id };
  const view = await call.directory.component(projectSlug, path.replace(/%2f/gi, '/'));
  if (view && canSee(call.caller, componentTarget(view))) return { componentId: view.component.id };
  wrong('component_slug', 'does_not_exist', 'The project has no such component.');
  return {};
}

async function subscriptionReply(call: Call, subscription: identity.Subscription__Output | null): Promise<Reply> {
  if (!subscription) throw notFound();
  return ok((await presentSubscriptions(call, [subscription]))[0]);
}

const changeSubscription =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const id = idParam(call, 'subscription');
    const fields = await readFields(call, subscriptionFields, mode);
    const request = { ...fields, userId: (await userOf(call)).id, id, replace: mode === 'replace' };
    return subscriptionReply(
      call,
      (await call.clients.identity.updateSubscription(request, call.options)).subscription,
    );
  };

/** Loads user and subscription before permissions are checked. */
const subscriptionOf = perCall(async (call: Call) => {
  const id = idParam(call, 'subscription');
  const { id: userId } = await ownerOf(call);
  return (await call.clients.identity.getSubscription({ userId, id }, call.options)).subscription;
});

/** History actions counted in user statistics. */
const countedActions = { translated: [2, 5], suggested: [4], uploaded: [9], commented: [3] };

async function userStatistics(call: Call): Promise<Reply> {
  const user = await ownerOf(call);
  const exclusions = await loadHidden(call);
  const sets = Object.values(countedActions).map((actions) => ({ actions }));
  const request = { sets, userId: user.id, ...exclusions };
  const { counts } = await call.clients.translation.countChanges(request, call.options);
  const numbers = Object.keys(countedActions).map((name, i) => [name, counts[i] ?? 0]);
  return ok({ ...Object.fromEntries(numbers), languages: user.languageCodes.length });
}

const USER_PATH = '/api/users/:username/';
const NOTIFICATIONS_PATH = `${USER_PATH}notifications/`;

export const userEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/users/',
    response: pageSchema(userSchema),
    access: 'anyone',
    doc: 'Lists users; without the permission to manage users, only the caller.',
    query: z.object({
      username: field.line('Only names with this prefix.').optional(),
      id: field.id('Only this user.').optional(),
    }),
    cached: { also: 'uses' },
    handle: listUsers,
  },
  {
    method: 'POST',
    path: '/api/users/',
    success: [201],
    response: userSchema,
    access: { site: 'user.edit' },
    doc: 'Creates a user, who joins the teams with automatic membership.',
    body: { fields: userFields },
    async handle(call) {
      const { user } = await call.clients.identity.createUser(await readUser(call, 'create'), call.options);
      return created(presentUser(user!, call.links), call.links.user(user!.username));
    },
  },
  {
    method: 'GET',
    path: USER_PATH,
    response: userSchema,
    access: 'anyone',
    doc: 'Shows a user.',
    cached: { also: 'uses' },
    async handle(call) {
      const user = await userOf(call);
      return { ...ok(presentUser(user, call.links)), keepMs: untilExpiry([user]) };
    },
  },
  {
    method: 'PUT',
    path: USER_PATH,
    response: userSchema,
    access: editors,
    doc: 'Replaces a user.',
    body: { fields: userFields },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: USER_PATH,
    response: userSchema,
    access: editors,
    doc: 'Changes a user.',
    body: { fields: userFields },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: USER_PATH,
    access: editors,
    doc: "Deletes a user's personal data; the history keeps its author under a neutral name.",
    async handle(call) {
      await call.clients.identity.deleteUser({ id: (await userOf(call)).id }, call.options);
      return noContent;
    },
  },
  {
    method: 'POST',
    path: `${USER_PATH}groups/`,
    response: userSchema,
    access: membershipAccess,
    doc: 'Adds a user to a group.',
    body: { fields: groupIdField },
    handle: membership('addUserToGroup'),
  },
  {
    method: 'DELETE',
    path: `${USER_PATH}groups/`,
    response: userSchema,
    access: membershipAccess,
    doc: 'Removes a user from a group.',
    body: { fields: groupIdField },
    handle: membership('removeUserFromGroup'),
  },
  {
    method: 'GET',
    path: `${USER_PATH}statistics/`,
    shows: 'site',
    response: userStatisticsSchema,
    access: 'anyone',
    doc: 'Counts the contributions of a user, as far as the caller may see them.',
    handle: userStatistics,
  },
  {
    method: 'GET',
    path: NOTIFICATIONS_PATH,
    response: pageSchema(subscriptionSchema),
    access: 'anyone',
    doc: 'Lists notification subscriptions of a user.',
    cached: true,
    async handle(call) {
      const { id: userId } = await ownerOf(call);
      return list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.identity.listSubscriptions({ userId, page }, call.options);
          return { items: answer.subscriptions, total: answer.total };
        },
        (items) => presentSubscriptions(call, items),
      );
    },
  },
  {
    method: 'POST',
    path: NOTIFICATIONS_PATH,
    success: [201],
    response: subscriptionSchema,
    access: editors,
    doc: 'Subscribes a user to a notification.',
    body: { fields: subscriptionFields.extend(subjectFields.shape) },
    async handle(call) {
      const { id: userId } = await userOf(call);
      const fields = await readFields(call, subscriptionFields, 'create');
      const request = { ...fields, ...(await readSubject(call, fields.scope)), userId };
      const { subscription } = await call.clients.identity.createSubscription(request, call.options);
      const [data] = await presentSubscriptions(call, [subscription!]);
      return created(data, `${call.url}${subscription!.id}/`);
    },
  },
  {
    method: 'GET',
    path: `${NOTIFICATIONS_PATH}:subscription/`,
    response: subscriptionSchema,
    access: 'anyone',
    doc: 'Shows a subscription.',
    cached: true,
    handle: async (call) => subscriptionReply(call, await subscriptionOf(call)),
  },
  {
    method: 'PUT',
    path: `${NOTIFICATIONS_PATH}:subscription/`,
    response: subscriptionSchema,
    access: { site: 'user.edit', of: subscriptionOf },
    doc: 'Replaces a subscription.',
    body: { fields: subscriptionFields },
    handle: changeSubscription('replace'),
  },
  {
    method: 'PATCH',
    path: `${NOTIFICATIONS_PATH}:subscription/`,
    response: subscriptionSchema,
    access: { site: 'user.edit', of: subscriptionOf },
    doc: 'Changes a subscription.',
    body: { fields: subscriptionFields },
    handle: changeSubscription('update'),
  },
  {
    method: 'DELETE',
    path: `${NOTIFICATIONS_PATH}:subscription/`,
    access: { site: 'user.edit', of: subscriptionOf },
    doc: 'Ends a subscription.',
    async handle(call) {
      const request = { userId: (await userOf(call)).id, id: idParam(call, 'subscription') };
      await call.clients.identity.deleteSubscription(request, call.options);
      return noContent;
    },
  },
];
