import type { z } from 'zod';
import type { catalog, identity } from '@parlance/contracts';
import type { ComponentView } from '../../directory/component-view';
import { presentComponent, presentProject } from '../components/present';
import { timestamp, type Links } from '../../responses/links';
import type { Caller } from '@parlance/access';
import type { userSchema } from './schema';
import type { subscriptionSchema } from './schema';

/** A user as the caller may see it: all fields for user managers, three for others. */
export function presentUser(user: identity.User__Output, links: Links): z.infer<typeof userSchema> {
  if (!user.full) return { id: user.id, full_name: user.fullName, username: user.username };
  const url = links.user(user.username);
  return {
    id: user.id,
    email: user.email || null,
    full_name: user.fullName,
    username: user.username,
    groups: user.groupIds.map((id) => links.group(id)),
    languages: user.languageCodes.map((code) => links.language(code)),
    notifications: `${url}notifications/`,
    is_superuser: user.isSuperuser,
    is_active: user.isActive,
    is_bot: user.isBot,
    date_joined: timestamp(user.dateJoinedMs),
    date_expires: timestamp(user.dateExpiresMs),
    last_login: timestamp(user.lastLoginMs),
    url,
    statistics_url: `${url}statistics/`,
    contributions_url: `${url}contributions/`,
  };
}

/** Objects that subscriptions refer to, as far as the caller may see them. */
export interface SubscriptionContext {
  projects: ReadonlyMap<number, catalog.Project__Output>;
  components: ReadonlyMap<number, ComponentView>;
}

export function presentSubscription(
  s: identity.Subscription__Output,
  context: SubscriptionContext,
  links: Links,
  caller: Caller,
): z.infer<typeof subscriptionSchema> {
  const project = context.projects.get(s.projectId);
  const component = context.components.get(s.componentId);
  return {
    notification: s.notification,
    id: s.id,
    scope: s.scope,
    frequency: s.frequency,
    project: project ? presentProject(project, links) : null,
    component: component ? presentComponent(component, links, caller) : null,
  };
}
