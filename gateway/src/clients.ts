import { createClient, openTls, type Client } from '@parlance/grpc-kit';
import { tlsFiles } from '@parlance/config';
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
  const tls = openTls(tlsFiles(config));
  return {
    identity: counted(createClient('identity', config.IDENTITY_ADDRESS, tls)),
    catalog: counted(createClient('catalog', config.CATALOG_ADDRESS, tls)),
    translation: counted(createClient('translation', config.TRANSLATION_ADDRESS, tls)),
    vcsWorker: counted(createClient('vcs-worker', config.VCS_WORKER_ADDRESS, tls)),
    media: counted(createClient('media', config.MEDIA_ADDRESS, tls)),
    statistics: counted(createClient('statistics', config.STATISTICS_ADDRESS, tls)),
    hooks: counted(createClient('hooks', config.HOOKS_ADDRESS, tls)),
  };
}
