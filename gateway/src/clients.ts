import { createClient, type Client } from '@parlance/grpc-kit';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from './config';

/** Clients of the services behind the gateway. */
export interface Clients {
  identity: Client<'identity'>;
  catalog: Client<'catalog'>;
  translation: Client<'translation'>;
  vcsWorker: Client<'vcs-worker'>;
  media: Client<'media'>;
  statistics: Client<'statistics'>;
  hooks: Client<'hooks'>;
}

/** Counts service calls of the current request. */
export const callCount = new AsyncLocalStorage<{ calls: number }>();

/** A client whose calls are counted for the current request. */
function counted<C extends object>(client: C): C {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || key === 'close' || key === 'connected') return value;
      return (...args: unknown[]): unknown => {
        const count = callCount.getStore();
        if (count) count.calls++;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

export function makeClients(config: Config): Clients {
  return {
    identity: counted(createClient('identity', config.IDENTITY_ADDRESS)),
    catalog: counted(createClient('catalog', config.CATALOG_ADDRESS)),
    translation: counted(createClient('translation', config.TRANSLATION_ADDRESS)),
    vcsWorker: counted(createClient('vcs-worker', config.VCS_WORKER_ADDRESS)),
    media: counted(createClient('media', config.MEDIA_ADDRESS)),
    statistics: counted(createClient('statistics', config.STATISTICS_ADDRESS)),
    hooks: counted(createClient('hooks', config.HOOKS_ADDRESS)),
  };
}
