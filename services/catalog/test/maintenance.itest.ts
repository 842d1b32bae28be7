import { metricsText } from '@parlance/telemetry';
import { problemsOf, reasonOf, startWorld, type World } from './support/catalog';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('maintenance mode is stored for every replica and keeps its start when its message is replaced', async () => {
  const { client, process } = world;
  const get = async (of = client) => (await of.getMaintenance({}, process)).maintenance;
  const off = { on: false, message: '', retryAfterSeconds: 0, sinceMs: 0, untilMs: 0 };
  expect(await get()).toEqual(off);

  const first = await client.setMaintenance({ maintenance: { on: true } }, process);
  expect(first.maintenance).toEqual({
    on: true,
    message: 'The installation is read-only for maintenance. Retry later.',
    retryAfterSeconds: 60,
    sinceMs: expect.any(Number),
    untilMs: 0,
  });
  expect(await metricsText()).toContain('parlance_maintenance 1');
  const wanted = { on: true, message: ' Upgrade until noon. ', retryAfterSeconds: 600 };
  const until = (await client.setMaintenance({ maintenance: wanted, durationMs: 60_000 }, process)).maintenance!
    .untilMs;
  expect(until).toBeGreaterThan(first.maintenance!.sinceMs + 59_999);

  const other = await world.another();
  const expected = { ...wanted, message: 'Upgrade until noon.', sinceMs: first.maintenance!.sinceMs, untilMs: until };
  expect(await get(other.client)).toEqual(expected);
  expect((await other.client.setMaintenance({ maintenance: { on: false } }, process)).maintenance).toEqual(off);
  expect(await get()).toEqual(off);
});

it.each([
  [{ message: 'x'.repeat(501) }, { message: 'max_length' }],
  [{ retryAfterSeconds: -1 }, { retry_after: 'invalid' }],
  [
    { message: 'x'.repeat(501), retryAfterSeconds: 86_401 },
    { message: 'max_length', retry_after: 'invalid' },
  ],
])('maintenance mode with invalid fields is rejected (%#)', async (fields, problems) => {
  const { client, process } = world;
  expect(await problemsOf(client.setMaintenance({ maintenance: { on: true, ...fields } }, process))).toEqual(problems);
  expect((await client.getMaintenance({}, process)).maintenance?.on).toBe(false);
});

it('maintenance mode is hidden from people, superusers too', async () => {
  const { client, admin } = world;
  expect(await reasonOf(client.getMaintenance({}, admin))).toBe('PERMISSION_DENIED');
  expect(await reasonOf(client.setMaintenance({ maintenance: { on: true } }, admin))).toBe('PERMISSION_DENIED');
});
