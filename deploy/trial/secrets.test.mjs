import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trialSecrets } from './secrets.mjs';

const text = (path) => readFileSync(join(__dirname, path), 'utf8');
const keysOf = (name, list) => Object.keys(list.items.find((secret) => secret.metadata.name === name).stringData);

describe('the credentials of the trial', () => {
  it('hold every key that the chart reads', () => {
    const template = text('../../charts/parlance/templates/services.yaml');
    const services = [...text('../../charts/parlance/values.yaml').matchAll(/^ {2}([a-z-]+):\n {4}replicas:/gm)];
    const names = services.map((match) => match[1]).filter((name) => name !== 'gateway');
    const keys = [...template.matchAll(/name: \{\{ \$secret \}\}, key: ([\w-]+)(\{\{)?/g)];
    const wanted = keys.flatMap(([, key, perService]) => (perService ? names.map((name) => key + name) : [key]));
    expect(names).toHaveLength(7);
    expect(wanted).toContain('mongodb-uri-vcs-worker');
    expect(keysOf('parlance-trial', trialSecrets()).sort()).toEqual([...new Set(wanted)].sort());
  });

  it('hold every key that the engines read, and each engine reads one', () => {
    const engines = text('engines.yaml');
    const deployments = engines.split('kind: Deployment').slice(1);
    expect(deployments).toHaveLength(4);
    for (const deployment of deployments) expect(deployment).toContain('parlance-trial-engines');
    const wanted = [...engines.matchAll(/\bkey: ([\w.-]+)/g)].map((match) => match[1]);
    expect(keysOf('parlance-trial-engines', trialSecrets()).sort()).toEqual([...new Set(wanted)].sort());
  });

  it('differ between engines and trials, and agree between an engine and its clients', () => {
    const [one, other] = [trialSecrets(), trialSecrets()];
    const [engines, processes] = one.items.map(({ stringData }) => stringData);
    const passwords = [
      engines['mongo-password'],
      /password: "(\w+)"/.exec(engines['nats.conf'])[1],
      /"(\w+)"/.exec(engines['valkey.conf'])[1],
      engines['s3-password'],
      processes['service-secret'],
    ];
    expect(new Set(passwords).size).toBe(5);
    for (const password of passwords) {
      expect(password).toMatch(/^\w{48}$/);
      expect(JSON.stringify(other)).not.toContain(password);
    }
    expect(processes['mongodb-uri-hooks']).toContain(`:${passwords[0]}@mongo:27017/parlance_hooks?`);
    expect(processes['nats-url']).toContain(`:${passwords[1]}@nats`);
    expect(processes['redis-url']).toContain(`:${passwords[2]}@redis`);
    expect(processes['s3-secret-key']).toBe(passwords[3]);
  });
});
