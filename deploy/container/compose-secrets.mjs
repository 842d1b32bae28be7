// node compose-secrets.mjs [FOLDER]: writes the secrets of the compose file, one file each, to deploy/secrets. Files that exist stay.
//
// Values of deploy/.env, where earlier versions had them, are taken over.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { services } from '../processes.mjs';

/** The secrets, by file name. `given` has values of an environment file. */
export function composeSecrets(given = {}) {
  const password = (name) => given[name] || randomBytes(16).toString('hex');
  const mongodb = password('MONGODB_PASSWORD');
  const nats = password('NATS_PASSWORD');
  const redis = password('REDIS_PASSWORD');
  const uri = (name) =>
    `mongodb://parlance:${mongodb}@mongo:27017/parlance_${name.replace('-', '_')}?journal=true&authSource=admin`;
  return {
    'service-secret': given.PARLANCE_SERVICE_SECRET || randomBytes(32).toString('hex'),
    'encryption-key': given.PARLANCE_ENCRYPTION_KEY || randomBytes(32).toString('base64'),
    'mongodb-password': mongodb,
    's3-secret-key': password('S3_SECRET_KEY'),
    'nats-url': `nats://parlance:${nats}@nats:4222`,
    'nats.conf': `authorization { user: "parlance", password: "${nats}" }`,
    'redis-url': `redis://:${redis}@redis:6379`,
    'valkey.conf': `requirepass "${redis}"`,
    ...Object.fromEntries(services.map((name) => [`mongodb-uri-${name}`, uri(name)])),
  };
}

/** The settings of an environment file. */
export const readEnvironmentFile = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]),
  );

/** Writes the secrets that are missing. They depend on each other, so all are kept or all are made. */
export function writeSecrets(folder, environmentFile) {
  if (existsSync(join(folder, 'service-secret'))) return false;
  const given = existsSync(environmentFile) ? readEnvironmentFile(readFileSync(environmentFile, 'utf8')) : {};
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secrets = Object.entries(composeSecrets(given));
  // Containers run as other users than the one of this command: the folder, not the files, keeps out others.
  for (const [name, value] of secrets.reverse()) writeFileSync(join(folder, name), `${value}\n`, { mode: 0o644 });
  return true;
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const deploy = fileURLToPath(new URL('..', import.meta.url));
  const folder = argv[2] ?? join(deploy, 'secrets');
  const written = writeSecrets(folder, join(deploy, '.env'));
  process.stderr.write(written ? `wrote the secrets to ${folder}\n` : `${folder} has the secrets\n`);
}
