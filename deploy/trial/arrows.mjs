// The arrows of docs/architecture/overview.md, written down a second time: tests compare the chart's policies with them.
const services = ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];
const engines = ['mongo', 'nats'];

const allowed = {
  gateway: [...services, 'redis'],
  // The operator's command runs in this pod and asks all replicas of all processes.
  identity: [...services, 'gateway operations', ...engines, 'redis'],
  catalog: ['identity', 'vcs-worker', 'hooks', ...engines, 'redis'],
  translation: ['identity', 'catalog', 'vcs-worker', 'media', ...engines, 'redis'],
  'vcs-worker': ['catalog', 'translation', 'media', ...engines],
  media: ['catalog', 'translation', ...engines, 'minio'],
  statistics: [...engines],
  hooks: ['catalog', 'translation', ...engines],
};

/** Components and engines that a component may connect to; `X operations`: only on the port of that name. */
export const arrows = (component) => new Set(allowed[component]);
