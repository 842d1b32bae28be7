import { createHash } from 'node:crypto';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import { BodyError, MediaTypeError, readBody } from '../domain/inbound/body';
import { PayloadError } from '../domain/inbound/payload';
import type { Notification, Provider, Push } from '../domain/inbound/push';
import { providers } from '../domain/inbound/providers';
import type { CatalogClient, InboundDelivery, ComponentMatch } from '../domain/ports';
import { startPulls, type NewDelivery, type PullDeps } from './start-pulls';

export interface ReceiveDeps extends PullDeps {
  catalog: CatalogClient;
  /** Hooks are enabled for the site. */
  enabled: boolean;
}

/** A request as received. */
export interface Received {
  provider: string;
  headers: Readonly<Record<string, string>>;
  contentType: string;
  raw: Uint8Array;
  sourceAddress: string;
}

export type Outcome = 'matched' | 'nothing' | 'ping';

export interface ReceiveResult {
  outcome: Outcome;
  repositoryMatches: number;
  branchMatches: number;
  enabledMatches: number;
  /** Components visible to the sender, and their pull tasks, in the same order. */
  componentIds: number[];
  taskIds: string[];
  message: string;
  repeated: boolean;
}

/** Maximum number of components that one delivery updates. */
const MAX_PULLS = 1000;
/**
 * Time for which digests of signed bodies are stored, in milliseconds: most hosts do not sign a time, so a replayed delivery
 * looks new.
 */
const REPLAY_MS = 24 * 3600_000;
/** Maximum number of components named in a message; the others are counted. */
const MAX_NAMED_COMPONENTS = 20;

/** Processes a git host's notification and starts the requested pulls. */
export async function receive(deps: ReceiveDeps, received: Received, context: CallContext): Promise<ReceiveResult> {
  if (!deps.enabled) throw new ServiceError('METHOD_NOT_ALLOWED', { message: 'Hooks are switched off on this site.' });
  const provider = providers.get(received.provider);
  if (!provider) throw new ServiceError('NOT_FOUND', { message: 'This provider is not supported.' });
  const { notification, push } = await parseNotification(provider, received);
  if (!push) return { ...NO_MATCHES, outcome: 'ping', message: `Hello ${provider.name}: this event needs no update.` };

  const matches = (await findMatches(deps.catalog, push)).map((m) => ({
    ...m,
    verified: m.secret !== '' && provider.verifySecret(notification, m.secret),
  }));
  const visible = await filterVisible(deps.catalog, context, matches);
  const mayPull = (m: VerifiedMatch) => m.enabled && (m.secret === '' || m.verified);
  const counts = {
    repositoryMatches: visible.length,
    branchMatches: visible.filter((m) => m.branchMatches).length,
    enabledMatches: visible.filter(mayPull).length,
  };
  const visibleMatches: VisibleMatches = { ...counts, componentIds: new Set(visible.map((m) => m.componentId)) };
  const providerDeliveryId = provider.deliveryId(notification).slice(0, 200);
  const fingerprint = fingerprintOf(provider, providerDeliveryId, received.raw);
  const allowed = matches.filter(mayPull).slice(0, MAX_PULLS);
  const signedDigest =
    provider.signsBody?.(notification) && allowed.some((m) => m.verified)
      ? createHash('sha256').update(notification.json).digest('base64url')
      : undefined;
  const delivery = {
    ...(signedDigest ? { signedDigest } : {}),
    provider: provider.id,
    providerDeliveryId,
    fingerprint,
    sourceAddress: received.sourceAddress,
    branches: push.branches,
    fullName: push.fullName,
    ...counts,
  };
  const { stored, repeated } = await pullOnce(deps, delivery, allowed, provider.name);
  if (counts.enabledMatches === 0 && visible.some((m) => m.enabled))
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'The project requires a signature with its secret, which is missing or wrong.',
    });
  return buildResult(stored, visibleMatches, repeated);
}

/** Starts the pulls of a delivery unless it is a repetition. */
async function pullOnce(
  deps: ReceiveDeps,
  delivery: NewDelivery,
  allowed: readonly VerifiedMatch[],
  title: string,
): Promise<{ stored: InboundDelivery | undefined; repeated: boolean }> {
  const { fingerprint, signedDigest } = delivery;
  const earlierDelivery =
    (fingerprint ? await deps.inbound.find(fingerprint) : undefined) ??
    (signedDigest ? await deps.inbound.findSigned(signedDigest, Date.now() - REPLAY_MS) : undefined);
  if (earlierDelivery || allowed.length === 0)
    return { stored: earlierDelivery, repeated: earlierDelivery !== undefined };
  const stored = await startPulls(deps, delivery, allowed, title);
  if (stored) return { stored, repeated: false };
  // Lost the race against the same delivery.
  const winner = await deps.inbound.find(fingerprint);
  if (!winner) throw new ServiceError('CONFLICT');
  return { stored: winner, repeated: true };
}

const NO_MATCHES = {
  repositoryMatches: 0,
  branchMatches: 0,
  enabledMatches: 0,
  componentIds: [],
  taskIds: [],
  repeated: false,
};

async function parseNotification(
  provider: Provider,
  { headers, raw, contentType }: Received,
): Promise<{ notification: Notification; push: Push | null }> {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported.`,
    });
  try {
    const notification = { headers, raw, ...(await readBody(raw, contentType)) };
    return { notification, push: provider.parse(notification) };
  } catch (error) {
    if (error instanceof MediaTypeError)
      throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'The content type must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
        cause: error,
      });
    if (error instanceof BodyError) throw new ServiceError('PARSE_ERROR', { message: error.message, cause: error });
    if (error instanceof PayloadError) throw fieldErrors([{ attr: 'payload', code: 'invalid', detail: error.message }]);
    throw error;
  }
}

/** Senders choose the ids, so an id identifies a delivery only together with its body. */
function fingerprintOf(provider: Provider, deliveryId: string, raw: Uint8Array): string {
  return (
    deliveryId &&
    `${provider.id}:${createHash('sha256').update(deliveryId).update('\0').update(raw).digest('base64url')}`
  );
}

/** Matches of all pushed branches; each component once, with its best match. */
async function findMatches(
  catalog: CatalogClient,
  { branches, fullName, candidateUrls }: Push,
): Promise<ComponentMatch[]> {
  const best = new Map<number, ComponentMatch>();
  for (const branch of branches.length > 0 ? branches : ['']) {
    for (const match of await catalog.match({ urls: candidateUrls, fullName, branch })) {
      const known = best.get(match.componentId);
      if (!known || (match.branchMatches && !known.branchMatches)) best.set(match.componentId, match);
    }
  }
  return [...best.values()];
}

/** A component that matches a delivery, and whether the secret of its project authenticated the delivery. */
type VerifiedMatch = ComponentMatch & { verified: boolean };

/**
 * Matches visible to the sender: components that it may see, and those whose project's secret it proved. The response is
 * independent of all others.
 */
async function filterVisible<M extends Pick<VerifiedMatch, 'componentId' | 'verified'>>(
  catalog: CatalogClient,
  context: CallContext,
  matches: readonly M[],
): Promise<M[]> {
  const ids = matches.map((m) => m.componentId);
  const visible = new Set((await catalog.components(ids, context)).map((c) => c.id));
  return matches.filter((m) => m.verified || visible.has(m.componentId));
}

/** The matches that the sender may see: their components and counts. */
interface VisibleMatches {
  componentIds: ReadonlySet<number>;
  repositoryMatches: number;
  branchMatches: number;
  enabledMatches: number;
}

function noMatchMessage({ repositoryMatches, branchMatches }: VisibleMatches): string {
  if (repositoryMatches === 0) return 'No public component uses this repository.';
  return branchMatches > 0
    ? 'The projects of the matching components do not accept hooks.'
    : 'No component uses this branch of the repository.';
}

/** Response to the sender. Invisible components are pulled as well; the response does not mention them. */
function buildResult(delivery: InboundDelivery | undefined, visible: VisibleMatches, repeated: boolean): ReceiveResult {
  const { repositoryMatches, branchMatches, enabledMatches } = visible;
  const pulls = (delivery?.pulls ?? []).filter((p) => visible.componentIds.has(p.componentId));
  if (pulls.length === 0)
    return { ...NO_MATCHES, repositoryMatches, branchMatches, outcome: 'nothing', message: noMatchMessage(visible) };
  const names = pulls.slice(0, MAX_NAMED_COMPONENTS).map((p) => p.path);
  const more = pulls.length - names.length;
  const list = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return {
    outcome: 'matched',
    repositoryMatches,
    branchMatches,
    enabledMatches,
    componentIds: pulls.map((p) => p.componentId),
    taskIds: pulls.map((p) => p.taskId),
    message: repeated ? `This delivery was processed before; it updated ${list}.` : `Updating ${list}.`,
    repeated,
  };
}
