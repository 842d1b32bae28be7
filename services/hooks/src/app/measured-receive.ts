import { isServiceError } from '@parlance/errors';
import { counter } from '@parlance/telemetry';
import { providers } from '../domain/inbound/providers';
import { receive, type ReceiveResult } from './receive';

const deliveries = counter('parlance_hook_deliveries_total');

/** Failures unrelated to the delivery: the git host should send it again. */
const isOurs = (error: unknown): boolean =>
  !isServiceError(error) || ['INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(error.reason);

/** `receive`, counted by its outcome. */
export const measuredReceive: typeof receive = async (deps, received, context) => {
  // The sender chooses the name.
  const provider = providers.has(received.provider) ? received.provider : 'other';
  let result: ReceiveResult;
  try {
    result = await receive(deps, received, context);
  } catch (error) {
    deliveries.inc({ provider, outcome: isOurs(error) ? 'failed' : 'refused' });
    throw error;
  }
  deliveries.inc({ provider, outcome: result.repeated ? 'repeated' : result.outcome });
  return result;
};
