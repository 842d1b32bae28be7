import { createClient, ownCaller } from '@parlance/grpc-kit';
import type { Config } from './config';

/** Clients of other services, and the credentials of their calls. */
export type Clients = ReturnType<typeof connectClients>;

export function connectClients(name: string, config: Config) {
  return {
    callerToken: ownCaller(name, config.PARLANCE_SERVICE_SECRET),
    catalog: createClient('catalog', config.CATALOG_ADDRESS),
    identity: createClient('identity', config.IDENTITY_ADDRESS),
    media: createClient('media', config.MEDIA_ADDRESS),
    vcsWorker: createClient('vcs-worker', config.VCS_WORKER_ADDRESS),
  };
}
