import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { composeSecrets, readEnvironmentFile, writeSecrets } from './compose-secrets.mjs';

/** Settings that are no secrets, by names that look like it. */
const PUBLIC = new Set(['PARLANCE_PUBLIC_URL', 'S3_ACCESS_KEY']);
const compose = parse(readFileSync(join(__dirname, '../compose.yaml'), 'utf8'), { merge: true });

describe('secrets in files', () => {
  let work;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'parlance-secrets-'));
  });
  afterEach(() => rmSync(work, { recursive: true, force: true }));

  const script = `. ${join(__dirname, 'read-secrets.sh')}; printenv MONGODB_URI S3_SECRET_KEY NATS_URL`;

  it('secrets in files are read by the entry points, beside secrets in variables', () => {
    writeFileSync(join(work, 'uri'), 'mongodb://u:p$a"b@mongo/x?y=1&z\n');
    writeFileSync(join(work, 'key'), 'a key with spaces');
    const env = {
      ...process.env,
      MONGODB_URI_FILE: join(work, 'uri'),
      S3_SECRET_KEY_FILE: join(work, 'key'),
      NATS_URL: 'nats://given',
    };
    expect(execFileSync('sh', ['-euc', script], { env, encoding: 'utf8' })).toBe(
      'mongodb://u:p$a"b@mongo/x?y=1&z\na key with spaces\nnats://given\n',
    );
  });

  it('docs/settings.md names exactly the settings that may be in files', () => {
    const source = readFileSync(join(__dirname, 'read-secrets.sh'), 'utf8');
    const names = source.slice(source.indexOf('for name in') + 'for name in'.length, source.indexOf('; do'));
    const settings = readFileSync(join(__dirname, '../../docs/settings.md'), 'utf8');
    const paragraph = settings.split('\n\n').find((text) => text.startsWith('In containers, `NAME_FILE`')) ?? '';
    const documented = [...paragraph.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name);
    expect(documented.sort()).toEqual([...(names.match(/\w+/g) ?? []), 'NAME_FILE'].sort());
  });

  it('a missing secret file ends the process with the name of the setting', () => {
    const env = { ...process.env, MONGODB_URI_FILE: join(work, 'none') };
    const { status, stderr } = spawnSync('sh', ['-euc', script], { env, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain(`MONGODB_URI_FILE names a file that cannot be read: ${join(work, 'none')}`);
  });

  it('the secret files of the compose file are made once, in a folder that others cannot enter', () => {
    const folder = join(work, 'secrets');
    expect(writeSecrets(folder, join(work, '.env'))).toBe(true);
    const read = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const first = read();
    expect(writeSecrets(folder, join(work, '.env'))).toBe(false);
    expect(read()).toEqual(first);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('secret files of earlier versions are kept', () => {
    const given = readEnvironmentFile('PARLANCE_SERVICE_SECRET=old\nMONGODB_PASSWORD="pass"\n# NATS_PASSWORD=no\n');
    const secrets = composeSecrets(given);
    expect(secrets['service-secret']).toBe('old');
    expect(secrets['mongodb-password']).toBe('pass');
    expect(secrets['mongodb-uri-vcs-worker']).toMatch(/^mongodb:\/\/parlance:pass@mongo:27017\/parlance_vcs_worker\?/);
    expect(secrets['nats-url']).toMatch(/^nats:\/\/parlance:\w{32}@nats:4222$/);
  });
});

describe('the compose file', () => {
  const services = Object.entries(compose.services);

  it('the compose file has exactly the secrets that are made', () => {
    expect(Object.keys(compose.secrets).sort()).toEqual(Object.keys(composeSecrets()).sort());
    for (const [name, { file }] of Object.entries(compose.secrets))
      expect(file).toBe('${PARLANCE_SECRETS:-./secrets}/' + name);
  });

  it.each(services)(
    'the compose file gives %s exactly the secrets that its settings name, in no variable',
    (_, service) => {
      const settings = Object.entries(service.environment ?? {});
      const named = JSON.stringify([settings, service.command ?? []]).match(/(?<=\/run\/secrets\/)[\w.-]+/g) ?? [];
      expect([...(service.secrets ?? [])].sort()).toEqual([...new Set(named)].sort());
      const secret = /(SECRET|PASSWORD|KEY|_URI|_URL)$/;
      expect(settings.filter(([name]) => secret.test(name) && !PUBLIC.has(name))).toEqual([]);
    },
  );

  it.each(services)('the compose file starts %s after what it needs is healthy', (_, { depends_on: needed = {} }) => {
    for (const [name, { condition }] of Object.entries(needed)) {
      expect(condition).toBe('service_healthy');
      // Images of processes have a health check of their own.
      const { image, healthcheck } = compose.services[name];
      expect(healthcheck ?? image).toBeTruthy();
      if (!image.includes('PARLANCE_IMAGES')) expect(healthcheck.test.length).toBeGreaterThan(1);
    }
  });
});
