// Tries every connection between the pods of an installation, and to those of other ones: node forbidden-calls.mjs NAMESPACE [RELEASE]
// Prints one line for each pair whose outcome is not the one of the architecture, and exits with 1 if there is one.
import { run, say } from '../engines/process.mjs';
import { arrows } from './arrows.mjs';

const [namespace, release = 'parlance'] = process.argv.slice(2);
const kube = (...args) => run('kubectl', ['--namespace', namespace, ...args]);

/** Runs in a pod: prints which of the targets accept a connection. A policy drops packets, so a refused call times out. */
const PROBE = `
  const { connect } = require('node:net');
  const one = ([name, host, port]) => new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2500 });
    const end = (open) => { socket.destroy(); resolve([name, open]); };
    socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
  });
  Promise.all(JSON.parse(process.argv[1]).map(one)).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));`;

const { items } = JSON.parse(await kube('get', 'pods', '-l', 'app.kubernetes.io/name=parlance', '-o', 'json'));
const all = items
  .filter(({ status }) => status.phase === 'Running')
  .map(({ metadata, status }) => ({
    name: metadata.name,
    installation: metadata.labels['app.kubernetes.io/instance'],
    component: metadata.labels['app.kubernetes.io/component'],
    ip: status.podIP,
  }));
const pods = all.filter(({ installation }) => installation === release);
const ports = { mongo: 27017, nats: 4222, redis: 6379, minio: 9000, gateway: 8080 };
const targets = all.flatMap(({ installation, component, ip }) => {
  // No arrow has the name of another installation's component.
  const name = installation === release ? component : `${installation}: ${component}`;
  return [
    [name, ip, ports[component] ?? 50051],
    ...(ports[component] && component !== 'gateway' ? [] : [[`${name} operations`, ip, 9090]]),
  ];
});
const { clusterIP } = JSON.parse(await run('kubectl', ['get', 'service', 'kubernetes', '-o', 'json'])).spec;
targets.push(['Kubernetes API', clusterIP, 443]);

let checked = 0;
const wrong = [];
for (const { name, component, ip } of pods) {
  // Engines have no Node.js; their policies are tested from the other side, and by the templates.
  if (ports[component] && component !== 'gateway') continue;
  const others = targets.filter(([, host]) => host !== ip);
  const open = JSON.parse(await kube('exec', name, '--', 'node', '-e', PROBE, JSON.stringify(others)));
  for (const [target] of others) {
    const allowed = arrows(component).has(target);
    checked++;
    if (open[target] !== allowed)
      wrong.push(
        `${component} -> ${target}: ${open[target] ? 'connects' : 'fails'}, but is ${allowed ? '' : 'not '}allowed`,
      );
  }
}
say([...wrong, `${checked} connections tried, ${wrong.length} unlike the architecture`].join('\n'));
process.exitCode = wrong.length > 0 || checked === 0 ? 1 : 0;
