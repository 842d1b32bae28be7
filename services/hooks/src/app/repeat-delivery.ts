import { ServiceError } from '@parlance/errors';
import type { InboundDelivery } from '../domain/ports';
import { startPulls, type PullDeps } from './start-pulls';

/** Name in the history for a repeated notification. */
const TITLE = 'Repeated notification';

/**
 * Starts the pulls of a delivery again, as a new delivery. It needs no proof: the operator repeats an accepted delivery.
 * @throws ServiceError NOT_FOUND
 */
export async function repeatDelivery(deps: PullDeps, id: string): Promise<InboundDelivery> {
  const earlier = await deps.inbound.get(id);
  if (!earlier) throw new ServiceError('NOT_FOUND');
  const { id: _id, receivedMs: _received, pulls, signedDigest: _digest, ...delivery } = earlier;
  const repeated = await startPulls(deps, { ...delivery, fingerprint: '' }, pulls, TITLE);
  if (!repeated) throw new ServiceError('CONFLICT');
  return repeated;
}
