import { serviceCaller, signCaller } from '@parlance/access';
import { address, loadConfig, z } from '@parlance/config';
import { createClient, type CallOptions, type Client } from '@parlance/grpc-kit';

/** The identity service as the operator's commands use it. */
export interface Operator {
  identity: Client<'identity'>;
  /** Options for every call. */
  as: CallOptions;
}

const settings = z.object({
  /** gRPC address of the running identity service. */
  IDENTITY_ADDRESS: address(),
  /** The same secret as that of the running services. */
  PARLANCE_SERVICE_SECRET: z.string('must be set').min(32, 'must have at least 32 characters'),
});

/** @throws ConfigError if the settings for the connection are missing */
export function connect(env: Record<string, string | undefined>): Operator {
  const config = loadConfig(settings, env);
  const caller = signCaller(serviceCaller('operator'), config.PARLANCE_SERVICE_SECRET, 60_000);
  return { identity: createClient('identity', config.IDENTITY_ADDRESS), as: { as: caller, timeoutMs: 10_000 } };
}
