import { createClient, type Client } from '@parlance/grpc-kit';
import type { Config } from './config';

/** The services behind the gateway. */
export interface Clients {
  identity: Client<'identity'>;
  catalog: Client<'catalog'>;
  translation: Client<'translation'>;
  vcsWorker: Client<'vcs-worker'>;
  media: Client<'media'>;
  statistics: Client<'statistics'>;
  hooks: Client<'hooks'>;
}

export function makeClients(config: Config): Clients {
  return {
    identity: createClient('identity', config.IDENTITY_ADDRESS),
    catalog: createClient('catalog', config.CATALOG_ADDRESS),
    translation: createClient('translation', config.TRANSLATION_ADDRESS),
    vcsWorker: createClient('vcs-worker', config.VCS_WORKER_ADDRESS),
    media: createClient('media', config.MEDIA_ADDRESS),
    statistics: createClient('statistics', config.STATISTICS_ADDRESS),
    hooks: createClient('hooks', config.HOOKS_ADDRESS),
  };
}
