// The arrows of docs/architecture/overview.md, written down a second time: tests compare the chart's policies with them, and
// forbidden-calls.mjs tries all of them, and everything else, on a cluster.
import { services } from '../processes.mjs';

const engines = ['mongo', 'nats'];

/** Systems outside the cluster, by the value of the chart that has their ports. */
export const outside = { remotePorts: 'git remotes', webPorts: 'web servers', mailPorts: 'mail servers' };

const allowed = {
  gateway: ['DNS', ...services, 'redis'],
  // The operator's command runs in this pod and asks all replicas of all processes.
  identity: ['DNS', ...services, 'gateway operations', ...engines, 'redis', 'mail servers'],
  catalog: ['DNS', 'identity', 'vcs-worker', 'hooks', ...engines, 'redis'],
  translation: ['DNS', 'identity', 'catalog', 'vcs-worker', 'media', ...engines, 'redis', 'web servers'],
  'vcs-worker': ['DNS', 'catalog', 'translation', 'media', ...engines, 'redis', 'git remotes'],
  media: ['DNS', 'catalog', 'translation', ...engines, 'redis', 'minio'],
  statistics: ['DNS', ...engines],
  hooks: ['DNS', 'catalog', 'translation', ...engines, 'web servers'],
  mongo: [],
  nats: [],
  redis: [],
  minio: [],
  // Pods that end: Jobs of the chart, and the one of `helm test`.
  administrator: ['DNS', 'identity', 'Kubernetes API'],
  prepare: ['DNS', 'mongo'],
  test: ['DNS', 'gateway'],
  // A pod of another application: no policy of the chart selects it, so its own side lets everything out.
  stranger: ['DNS', 'gateway', 'another gateway', 'stranger', 'Kubernetes API', ...Object.values(outside)],
};

/** Addresses outside the cluster that a component reaches: public ones, and private ones where the installation allows them. */
function addresses(component, name, privateRemotes) {
  const isPrivateAllowed = privateRemotes || component === 'stranger';
  return [`public ${name}`, ...(isPrivateAllowed ? [`private ${name}`] : [])];
}

/**
 * Names that a component may connect to: components and engines, `another gateway` (of another installation), `X operations` (only on the
 * port of that name), `DNS`, `Kubernetes API`, and systems outside the cluster such as `public git remotes`.
 *
 * @param {string} component
 * @param {{ privateRemotes?: boolean }} [options] `privateRemotes`: PARLANCE_ALLOW_PRIVATE_REMOTES
 */
export const arrows = (component, { privateRemotes = false } = {}) =>
  new Set(
    allowed[component].flatMap((name) =>
      Object.values(outside).includes(name) ? addresses(component, name, privateRemotes) : [name],
    ),
  );
