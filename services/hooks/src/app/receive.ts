import { createHash } from 'node:crypto';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import { BodyError, MediaTypeError, readBody } from '../domain/inbound/body';
import { PayloadError } from '../domain/inbound/payload';
import type { Notification, Provider, Push } from '../domain/inbound/push';
import { providers } from '../domain/inbound/providers';
import type { Catalog, InboundDelivery, Match } from '../domain/ports';
import { startPulls, type PullParts } from './start-pulls';

export interface ReceiveParts extends PullParts {
  catalog: Catalog;
  /** Hooks are switched on for the site. */
  enabled: boolean;
}

/** A request as it came. */
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
  /** What the sender may know of: components, and the tasks that pull them, in the same order. */
  componentIds: number[];
  taskIds: string[];
  message: string;
  repeated: boolean;
}

/** Most components that one delivery updates. */
const MAX_PULLS = 1000;
/** How long signed bodies are remembered, in milliseconds: hosts sign no time, so a delivery that is sent again looks fresh. */
const REPLAY_MS = 24 * 3600_000;
/** Components that a message names; the others are counted. */
const NAMED = 20;

/** Takes a git host's notification in and starts the pulls that it asks for. */
export async function receive(parts: ReceiveParts, received: Received, context: CallContext): Promise<ReceiveResult> {
  if (!parts.enabled) throw new ServiceError('METHOD_NOT_ALLOWED', { message: 'Hooks are switched off on this site.' });
  const provider = providers.get(received.provider);
  if (!provider) throw new ServiceError('NOT_FOUND', { message: 'There are no hooks for this provider.' });
  const { notification, push } = await understand(provider, received);
  if (!push) return { ...nothing, outcome: 'ping', message: `Hello ${provider.name}: this event needs no update.` };

  const providerDeliveryId = provider.deliveryId(notification).slice(0, 200);
  const fingerprint = fingerprintOf(provider, providerDeliveryId, received.raw);
  const earlier = fingerprint ? await parts.inbound.find(fingerprint) : undefined;
  if (earlier) return answer(parts, earlier, context, true);

  const matches = await allMatches(parts.catalog, push);
  const counts = { repositoryMatches: matches.length, branchMatches: matches.filter((m) => m.branchMatches).length };
  const wanted = matches
    .filter((m) => m.enabled)
    .map((m) => ({ ...m, verified: m.secret !== '' && provider.proves(notification, m.secret) }));
  const allowed = wanted.filter((m) => m.secret === '' || m.verified).slice(0, MAX_PULLS);
  if (allowed.length === 0) {
    if (wanted.length > 0) {
      throw new ServiceError('PERMISSION_DENIED', {
        message: 'The project asks for a signature with its secret, which is missing or wrong.',
      });
    }
    return { ...nothing, ...counts, outcome: 'nothing', message: noMatchMessage(matches) };
  }
  const signedDigest =
    provider.signsBody?.(notification) && allowed.some((m) => m.verified)
      ? createHash('sha256').update(notification.json).digest('base64url')
      : undefined;
  const replayed = signedDigest && (await parts.inbound.findSigned(signedDigest, Date.now() - REPLAY_MS));
  if (replayed) return answer(parts, replayed, context, true);
  const delivery = {
    ...(signedDigest ? { signedDigest } : {}),
    provider: provider.id,
    providerDeliveryId,
    fingerprint,
    sourceAddress: received.sourceAddress,
    branches: push.branches,
    fullName: push.fullName,
    ...counts,
    enabledMatches: allowed.length,
  };
  const stored = await startPulls(parts, delivery, allowed, provider.name);
  if (stored) return answer(parts, stored, context, false);
  // The host sent it twice at the same moment and the other request was first.
  const other = await parts.inbound.find(fingerprint);
  if (!other) throw new ServiceError('CONFLICT');
  return answer(parts, other, context, true);
}

const nothing = {
  repositoryMatches: 0,
  branchMatches: 0,
  enabledMatches: 0,
  componentIds: [],
  taskIds: [],
  repeated: false,
};

async function understand(
  provider: Provider,
  { headers, raw, contentType }: Received,
): Promise<{ notification: Notification; push: Push | null }> {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Bodies encoded as ${encoding.slice(0, 40)} are not supported.`,
    });
  try {
    const notification = { headers, raw, ...(await readBody(raw, contentType)) };
    return { notification, push: provider.parse(notification) };
  } catch (error) {
    if (error instanceof MediaTypeError)
      throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'The payload comes as application/json, application/x-www-form-urlencoded or multipart/form-data.',
        cause: error,
      });
    if (error instanceof BodyError) throw new ServiceError('PARSE_ERROR', { message: error.message, cause: error });
    if (error instanceof PayloadError) throw fieldErrors([{ attr: 'payload', code: 'invalid', detail: error.message }]);
    throw error;
  }
}

/** Ids are chosen by whoever sends: only together with the same body do they mean the same delivery. */
function fingerprintOf(provider: Provider, deliveryId: string, raw: Uint8Array): string {
  return (
    deliveryId &&
    `${provider.id}:${createHash('sha256').update(deliveryId).update('\0').update(raw).digest('base64url')}`
  );
}

/** Matches over all branches that were pushed; each component once, as far as it matches best. */
async function allMatches(catalog: Catalog, { branches, fullName, candidateUrls }: Push): Promise<Match[]> {
  const best = new Map<number, Match>();
  for (const branch of branches.length > 0 ? branches : ['']) {
    for (const match of await catalog.match({ urls: candidateUrls, fullName, branch })) {
      const known = best.get(match.componentId);
      if (!known || (match.branchMatches && !known.branchMatches)) best.set(match.componentId, match);
    }
  }
  return [...best.values()];
}

function noMatchMessage(matches: readonly Match[]): string {
  if (matches.length === 0) return 'No component uses this repository.';
  return matches.some((m) => m.branchMatches)
    ? 'The projects of the matching components take no hooks.'
    : 'No component uses this branch of the repository.';
}

/** What the sender is told: who cannot see a component learns of it only when its project's secret was proved. */
async function answer(
  parts: ReceiveParts,
  delivery: InboundDelivery,
  context: CallContext,
  repeated: boolean,
): Promise<ReceiveResult> {
  const visible = new Set(
    (
      await parts.catalog.components(
        delivery.pulls.map((p) => p.componentId),
        context,
      )
    ).map((c) => c.id),
  );
  const shown = delivery.pulls.filter((p) => p.verified || visible.has(p.componentId));
  const names = shown.slice(0, NAMED).map((p) => p.path);
  const more = delivery.pulls.length - names.length;
  const list = [
    ...names,
    ...(more > 0 ? [`${more} ${names.length > 0 ? 'more' : more === 1 ? 'component' : 'components'}`] : []),
  ].join(', ');
  return {
    outcome: 'matched',
    repositoryMatches: delivery.repositoryMatches,
    branchMatches: delivery.branchMatches,
    enabledMatches: delivery.enabledMatches,
    componentIds: shown.map((p) => p.componentId),
    taskIds: shown.map((p) => p.taskId),
    message: repeated ? `This delivery came before; it updated ${list}.` : `Updating ${list}.`,
    repeated,
  };
}
