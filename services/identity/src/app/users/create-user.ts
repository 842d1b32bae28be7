import { checkExpiry, Problems } from '../../domain/problems';
import { defaultSubscriptions } from '../../domain/notifications/subscription';
import { newToken } from '../../domain/sign-in/token';
import { checkEmail, checkFullName, checkPassword, checkUsername, newUser, type User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { throwIfInvalid, reportTaken } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess, requireOnSite } from '../rights';

export interface NewUserInput {
  username?: string;
  fullName?: string;
  email?: string;
  isSuperuser?: boolean;
  isActive?: boolean;
  isBot?: boolean;
  /** 0: never. */
  dateExpiresMs?: number;
  /** Empty: none. */
  password: string;
  withToken: boolean;
}

type CreateUserDeps = Pick<Deps, 'users' | 'groups' | 'passwords' | 'now'>;

/** Creates a user with its memberships, subscriptions and token in one write. */
export async function createUser(
  deps: CreateUserDeps,
  context: RequestContext,
  input: NewUserInput,
): Promise<{ user: User; token: string }> {
  requireOnSite(context, 'user.edit');
  if (input.isSuperuser && !context.caller.isSuperuser) denyAccess(context, 'Only superusers can create superusers.');
  const email = input.email ?? '';
  await checkNewUser(deps, context, input, email);
  const autoJoined = await deps.groups.autoJoined();
  const nowMs = deps.now();
  const issued = input.withToken
    ? newToken({
        id: await deps.users.nextTokenId(),
        kind: 'personal',
        name: 'First token',
        createdMs: nowMs,
        expiresMs: 0,
      })
    : undefined;
  const user = newUser({
    id: await deps.users.nextId(),
    username: input.username!,
    fullName: input.fullName!,
    email: email === '' ? null : email,
    nowMs,
    groups: autoJoined.map((g) => g.id),
    subscriptionIds: await deps.users.nextSubscriptionIds(defaultSubscriptions.length),
    isSuperuser: input.isSuperuser ?? false,
    isActive: input.isActive ?? true,
    isBot: input.isBot ?? false,
    dateExpiresMs: input.dateExpiresMs ?? 0,
    passwordHash: input.password === '' ? null : await deps.passwords.hash(input.password),
    tokens: issued ? [issued.token] : [],
  });
  const details = { is_superuser: user.isSuperuser, is_bot: user.isBot, with_token: input.withToken };
  const action = { action: 'user.create', kind: 'user' as const, id: user.id, details };
  await reportTaken(() => deps.users.insert(user, announce(deps, context, action, [user.id])));
  return { user, token: issued?.value ?? '' };
}

/** Reports all problems at once; unique indexes decide between concurrent writers. */
async function checkNewUser(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  input: NewUserInput,
  email: string,
): Promise<void> {
  const problems = new Problems(context.problems);
  checkUsername(problems, input.username);
  checkFullName(problems, input.fullName);
  checkEmail(problems, email);
  checkExpiry(problems, 'date_expires', input.dateExpiresMs ?? 0, deps.now());
  if (input.password !== '') checkPassword(problems, input.password);
  if (problems.clean('username') && (await deps.users.byName(input.username!))) {
    problems.add('username', 'unique', 'This username is already taken.');
  }
  if (email !== '' && problems.clean('email') && (await deps.users.byEmail(email))) {
    problems.add('email', 'unique', 'This mail address is already used by another user.');
  }
  throwIfInvalid(problems);
}
