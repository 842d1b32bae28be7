import type { Page, PageRequest } from '../../domain/ports';
import { TakenError } from '../../domain/ports';
import { ADMINISTRATION_TEAM, teamKey } from '../../domain/permissions/defaults';
import { checkExpiry, checkLine, Problems } from '../../domain/problems';
import type { Project } from '../../domain/project';
import { botUsername, newToken, TOKEN_NAME_MAX } from '../../domain/sign-in/token';
import { newUser, noreplyAddress, type User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { anonymizeUser } from '../users/delete-user';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { managesProject, denyAccess } from '../rights';
import { summarizeToken, type TokenSummary } from './token-summary';

/** Project tokens cannot manage tokens; otherwise a leaked one could create a replacement. */
async function requireManager(deps: Pick<Deps, 'projects'>, context: RequestContext, projectId: number): Promise<void> {
  if (!(await managesProject(deps, context, projectId))) denyAccess(context);
  if (context.caller.onlyProjects) denyAccess(context, 'Project tokens cannot be used to manage tokens.');
}

const tokenOf = (bot: User) => bot.tokens.filter((t) => t.kind === 'project').map((t) => summarizeToken(bot, t));

export async function listProjectTokens(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  projectId: number,
  page: PageRequest,
): Promise<Page<TokenSummary>> {
  await requireManager(deps, context, projectId);
  const bots = await deps.users.bots(projectId, page);
  return { items: bots.items.flatMap(tokenOf), total: bots.total };
}

export async function getProjectToken(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  projectId: number,
  id: number,
): Promise<TokenSummary> {
  await requireManager(deps, context, projectId);
  const bot = await deps.users.byTokenId(id);
  const token = bot && bot.projectId === projectId ? tokenOf(bot).find((t) => t.id === id) : undefined;
  if (!token) throw notFound('The token');
  return token;
}

export interface NewProjectToken {
  projectId: number;
  /** Used if the id is 0. */
  projectSlug: string;
  name?: string;
  expiresMs: number;
  groupIds: readonly number[];
}

type CreateProjectTokenDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now' | 'noreplyDomain' | 'maxTokens'>;

/** Creates a bot user with one token in one write. @returns also the value, which cannot be read later */
export async function createProjectToken(
  deps: CreateProjectTokenDeps,
  context: RequestContext,
  input: NewProjectToken,
): Promise<{ token: TokenSummary; value: string }> {
  const project =
    input.projectId === 0 ? await deps.projects.bySlug(input.projectSlug) : await deps.projects.get(input.projectId);
  if (!project) throw notFound('The project');
  await requireManager(deps, context, project.id);
  const groups = await check(deps, context, project, input);
  const { total } = await deps.users.bots(project.id, { skip: 0, limit: 1 });
  if (total >= deps.maxTokens)
    throw fieldError(null, 'invalid', `A project can have at most ${deps.maxTokens} tokens; revoke one first.`);
  const { token, value } = newToken({
    id: await deps.users.nextTokenId(),
    kind: 'project',
    name: input.name!,
    createdMs: deps.now(),
    expiresMs: input.expiresMs,
  });
  const id = await deps.users.nextId();
  const bot = newUser({
    id,
    username: botUsername(project.slug, token.name),
    fullName: token.name,
    email: noreplyAddress(id, deps.noreplyDomain),
    nowMs: deps.now(),
    groups,
    subscriptionIds: [],
    isBot: true,
    projectId: project.id,
    dateExpiresMs: token.expiresMs,
    tokens: [token],
  });
  const made = await insertUnderFreeName(deps, context, bot);
  return { token: summarizeToken(made, token), value };
}

async function check(
  deps: Pick<Deps, 'groups' | 'now'>,
  context: RequestContext,
  project: Project,
  input: NewProjectToken,
): Promise<number[]> {
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', input.name, TOKEN_NAME_MAX);
  checkExpiry(problems, 'expires', input.expiresMs, deps.now());
  const teams = await deps.groups.ofProject(project.id);
  const foreign = input.groupIds.filter((id) => !teams.some((t) => t.id === id));
  if (foreign.length > 0) {
    problems.add('groups', 'does_not_exist', `No team of this project: ${foreign.slice(0, 10).join(', ')}.`);
  }
  throwIfInvalid(problems);
  if (input.groupIds.length > 0) return [...new Set(input.groupIds)].sort((a, b) => a - b);
  const administration = teams.find((t) => t.teamKey === teamKey(project.id, ADMINISTRATION_TEAM));
  if (!administration)
    throw fieldError('groups', 'required', 'The project has no Administration team; name at least one team.');
  return [administration.id];
}

/** Numbers the name of the bot if it is taken. */
async function insertUnderFreeName(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  bot: User,
): Promise<User> {
  const token = bot.tokens[0]!;
  const details = { user_id: bot.id, project_id: bot.projectId, groups: bot.groups, expires_ms: token.expiresMs };
  const action = { action: 'token.create', kind: 'token' as const, id: token.id, name: token.name, details };
  for (let attempt = 1; attempt <= 100; attempt++) {
    const named = attempt === 1 ? bot : { ...bot, username: `${bot.username}-${attempt}` };
    try {
      await deps.users.insert(named, announce(deps, context, action, [bot.id]));
      return named;
    } catch (error) {
      if (!(error instanceof TakenError) || error.field !== 'username') throw error;
    }
  }
  throw fieldError('name', 'unique', 'There are too many tokens of this name.');
}

type RevokeProjectTokenDeps = Pick<
  Deps,
  'users' | 'groups' | 'projects' | 'audit' | 'mails' | 'webCredentials' | 'now' | 'noreplyDomain'
>;

/** Deletes the bot with its token. */
export async function revokeProjectToken(
  deps: RevokeProjectTokenDeps,
  context: RequestContext,
  projectId: number,
  id: number,
): Promise<void> {
  const token = await getProjectToken(deps, context, projectId, id);
  await anonymizeUser(deps, context, token.userId, 'token.revoke');
}
