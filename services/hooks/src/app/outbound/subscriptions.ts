import { isIP } from 'node:net';
import { can, canOnSite } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { requireService, type CallContext } from '@parlance/grpc-kit';
import { isPublicAddress } from '@parlance/outgoing';
import type { Delivery } from '../../domain/outbound/delivery';
import { subscriptionProblems, type PayloadKind, type Subscription } from '../../domain/outbound/subscription';
import {
  StaleError,
  type CatalogClient,
  type DeliveryFilter,
  type DeliveryStore,
  type Secrets,
  type SubscriptionStore,
} from '../../domain/ports';

export interface OutboundDeps {
  catalog: CatalogClient;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  secrets: Secrets;
  /** Allows webhooks to private networks. */
  allowPrivate: boolean;
  /** Maximum webhooks of a project, and of the site. */
  maxWebhooks: number;
  /** Makes the sender poll its queue. */
  wake: () => void;
}

export interface SubscriptionInput {
  projectId: number;
  componentId: number;
  url: string;
  events: number[];
  secret: string;
  kind: PayloadKind;
  addonId: number;
  /** Validates without creating a webhook. */
  validateOnly: boolean;
}

export interface SubscriptionPatch {
  url?: string;
  events?: number[];
  secret?: string;
  enabled?: boolean;
  kind?: PayloadKind;
}

/** Literal private addresses are rejected here; names are resolved and checked for each connection. */
const subscriptionError =
  ({ allowPrivate }: OutboundDeps) =>
  (host: string): boolean => {
    const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    return !allowPrivate && (/(?:^|\.)localhost$/i.test(bare) || (isIP(bare) !== 0 && !isPublicAddress(bare)));
  };

/** @throws NOT_FOUND for a project hidden from the caller, PERMISSION_DENIED without the permission */
async function requireManager({ catalog }: OutboundDeps, projectId: number, context: CallContext): Promise<void> {
  if (projectId === 0) {
    if (!canOnSite(context.caller, 'management.addons')) throw new ServiceError('PERMISSION_DENIED');
    return;
  }
  const project = await catalog.project(projectId, context);
  if (!project) throw new ServiceError('NOT_FOUND');
  if (!can(context.caller, 'project.edit', { ...project, projectId })) throw new ServiceError('PERMISSION_DENIED');
}

async function requireSubscription(deps: OutboundDeps, id: number, context: CallContext): Promise<Subscription> {
  const subscription = await deps.subscriptions.get(id);
  if (!subscription) throw new ServiceError('NOT_FOUND');
  await requireManager(deps, subscription.projectId, context);
  return subscription;
}

export async function listSubscriptions(
  deps: OutboundDeps,
  projectId: number,
  skip: number,
  limit: number,
  context: CallContext,
) {
  await requireManager(deps, projectId, context);
  return deps.subscriptions.list(projectId, skip, limit);
}

export const getSubscription = requireSubscription;

/** @returns the subscription, or null after a validation without problems */
export async function createSubscription(
  deps: OutboundDeps,
  input: SubscriptionInput,
  context: CallContext,
): Promise<Subscription | null> {
  await requireManager(deps, input.projectId, context);
  const problems = subscriptionProblems(input, subscriptionError(deps));
  if (input.componentId) {
    const [component] = await deps.catalog.components([input.componentId], context);
    if (component?.projectId !== input.projectId)
      problems.push({ attr: 'component_id', code: 'does_not_exist', detail: 'The project has no such component.' });
  }
  if (problems.length > 0) throw fieldErrors(problems);
  if (input.validateOnly) return null;
  const { url, events, kind } = input;
  const sealedSecret = input.secret && deps.secrets.seal(input.secret);
  const earlier = input.addonId ? await deps.subscriptions.ofAddon(input.addonId) : undefined;
  if (earlier) return replace(deps, { ...earlier, url, events, kind, sealedSecret, enabled: true });
  const { total } = await deps.subscriptions.list(input.projectId, 0, 1);
  if (total >= deps.maxWebhooks)
    throw fieldErrors([
      {
        attr: 'webhook_url',
        code: 'max_length',
        detail: `At most ${deps.maxWebhooks} webhooks are allowed ${input.projectId ? 'in a project' : 'on the site'}.`,
      },
    ]);
  const now = Date.now();
  return deps.subscriptions.add({
    projectId: input.projectId,
    componentId: input.componentId,
    addonId: input.addonId,
    url,
    events,
    kind,
    sealedSecret,
    enabled: true,
    createdMs: now,
    lastSuccessMs: 0,
    lastFailureMs: 0,
    // Only later changes are sent.
    seenMs: now,
  });
}

export async function updateSubscription(
  deps: OutboundDeps,
  id: number,
  patch: SubscriptionPatch,
  context: CallContext,
): Promise<Subscription> {
  const subscription = await requireSubscription(deps, id, context);
  const problems = subscriptionProblems(patch, subscriptionError(deps));
  if (problems.length > 0) throw fieldErrors(problems);
  const { secret, ...rest } = patch;
  const given = Object.fromEntries(Object.entries<unknown>(rest).filter(([, value]) => value !== undefined));
  return replace(deps, {
    ...subscription,
    ...given,
    ...(secret === undefined ? {} : { sealedSecret: secret && deps.secrets.seal(secret) }),
  });
}

async function replace(deps: OutboundDeps, subscription: Subscription): Promise<Subscription> {
  try {
    return await deps.subscriptions.replace(subscription);
  } catch (error) {
    if (error instanceof StaleError) throw new ServiceError('CONFLICT', { cause: error });
    throw error;
  }
}

/** Deletes a subscription by its id, or by its add-on's id (idempotent). */
export async function deleteSubscription(
  deps: OutboundDeps,
  selector: { id: number; addonId: number },
  context: CallContext,
): Promise<void> {
  if (selector.id) return deps.subscriptions.remove((await requireSubscription(deps, selector.id, context)).id);
  const subscription = await deps.subscriptions.ofAddon(selector.addonId);
  if (!subscription) return;
  await requireManager(deps, subscription.projectId, context);
  await deps.subscriptions.remove(subscription.id);
}

export async function listDeliveries(
  deps: OutboundDeps,
  filter: DeliveryFilter,
  skip: number,
  limit: number,
  context: CallContext,
) {
  if (filter.subscriptionId === 0) requireService(context.caller);
  else await requireSubscription(deps, filter.subscriptionId, context);
  return deps.deliveries.list(filter, skip, limit);
}

export async function getDelivery(deps: OutboundDeps, id: string, context: CallContext): Promise<Delivery> {
  const delivery = await deps.deliveries.get(id);
  if (!delivery) throw new ServiceError('NOT_FOUND');
  await requireSubscription(deps, delivery.subscriptionId, context);
  return delivery;
}

export async function retryDelivery(deps: OutboundDeps, id: string, context: CallContext): Promise<Delivery> {
  await getDelivery(deps, id, context);
  const delivery = await deps.deliveries.retry(id, Date.now());
  if (!delivery) throw new ServiceError('NOT_FOUND');
  deps.wake();
  return delivery;
}

export async function deleteDelivery(deps: OutboundDeps, id: string, context: CallContext): Promise<void> {
  await getDelivery(deps, id, context);
  await deps.deliveries.remove(id);
}
