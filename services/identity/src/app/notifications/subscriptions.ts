import type { Page, PageRequest } from '../../domain/ports';
import { Problems } from '../../domain/problems';
import {
  checkSubscription,
  sameSubject,
  SUBSCRIPTIONS_MAX,
  type Frequency,
  type NotificationName,
  type Scope,
  type Subscription,
} from '../../domain/notifications/subscription';
import type { User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import { getUser } from '../users/get-user';
import type { RequestContext, Deps } from '../deps';
import { requireOnSite } from '../rights';

export interface SubscriptionInput {
  notification?: string;
  scope?: number;
  frequency?: number;
}

export async function listSubscriptions(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  userId: number,
  page: PageRequest,
): Promise<Page<Subscription>> {
  const user = await getUser(deps, context, { id: userId, username: '' });
  const items = user.subscriptions.slice(page.skip, page.skip + page.limit);
  return { items, total: user.subscriptions.length };
}

export async function getSubscription(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<Subscription> {
  const user = await getUser(deps, context, { id: userId, username: '' });
  return find(user, id);
}

export async function createSubscription(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  input: SubscriptionInput & { projectId: number; componentId: number },
): Promise<Subscription> {
  requireOnSite(context, 'user.edit');
  const problems = check(context, input);
  // Allocated before the write, so that retries of the write use the same id.
  const [id] = problems.found.length === 0 ? await deps.users.nextSubscriptionIds(1) : [0];
  const subscription = { ...typed(input), id: id!, projectId: input.projectId, componentId: input.componentId };
  await change(deps, context, userId, 'subscription.create', subscription, problems, (user) => {
    if (user.subscriptions.length >= SUBSCRIPTIONS_MAX) {
      throw fieldError(null, 'invalid', `A user can have at most ${SUBSCRIPTIONS_MAX} subscriptions.`);
    }
    return [...user.subscriptions, subscription];
  });
  return subscription;
}

export async function updateSubscription(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  id: number,
  input: SubscriptionInput & { replace: boolean },
): Promise<Subscription> {
  requireOnSite(context, 'user.edit');
  const user = await deps.users.get(userId);
  if (!user) throw notFound('The user');
  const base: SubscriptionInput = input.replace ? {} : find(user, id);
  const wanted = {
    notification: input.notification ?? base.notification,
    scope: input.scope ?? base.scope,
    frequency: input.frequency ?? base.frequency,
  };
  let result = find(user, id);
  await change(deps, context, userId, 'subscription.update', result, check(context, wanted), (current) => {
    const before = find(current, id);
    // The subject is cleared when the scope changes.
    const subject = wanted.scope === before.scope ? {} : { projectId: 0, componentId: 0 };
    result = { ...before, ...subject, ...typed(wanted) };
    return current.subscriptions.map((s) => (s.id === id ? result : s));
  });
  return result;
}

export async function deleteSubscription(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<void> {
  requireOnSite(context, 'user.edit');
  const user = await deps.users.get(userId);
  if (!user) throw notFound('The user');
  await change(deps, context, userId, 'subscription.delete', find(user, id), new Problems(), (current) => {
    find(current, id);
    return current.subscriptions.filter((s) => s.id !== id);
  });
}

function check(context: RequestContext, input: SubscriptionInput): Problems {
  const problems = new Problems(context.problems);
  checkSubscription(problems, { notification: input.notification, scope: input.scope, frequency: input.frequency });
  return problems;
}

function typed(input: SubscriptionInput): Pick<Subscription, 'notification' | 'scope' | 'frequency'> {
  return {
    notification: input.notification as NotificationName,
    scope: input.scope as Scope,
    frequency: input.frequency as Frequency,
  };
}

function find(user: User, id: number): Subscription {
  const subscription = user.subscriptions.find((s) => s.id === id);
  if (!subscription) throw notFound('The subscription');
  return subscription;
}

async function change(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  action: string,
  subject: Subscription,
  problems: Problems,
  next: (user: User) => Subscription[],
): Promise<void> {
  const updated = await deps.users.update(userId, (user) => {
    if (user.deleted) throw notFound('The user');
    throwIfInvalid(problems);
    const subscriptions = next(user);
    const twice = subscriptions.some((s, i) => subscriptions.findIndex((other) => sameSubject(s, other)) !== i);
    if (twice) throw fieldError(null, 'unique', 'There is a subscription for this notification and scope already.');
    const details = { user_id: userId, notification: subject.notification, scope: subject.scope };
    const auditAction = { action, kind: 'subscription' as const, id: subject.id, details };
    return { next: { ...user, subscriptions }, announce: announce(deps, context, auditAction) };
  });
  if (!updated) throw notFound('The user');
}
