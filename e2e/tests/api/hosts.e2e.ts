// Addresses in responses, which use the host of the request.
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { request } from 'node:http';

const { api, base, token } = system();

/** Status of a request with this Host header. */
const statusFor = (path: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${base}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
    sent.end();
  });

it('responses contain addresses of the requested host, also if they are cached', async () => {
  const { component } = await importExample(api, makeRemote());
  const path = `${component.url.slice(base.length).replace('/components/', '/translations/')}cs/units/`;
  const other = base.replace('localhost', '127.0.0.1');
  for (let round = 0; round < 2; round++)
    for (const host of [base, other]) {
      const text = JSON.stringify((await makeApi(host, token).get(path)) as object);
      expect(text).toContain(`"url":"${host}/api/units/`);
      expect(text.replaceAll(host, '')).not.toMatch(/https?:\/\/(localhost|127\.0\.0\.1|[\w.-]+\.invalid)/);
    }
});

it('hosts outside PARLANCE_ALLOWED_HOSTS are rejected except for probes', async () => {
  expect(await statusFor('/api/', 'evil.example')).toBe(400);
  expect(await statusFor('/exports/rss/', 'evil.example')).toBe(400);
  expect(await statusFor('/healthz', 'evil.example')).toBe(200);
});
