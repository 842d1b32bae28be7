// Rotation of the encryption key, the service secret and the credentials of all engines of a system in use, as
// docs/runbooks/rotate-keys.md and docs/runbooks/rotate-credentials.md describe it. One test, because each replacement of all processes
// takes half a minute of both processors: the first one brings the second credentials and the second keys.
import { SecretBox } from '@parlance/secrets';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUri, provideEngines } from '../../../deploy/engines/engines.mjs';
import { processes } from '../../../deploy/local/processes.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { accepts, EngineCredentials } from '../../support/installations/credentials.mjs';
import { withMongo } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { repeating } from '../../support/installations/repeating.mjs';
import { RollingSystem } from '../../support/installations/rolling.mjs';
import { importExample } from '../../support/system.mjs';
import { totp } from '../../support/sign-in/totp.mjs';
import { form, pixel } from '../../support/worlds.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-rotations-'));
const secrets = {
  older: { service: randomBytes(32).toString('base64url'), encryption: randomBytes(32).toString('base64') },
  newer: { service: randomBytes(32).toString('base64url'), encryption: randomBytes(32).toString('base64') },
};
const both = (first: keyof typeof secrets, second: keyof typeof secrets) => ({
  service: `${secrets[first].service},${secrets[second].service}`,
  encryption: `${secrets[first].encryption},${secrets[second].encryption}`,
});
const system = new RollingSystem({
  dataDir,
  secrets: secrets.older,
  env: { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour', PARLANCE_RATE_LIMIT_HOOKS: 'off' },
});

/** Receives webhooks, and answers as a LibreTranslate server. */
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/languages') return response.end(JSON.stringify([{ code: 'en', targets: ['cs'] }]));
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.end();
  });
});

let credentials: EngineCredentials;
let first: Record<string, string>;
let api: ReturnType<typeof makeApi>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { environment } = await provideEngines(dataDir);
  credentials = new EngineCredentials(dataDir, environment as Record<string, string>);
  first = await credentials.add('first');
  await system.start({ engines: first });
  api = makeApi(system.url, await system.parlance('user', 'create', 'admin', '--superuser', '--token'));
}, 300_000);

afterAll(async () => {
  server.close();
  await system.remove();
});

/** Texts in all databases that a key opens. */
async function sealedWith(key: string): Promise<number> {
  const box = new SecretBox(key);
  let count = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') count += Number(box.keyOf(value) !== undefined);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const { database } of Object.values(processes as Record<string, { database?: string }>))
    if (database)
      await withMongo(databaseUri(system.engines.MONGODB_URI, database), async (client) => {
        const found = await client.db().listCollections().toArray();
        for (const { name } of found) for await (const document of client.db().collection(name).find()) visit(document);
      });
  return count;
}

const status = async () => JSON.parse(await system.parlance('keys', 'status', '--json'));
const allEngines = (value: boolean) => ({ mongo: value, redis: value, nats: value, s3: value });

it('keys and credentials of a system in use are replaced without a failed request, and the old ones are useless afterwards', async () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const remote = makeRemote();
  const { project, path, componentPath } = await importExample(api, remote);
  const webhookSecret = `whsec_${Buffer.from('a secret of sixteen bytes').toString('base64')}`;
  await api.post(`${componentPath}/addons/`, {
    name: 'weblate.webhook.webhook',
    configuration: { webhook_url: address, events: [5], secret: webhookSecret },
  });
  await api.patch(`/api/projects/${project}/`, { hook_secret: 'secret of the hook' });
  const machinery = `/api/projects/${project}/machinery_settings/`;
  await api.post(machinery, { service: 'libretranslate', configuration: { url: address, key: 'api key' } });
  await api.post('/api/users/', { username: 'ana', full_name: 'Ana', email: 'ana@example.com' });
  const { token } = await api.post('/api/users/ana/tokens/', { name: 'test' });
  const ana = makeApi(api.base, token);
  const password = await system.parlance('user', 'reset-password', 'ana');
  const factor = await ana.post('/api/users/ana/second-factors/', { name: 'phone', password });
  const fields = { name: 'Window', project_slug: project, component_slug: 'example', language_code: 'cs' };
  const image = () => form(fields, { field: 'image', bytes: pixel, filename: 'x.png' });
  const screenshot = await api.post('/api/screenshots/', image());
  const before = await sealedWith(secrets.older.encryption);
  expect(before).toBeGreaterThanOrEqual(4);

  // Edits, reads and uploads go on all the time. Each fails the test with any response but 2xx.
  const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
  let edits = 0;
  let images = 0;
  const work = repeating([
    () => api.patch(`/api/units/${unit.id}/`, { target: [`Text ${++edits}`], state: 20 }),
    async () => {
      await api.get(`/api/projects/${project}/`);
      await ana.get('/api/users/ana/');
      await api.get(machinery);
      await api.get(`${path}/statistics/`);
    },
    async () => {
      expect((await api.bytes(screenshot.file_url)).equals(pixel)).toBe(true);
      await api.post(`/api/screenshots/${screenshot.id}/file/`, image());
      images++;
    },
  ]);
  const steps = (async () => {
    const second = await credentials.add('second');
    await system.replaceAll({ secrets: both('older', 'newer'), engines: second });
    expect([await accepts(first), await accepts(second)]).toEqual([allEngines(true), allEngines(true)]);
    await credentials.drop('first');
    await eventually(
      () => accepts(first),
      (accepted: object) => Object.values(accepted).every((value) => value === false),
    );
    const [edited, sent] = [edits, images];
    await eventually(
      async () => [edits, images],
      ([e, i]: [number, number]) => e > edited + 5 && i > sent + 2,
    );
    expect(await accepts(second)).toEqual(allEngines(true));
    await system.replaceAll({ secrets: both('newer', 'older') });
    await expect(system.parlance('keys', 'status')).rejects.toThrow();
    expect(await sealedWith(secrets.older.encryption)).toBe(before);
    const resealed: Record<string, number> = JSON.parse(await system.parlance('keys', 'rotate', '--json'));
    expect(Object.values(resealed).reduce((sum, count) => sum + count, 0)).toBe(before);
    for (const { accepts, sealed, unreadable } of await status()) {
      expect(accepts).toEqual([true, true]);
      expect(unreadable).toBe(0);
      for (const { count } of sealed.slice(1)) expect(count).toBe(0);
    }
    await system.replaceAll({ secrets: secrets.newer });
  })().finally(() => work.stop());
  await Promise.all([work.ended, steps]);

  expect(system.crashes).toEqual([]);
  expect(edits).toBeGreaterThan(20);
  expect((await api.get(`/api/units/${unit.id}/`)).target).toEqual([`Text ${edits}`]);
  expect(await sealedWith(secrets.older.encryption)).toBe(0);
  expect(await sealedWith(secrets.newer.encryption)).toBe(before);

  // Everything that was sealed with the old key is of use.
  expect(await api.get(machinery)).toMatchObject({ libretranslate: { url: address, key: '********' } });
  expect(
    (await ana.send('POST', `/api/users/ana/second-factors/${factor.id}/confirm/`, { code: totp(factor.secret) }))
      .status,
  ).toBe(200);
  const repository = { name: 'remote', owner: { login: 'example' }, clone_url: remote.url, html_url: remote.url };
  const body = JSON.stringify({ ref: 'refs/heads/main', repository: { ...repository, url: remote.url } });
  const hook = (secret: string) =>
    fetch(`${api.base}/hooks/github/`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    }).then(({ status: code }) => code);
  expect(await hook('another secret')).toBe(403);
  expect(await hook('secret of the hook')).toBe(200);
  await api.patch(`/api/units/${unit.id}/`, { target: [''], state: 0 });
  received.length = 0;
  await api.patch(`/api/units/${unit.id}/`, { target: ['After the rotation'], state: 20 });
  const delivery = await eventually(
    async () => received.at(-1),
    (found: unknown) => found !== undefined,
  );
  const { headers, body: sent } = delivery as (typeof received)[number];
  const signed = createHmac('sha256', Buffer.from(webhookSecret.slice(6), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${sent}`)
    .digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
}, 1_200_000);
