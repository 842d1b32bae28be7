// Marked secrets of remotes, git hosts, webhooks, engines and accounts, in requests that succeed and that fail. Tests of backups mark the
// passphrase, those of external sign-in the secret of the client. The password of a mail server is a setting that no end-to-end test has.
// The teardown searches the logs and spans of the whole run for marked secrets, tokens, and the keys and passwords of the installation.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes } from '../../../deploy/processes.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeBrowser } from '../../support/browser.mjs';
import { leaksOf, MARK } from '../../support/telemetry/leaks.mjs';
import { metricsOf } from '../../support/telemetry/metrics.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, operationsOf, parlance, system } from '../../support/system.mjs';

const { api, base, dataDir } = system();
let count = 0;
const secret = () => `${MARK}${count++}${randomBytes(6).toString('hex')}`;
const traced = () => ({ traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01` });

/** Answers webhooks and engines with an error that repeats what was sent, as careless servers do. */
const careless = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    response.writeHead(500).end(`${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()}`),
  );
});
beforeAll(() => new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve)));
afterAll(() => void careless.close());

it('no log, span or metric contains a secret that users, git hosts and operators sent', async () => {
  const { project, path, componentPath } = await importExample(api, makeRemote());
  const send = (method: string, to: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.send(method, to, body, { ...traced(), ...headers });
  const address = `http://127.0.0.1:${(careless.address() as AddressInfo).port}/`;

  // Credentials of remotes: one that rejects them, one that cannot be reached, and an invalid address.
  for (const host of [address.slice(7), '127.0.0.1:1/', '[x/'])
    await send('PATCH', `${componentPath}/`, {
      repo: `http://user:${secret()}@${host}`,
      push: `http://${secret()}@${host}`,
    });
  await send('POST', `/api/projects/${project}/components/`, {
    name: 'Other',
    slug: 'other',
    vcs: 'git',
    repo: `http://user:${secret()}@${address.slice(7)}x.git`,
    filemask: 'po/*.po',
    file_format: 'po',
  });
  // Hooks, webhooks and engines.
  const hook = secret();
  await send('PATCH', `/api/projects/${project}/`, { hook_secret: hook });
  for (const headers of [
    { 'x-gitlab-token': hook },
    { 'x-gitlab-token': secret() },
    { authorization: `Basic ${secret()}` },
  ])
    await makeApi(base).send(
      'POST',
      `/hooks/gitlab/?secret=${secret()}`,
      { object_kind: 'push', ref: 'refs/heads/main' },
      headers,
    );
  await send('POST', `${componentPath}/addons/`, {
    name: 'weblate.webhook.webhook',
    configuration: { webhook_url: `${address}?key=${secret()}`, events: [5], secret: secret() },
  });
  const engine = { service: 'libretranslate', configuration: { url: address, key: secret() } };
  await send('POST', `/api/projects/${project}/machinery_settings/`, engine);
  const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
  await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
  // Accounts.
  const username = `u-${project}`;
  const token = parlance('user', 'create', username, '--token');
  const password = parlance('user', 'reset-password', username);
  await makeApi(base, token).send('GET', '/api/users/', undefined, traced());
  await makeApi(base, `plu_${secret()}`).send('GET', '/api/users/', undefined, traced());
  await send('GET', `/api/projects/?token=${secret()}`, undefined, {
    cookie: `session=${secret()}`,
    'x-csrftoken': secret(),
  });
  await makeApi(base, token).send(
    'POST',
    `/api/users/${username}/second-factors/`,
    { name: 'phone', password: secret() },
    traced(),
  );
  await makeApi(base, token).send(
    'POST',
    `/api/users/${username}/second-factors/`,
    { name: 'phone', password },
    traced(),
  );
  const browser = makeBrowser(base);
  const { text } = await browser.send('GET', '/accounts/login/');
  for (const given of [secret(), password]) {
    const fields = { ...browser.hiddenFields(text, '/accounts/login/'), username, password: given };
    await browser.send('POST', '/accounts/login/', { body: new URLSearchParams(fields) });
  }

  // The webhook was attempted, and the spans of the last request were exported.
  await eventually(
    async () => (await metricsOf(operationsOf('hooks')[0]!)).includes('state="pending"'),
    (attempted: boolean) => attempted,
  );
  expect(count).toBeGreaterThan(15);
  expect(leaksOf(dataDir)).toEqual([]);
  for (const name of processes)
    for (const operations of operationsOf(name)) expect(await metricsOf(operations)).not.toContain(MARK);
  expect(readFileSync(join(dataDir, 'log', 'gateway.log'), 'utf8')).not.toContain(password);
});

it('a leak is found, and its report does not repeat it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-leaks-'));
  try {
    const token = `plu_${'x'.repeat(40)}`;
    const key = randomBytes(32).toString('base64');
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ encryption: key }));
    mkdirSync(join(folder, 'log'));
    const lines = [token, key, secret(), 'harmless'].map((msg) => JSON.stringify({ msg }));
    writeFileSync(join(folder, 'log', 'gateway.log'), lines.join('\n'));
    const leaks = leaksOf(folder);
    expect(leaks).toHaveLength(3);
    for (const leaked of [token, key]) expect(leaks.join()).not.toContain(leaked);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
