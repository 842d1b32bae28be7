// A list makes a bounded number of calls to services and of statements to the catalog's store, however long its page is: every
// list of the API is asked for all that it has, after everything that was remembered was dropped.
import { sumOfMetric, system } from '../../support/system.mjs';
import { together } from '../../support/together.mjs';
import { makeScreenshot, makeTeam, makeVictim, makeWorld, unique } from '../../support/worlds.mjs';

const { api } = system();
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Minimum number of items of each list, so that one call for each item is visible. */
const MANY = 12;
/**
 * Maximum calls of a page, including one that is repeated because both generations moved, and
 * maximum statements of the catalog.
 */
const MOST_CALLS = 9;
const MOST_STATEMENTS = 16;

/** Adds enough items to make one call for each item visible. */
async function fill(world: World): Promise<void> {
  const p = `/api/projects/${world.project}`;
  const times = Array.from({ length: MANY }, (_, i) => i);
  const units = (await api.all(`/api/translations/${world.project}/example/cs/units/`)) as { id: number }[];
  await together(
    times.map(() => async () => {
      const slug = unique('more');
      const made = await api.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
      const label = await api.post(`${p}/labels/`, { name: unique('label'), color: 'red' });
      await api.post('/api/categories/', { name: slug, slug, project: world.projectUrl });
      await api.post(`${p}/tokens/`, { name: slug });
      await api.post(`/api/users/${world.victim.username}/tokens/`, { name: slug });
      await api.post('/api/users/', { username: slug, full_name: slug, email: `${slug}@example.com` });
      await api.post('/api/roles/', { name: slug, permissions: ['unit.edit'] });
      const team = await makeTeam(api, world);
      await api.post(`/api/groups/${team.id}/projects/`, { project_id: made.id });
      await api.post(`/api/groups/${team.id}/components/`, { component_id: world.componentId });
      await api.post('/api/component-lists/', { name: slug, slug });
      await api.post(`/api/component-lists/${slug}/components/`, { component_id: world.componentId });
      await api.post(`/api/groups/${team.id}/componentlists/`, {
        component_list_id: (await api.get(`/api/component-lists/${slug}/`)).id,
      });
      const shot = await makeScreenshot(api, world);
      for (const unit of units) await api.post(`/api/screenshots/${shot.id}/units/`, { unit_id: unit.id });
      await api.post(`/api/components/${world.project}/example/links/`, { project_slug: slug });
      await api.patch(`/api/units/${world.sourceUnitId}/`, { explanation: slug, labels: [label.id] });
    }),
    4,
  );
}

describe('calls of a list', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(api, 0, await makeVictim(api));
    await fill(world);
  });

  it('a list makes a bounded number of calls, however many items are on its page', async () => {
    const schema = await api.get('/api/schema/');
    const lists: { route: string; path: string }[] = [];
    for (const [path, methods] of Object.entries(schema.paths as Record<string, object>)) {
      if (!('get' in methods) || !path.startsWith('/api/')) continue;
      const params = { ...world.params, token: world.victim.token } as Record<string, unknown>;
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
      const answer = await api.send('GET', address);
      if (Array.isArray(answer.body?.results)) lists.push({ route: path.replace(/\{(\w+)\}/g, ':$1'), path: address });
    }
    lists.push({ route: '/api/search/', path: '/api/search/?q=more' });
    const whole = (path: string) => `${path}${path.includes('?') ? '&' : '?'}page_size=10000`;
    const violations: string[] = [];
    const table: { route: string; items: number; calls: number; statements: number }[] = [];
    for (const { route, path } of lists) {
      const measure = async () => {
        let [calls, statements] = [Infinity, Infinity];
        const isBounded = () => calls <= MOST_CALLS && statements <= MOST_STATEMENTS;
        // Background work counts too, so the cost of the request is the minimum of several attempts.
        for (let attempt = 0; attempt < 20 && !isBounded(); attempt++) {
          // Advances both generations, which invalidates all caches.
          await api.patch(`/api/projects/${world.other}/`, { instructions: unique('x') });
          await api.patch(`/api/users/${world.victim.username}/`, { full_name: unique('x') });
          const labels = ['method="GET"', `route="${route}"`];
          const count = async () =>
            [
              await sumOfMetric('gateway', 'parlance_http_service_calls_sum', ...labels),
              await sumOfMetric('catalog', 'parlance_store_command_duration_seconds_count'),
            ] as const;
          const before = await count();
          const answer = await api.send('GET', whole(path));
          expect(answer.status).toBe(200);
          const after = await count();
          calls = Math.min(calls, after[0] - before[0]);
          statements = Math.min(statements, after[1] - before[1]);
        }
        return { calls, statements };
      };
      const { calls, statements } = await measure();
      const found = await api.get(whole(path));
      const items = (found.results ?? found).length;
      table.push({ route, items, calls, statements });
      if (calls > MOST_CALLS) violations.push(`${route}: ${calls} calls for ${items} items`);
      if (statements > MOST_STATEMENTS) violations.push(`${route}: ${statements} statements for ${items} items`);
    }
    expect(violations).toEqual([]);
    expect(lists.length).toBeGreaterThan(25);
    expect(table.every((row) => row.calls > 0)).toBe(true);
    // Lists long enough to show one call for each item.
    expect(table.filter((row) => row.items >= MANY).length).toBeGreaterThan(12);
  }, 900_000);
});
