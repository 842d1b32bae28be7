import { field, toMessage, type identity } from '@parlance/contracts';
import { denied } from '../../access/access';
import type { Call } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { addressed, idOf, idParam, readValues } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentToken } from './present';
import { pages } from '../shared';
import { ownerOf } from '../users/routes';
import { pageSchema } from '../../responses/schema';
import { newTokenSchema, tokenSchema } from './schema';
import { projectIdsOf, projectsOfTokens } from './token-projects';
import { z } from 'zod';

const commonFields = z.object({
  name: field.line('Purpose of the token.'),
  expires: field.time('Time when the token expires; null or absent: never.').nullable().optional(),
});

const personalFields = z.object({
  ...commonFields.shape,
  read_only: field.boolean('Whether the token only reads.').default(false),
  projects: field
    .relations('The only projects that the token reaches, by address or slug, at most 100; default: all of the user.', {
      maxItems: 100,
    })
    .optional(),
});

const projectFields = z.object({
  ...commonFields.shape,
  groups: field
    .relations("Teams of the project that the token's bot joins, by address or id; default: Administration.", {
      filled: true,
    })
    .optional(),
});

async function readPersonalToken(call: Call) {
  const { values, problems } = await readValues(call, personalFields, 'create');
  const projectIds = await projectIdsOf(call, values.projects ?? [], problems);
  call.problems.push(...problems);
  return { ...toMessage(personalFields, values), projectIds };
}

async function readProjectToken(call: Call) {
  const { values, problems } = await readValues(call, projectFields, 'create');
  const groupIds = (values.groups ?? []).map((group, i) => {
    const id = idOf(addressed(group, 'groups') ?? group);
    if (id === undefined)
      problems.push({ attr: `groups.${i}`, code: 'does_not_exist', detail: 'The group does not exist.' });
    return id ?? 0;
  });
  call.problems.push(...problems);
  return { ...toMessage(projectFields, values), groupIds };
}

/** Personal tokens are accessible to their owner and superusers. */
async function ownerOnly(call: Call): Promise<void> {
  const user = await ownerOf(call);
  if (user.id !== call.caller.userId && !call.caller.isSuperuser) throw denied(call);
}

const owner = { decide: ownerOnly, ways: ['self', 'superuser'] } as const;
const managers = { any: ['project.permissions'], people: true } as const;

/** Tokens as the API shows them. @param value of a new one */
async function presentTokens(call: Call, list: string, tokens: readonly identity.Token__Output[], value?: string) {
  const projects = await projectsOfTokens(call, tokens);
  return tokens.map((token) =>
    presentToken(token, list, call.links, { value, projects: projects.get(token.id) ?? [] }),
  );
}

const present = async (call: Call, list: string, token: identity.Token__Output | null) => {
  if (!token) throw notFound();
  return ok((await presentTokens(call, list, [token]))[0]);
};

const personalList = async (call: Call) => `${call.links.user((await ownerOf(call)).username)}tokens/`;
const projectList = (call: Call) => `${call.links.project(call.project.slug)}tokens/`;

const USER_TOKENS_PATH = '/api/users/:username/tokens/';
const PROJECT_TOKENS_PATH = '/api/projects/:project/tokens/';

export const tokenEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: USER_TOKENS_PATH,
    response: pageSchema(tokenSchema),
    access: owner,
    doc: 'Lists the personal tokens of a user, without their values.',
    cached: { also: 'uses' },
    async handle(call) {
      const { id: userId } = await ownerOf(call);
      const address = await personalList(call);
      return list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.identity.listPersonalTokens({ userId, page }, call.options);
          return { items: answer.tokens, total: answer.total };
        },
        (items) => presentTokens(call, address, items),
      );
    },
  },
  {
    method: 'POST',
    path: USER_TOKENS_PATH,
    success: [201],
    response: newTokenSchema,
    access: owner,
    doc: 'Creates a personal token; only this response contains its value.',
    body: { fields: personalFields },
    async handle(call) {
      const request = { ...(await readPersonalToken(call)), userId: (await ownerOf(call)).id };
      const { token, value } = await call.clients.identity.createPersonalToken(request, call.options);
      const [data] = await presentTokens(call, await personalList(call), [token!], value);
      return created(data, data!.url);
    },
  },
  {
    method: 'GET',
    path: `${USER_TOKENS_PATH}:token/`,
    response: tokenSchema,
    access: owner,
    doc: 'Shows a personal token, without its value.',
    cached: { also: 'uses' },
    async handle(call) {
      const request = { userId: (await ownerOf(call)).id, id: idParam(call, 'token') };
      const { token } = await call.clients.identity.getPersonalToken(request, call.options);
      return present(call, await personalList(call), token);
    },
  },
  {
    method: 'DELETE',
    path: `${USER_TOKENS_PATH}:token/`,
    access: owner,
    doc: 'Revokes a personal token immediately.',
    async handle(call) {
      const request = { userId: (await ownerOf(call)).id, id: idParam(call, 'token') };
      await call.clients.identity.revokePersonalToken(request, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: PROJECT_TOKENS_PATH,
    response: pageSchema(tokenSchema),
    access: managers,
    doc: 'Lists the tokens of a project, without their values.',
    cached: { also: 'uses' },
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const request = { projectId: call.project.id, page };
          const answer = await call.clients.identity.listProjectTokens(request, call.options);
          return { items: answer.tokens, total: answer.total };
        },
        (items) => presentTokens(call, projectList(call), items),
      ),
  },
  {
    method: 'POST',
    path: PROJECT_TOKENS_PATH,
    success: [201],
    response: newTokenSchema,
    access: managers,
    doc: 'Creates a project token with its own bot user; only this response contains its value.',
    body: { fields: projectFields },
    async handle(call) {
      const request = { projectId: call.project.id, ...(await readProjectToken(call)) };
      const { token, value } = await call.clients.identity.createProjectToken(request, call.options);
      const [data] = await presentTokens(call, projectList(call), [token!], value);
      return created(data, data!.url);
    },
  },
  {
    method: 'GET',
    path: `${PROJECT_TOKENS_PATH}:token/`,
    response: tokenSchema,
    access: managers,
    doc: 'Shows a token of a project, without its value.',
    cached: { also: 'uses' },
    async handle(call) {
      const request = { projectId: call.project.id, id: idParam(call, 'token') };
      return present(
        call,
        projectList(call),
        (await call.clients.identity.getProjectToken(request, call.options)).token,
      );
    },
  },
  {
    method: 'DELETE',
    path: `${PROJECT_TOKENS_PATH}:token/`,
    access: managers,
    doc: 'Revokes a project token immediately and deletes its bot user.',
    async handle(call) {
      await call.clients.identity.revokeProjectToken(
        { projectId: call.project.id, id: idParam(call, 'token') },
        call.options,
      );
      return noContent;
    },
  },
];
