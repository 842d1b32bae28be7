import { createClient, ownCaller, type Tls } from '@parlance/grpc-kit';
import type { Config } from './config';

/** Clients of other services, and the credentials of their calls. */
export type Clients = ReturnType<typeof connectClients>;

export function connectClients(name: string, config: Config, tls: Tls | undefined) {
  return {
    callerToken: ownCaller(name, config.PARLANCE_SERVICE_SECRET),
    catalog: createClient('catalog', config.CATALOG_ADDRESS, tls),
    identity: createClient('identity', config.IDENTITY_ADDRESS, tls),
    media: createClient('media', config.MEDIA_ADDRESS, tls),
    vcsWorker: createClient('vcs-worker', config.VCS_WORKER_ADDRESS, tls),
  };
}
