// Rotation of the credentials of all engines of a system in use, as docs/runbooks/rotate-credentials.md describes it.
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideEngines } from '../../../deploy/engines/engines.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { accepts, EngineCredentials } from '../../support/installations/credentials.mjs';
import { RollingSystem } from '../../support/installations/rolling.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { repeating } from '../../support/installations/repeating.mjs';
import { importExample } from '../../support/system.mjs';
import { form, pixel } from '../../support/worlds.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-credentials-'));
const system = new RollingSystem({
  dataDir,
  secrets: { service: randomBytes(32).toString('base64url'), encryption: randomBytes(32).toString('base64') },
  env: { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour' },
});
let credentials: EngineCredentials;
let first: Record<string, string>;
let api: ReturnType<typeof makeApi>;

beforeAll(async () => {
  const { environment } = await provideEngines(dataDir);
  credentials = new EngineCredentials(dataDir, environment as Record<string, string>);
  first = await credentials.add('first');
  await system.start({ engines: first });
  api = makeApi(system.url, await system.parlance('user', 'create', 'admin', '--superuser', '--token'));
}, 300_000);

afterAll(() => system.remove());

const all = (value: boolean) => ({ mongo: value, redis: value, nats: value, s3: value });

it('the credentials of all engines are replaced without a failed request, and the old ones are rejected afterwards', async () => {
  const { project, path } = await importExample(api, makeRemote());
  const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
  const fields = { name: 'Window', project_slug: project, component_slug: 'example', language_code: 'cs' };
  const image = () => form(fields, { field: 'image', bytes: pixel, filename: 'x.png' });
  const screenshot = await api.post('/api/screenshots/', image());

  // Any response but 2xx fails the test.
  let edits = 0;
  let images = 0;
  const work = repeating([
    () => api.patch(`/api/units/${unit.id}/`, { target: [`Text ${++edits}`], state: 20 }),
    () => api.get(`${path}/statistics/`),
    async () => {
      expect((await api.bytes(screenshot.file_url)).equals(pixel)).toBe(true);
      await api.post(`/api/screenshots/${screenshot.id}/file/`, image());
      images++;
    },
  ]);
  const steps = (async () => {
    const second = await credentials.add('second');
    await system.replaceAll({ engines: second });
    expect([await accepts(first), await accepts(second)]).toEqual([all(true), all(true)]);
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
    expect(await accepts(second)).toEqual(all(true));
  })().finally(() => work.stop());
  await Promise.all([work.ended, steps]);
  expect(system.crashes).toEqual([]);
  expect((await api.get(`/api/units/${unit.id}/`)).target).toEqual([`Text ${edits}`]);
}, 1_200_000);
