// Prints two Secrets with generated credentials: those of the trial's engines, and the same as the chart's processes get them.
import { randomBytes } from 'node:crypto';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

const services = ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];
const user = 'parlance';

const secret = (name, stringData) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  type: 'Opaque',
  stringData,
});

/** Both Secrets as one object that `kubectl create` takes. */
export function trialSecrets(random = randomBytes) {
  const password = () => random(24).toString('hex');
  const [mongo, nats, redis, s3] = [password(), password(), password(), password()];
  const databaseUri = (name) =>
    `mongodb://${user}:${mongo}@mongo:27017/parlance_${name.replaceAll('-', '_')}?journal=true&authSource=admin`;
  const engines = secret('parlance-trial-engines', {
    'mongo-password': mongo,
    'nats.conf': `authorization { user: "${user}", password: "${nats}" }\n`,
    'valkey.conf': `requirepass "${redis}"\n`,
    's3-password': s3,
  });
  const processes = secret('parlance-trial', {
    'service-secret': password(),
    'encryption-key': random(32).toString('base64'),
    'nats-url': `nats://${user}:${nats}@nats:4222`,
    'redis-url': `redis://:${redis}@redis:6379`,
    's3-access-key': user,
    's3-secret-key': s3,
    ...Object.fromEntries(services.map((name) => [`mongodb-uri-${name}`, databaseUri(name)])),
  });
  return { apiVersion: 'v1', kind: 'List', items: [engines, processes] };
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) console.log(JSON.stringify(trialSecrets()));
