// Connections that forbidden-calls.mjs tries: the targets, and how the outcomes differ from the arrows of the architecture.
import { arrows, outside } from './arrows.mjs';

/** Pods that end: they listen on no port. */
export const jobs = ['administrator', 'prepare', 'test'];
const ports = { mongo: 27017, nats: 4222, redis: 6379, minio: 9000, gateway: 8080 };
/** A pod of another application listens where services of Parlance do: a rule must name pods, not only ports. */
export const STRANGER_PORT = 50051;
export const engines = ['mongo', 'nats', 'redis', 'minio'];

/** Ports of a pod with their names: that of its service, and that of its operations. */
function portsOf(component) {
  if (jobs.includes(component)) return [];
  if (engines.includes(component)) return [[component, ports[component]]];
  if (component === 'stranger') return [[component, STRANGER_PORT]];
  return [
    [component, ports[component] ?? 50051],
    [`${component} operations`, 9090],
  ];
}

/** A component of another installation. Its gateway is open to everyone; no arrow has the name of another one. */
const foreign = (installation, name) => (name === 'gateway' ? 'another gateway' : `${installation}: ${name}`);

/**
 * Targets in a cluster.
 *
 * @param {{ installation: string, component: string, ip: string }[]} pods of all installations
 * @param {string} release
 */
export const podTargets = (pods, release) =>
  pods.flatMap(({ installation, component, ip }) =>
    portsOf(component).map(([name, port]) => [
      installation === release || component === 'stranger' ? name : foreign(installation, name),
      ip,
      port,
    ]),
  );

/**
 * Targets outside the cluster.
 *
 * @param {Record<string, string | undefined>} addresses of this machine: `private`, `public`
 * @param {Record<string, number>} portsByValue by the value of the chart
 */
export const outsideTargets = (addresses, portsByValue) =>
  Object.entries(addresses).flatMap(([kind, address]) =>
    Object.entries(outside).flatMap(([value, name]) =>
      address ? [[`${kind} ${name}`, address, portsByValue[value]]] : [],
    ),
  );

/** @typedef {[name: string, address: string, port: number]} Target */
/** @typedef {{ privateRemotes?: boolean }} Options settings of an installation that arrows depend on */
/** @typedef {{ component: string, ip: string, options?: Options, tried: [target: Target, isOpen: boolean][] }} Outcome of a pod */

/**
 * Whether the architecture allows a component to connect to a target.
 *
 * @param {string} component
 * @param {Target} target
 * @param {Options} [options]
 */
export const isAllowed = (component, [name], options) => arrows(component, options).has(name);

/**
 * Differences between the outcomes and the arrows. A call that fails proves a policy only if the network of its pod works: a pod that neither
 * opened nor accepted a connection is a difference, too. That a target answers is proven by the pods that are allowed to call it.
 *
 * @param {Outcome[]} outcomes by pod
 */
export function differences(outcomes) {
  const unlike = outcomes.flatMap(({ component, options, tried }) =>
    tried.flatMap(([target, isOpen]) => {
      const isRight = isAllowed(component, target, options);
      if (isOpen === isRight) return [];
      return [`${component} -> ${target[0]}: ${isOpen ? 'connects' : 'fails'}, but is ${isRight ? '' : 'not '}allowed`];
    }),
  );
  const opened = outcomes.flatMap(({ tried }) => tried.filter(([, isOpen]) => isOpen).map(([target]) => target));
  const accepting = new Set(opened.map(([, address]) => address));
  const silent = outcomes.filter(({ ip, tried }) => !tried.some(([, isOpen]) => isOpen) && !accepting.has(ip));
  return [
    ...unlike,
    ...silent.map(
      ({ component }) => `${component}: no connection of this pod works in either direction, which proves nothing`,
    ),
  ];
}
