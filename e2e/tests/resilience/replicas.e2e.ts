// Two replicas of every process: whatever one of them keeps in memory is right when another one writes. Requests alternate between the
// gateways and calls between the replicas of a service, so a stale cache shows within a few rounds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsPerReplica } from '../../bench/support/shares.mjs';
import { sampleFont } from '@parlance/testing';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeBrowser } from '../../support/browser.mjs';
import { checkedExchange } from '../../support/checked-exchange.mjs';
import { form } from '../../support/forms.mjs';
import { metricsOf, sumOfSamples } from '../../support/telemetry/metrics.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { totp } from '../../support/sign-in/totp.mjs';
import { addExample, followedByGlossary, importExample, parlanceOn, startSystem } from '../../support/system.mjs';
import { together } from '../../support/together.mjs';

const ANONYMOUS = 20;
const ROUNDS = 12;
/** Value of `commit_policy`: strings that need editing are not committed. */
const WITHOUT_NEEDING_EDITING = 20;
const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-replicas-'));
const remote = makeRemote();
let system: Awaited<ReturnType<typeof startSystem>>;
let api: ReturnType<typeof makeApi>;
let world: Awaited<ReturnType<typeof importExample>>;

interface Unit {
  id: number;
  source: string[];
  source_unit: string;
  state: number;
  target: string[];
  has_failing_check: boolean;
}

beforeAll(async () => {
  const port = await freePort();
  system = await startSystem({
    dataDir,
    port,
    replicas: '2',
    env: {
      PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
      PARLANCE_RATE_LIMIT_ANONYMOUS: `${ANONYMOUS}/hour`,
    },
  });
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  api = makeApi(`http://localhost:${port}`, token, checkedExchange);
  world = await importExample(api, remote);
}, 300_000);
afterAll(() => system?.stop());

const single = async (): Promise<Unit> =>
  (await api.get(`${world.path}/units/?q=${encodeURIComponent('NOT has:plural')}`)).results[0];

/** Reads through one gateway and then through the other. */
const throughBoth = async <T>(read: () => Promise<T>): Promise<[T, T]> => [await read(), await read()];

/** Creates, confirms and removes second factors as their owner. @param username of a user without a password */
async function ownerOfFactors(username: string) {
  const password = parlanceOn(dataDir, 'user', 'reset-password', username);
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'second factors' });
  const client = makeApi(api.base, token, checkedExchange);
  const factors = `/api/users/${username}/second-factors/`;
  return {
    factors,
    async create(): Promise<{ factor: string; secret: string }> {
      const { id, secret } = await client.post(factors, { name: 'phone', password });
      return { factor: `${factors}${id}/`, secret };
    },
    /** @returns the status */
    confirm: async (factor: string, code: string): Promise<number> =>
      (await client.send('POST', `${factor}confirm/`, { code })).status,
    async remove(factor: string): Promise<void> {
      expect((await client.send('DELETE', factor, { password })).status).toBe(204);
    },
  };
}

/** Responses with status 503 of each gateway. */
async function rejectedByGateways(): Promise<number[]> {
  const { operations } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const gateways = Object.entries<string>(operations).filter(([name]) => name.startsWith('gateway'));
  return Promise.all(
    gateways.map(async ([, address]) => {
      const text = await metricsOf(address);
      return sumOfSamples(text, 'parlance_http_requests_total', ['status="503"']);
    }),
  );
}

describe('with two replicas of every process', () => {
  it('an edit is in every read that follows it', async () => {
    const { id } = await single();
    for (let round = 0; round < ROUNDS; round++) {
      const target = [`Round ${round}`];
      await api.patch(`/api/units/${id}/`, { target, state: 20 });
      expect((await api.get(`/api/units/${id}/`)).target).toEqual(target);
      expect((await api.get(`${world.path}/units/?q=${encodeURIComponent(`"Round ${round}"`)}`)).count).toBe(1);
      const listed: Unit[] = await api.all(`${world.path}/units/`);
      expect(listed.find((unit) => unit.id === id)!.target).toEqual(target);
    }
  });

  it('statistics count the edits that were answered before', async () => {
    const { id } = await single();
    const edits = [
      { target: ['Counted'], state: 20, translated: 1 },
      { target: [''], state: 0, translated: 0 },
    ];
    await api.patch(`/api/units/${id}/`, { target: [''], state: 0 });
    const before = await api.get(`${world.path}/statistics/`);
    for (let round = 0; round < ROUNDS; round++) {
      const { translated, ...edit } = edits[round % 2]!;
      await api.patch(`/api/units/${id}/`, edit);
      for (const after of await throughBoth(() => api.get(`${world.path}/statistics/`))) {
        expect(after.translated - before.translated).toBe(translated);
        expect(after.recent_changes - before.recent_changes).toBe(round + 1);
      }
    }
  });

  it('changed flags of a source string decide about the next edit of its translation', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const failsAfter = async (flags: string, text: string) => {
      await api.patch(unit.source_unit, { extra_flags: flags });
      await api.patch(path, { target: [text], state: 20 });
      return (await api.get(path)).has_failing_check;
    };
    for (let round = 0; round < ROUNDS; round++) {
      expect(await failsAfter('max-length:5', `Too long ${round}`)).toBe(true);
      expect(await failsAfter('ignore-all-checks', `Long enough ${round}`)).toBe(false);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('changes of categories, languages, component lists and users are in every read that follows', async () => {
    const name = `cached-${Date.now().toString(36)}`;
    const { url } = await api.get(`/api/projects/${world.project}/`);
    const { id } = await api.get(`${world.componentPath}/`);
    const category = await api.post('/api/categories/', { name, slug: name, project: url });
    await api.post('/api/component-lists/', { name, slug: name });
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const list = `/api/component-lists/${name}`;
    for (let round = 0; round < ROUNDS; round++) {
      await api.patch(`/api/categories/${category.id}/`, { name: `Category ${round}` });
      expect((await api.get(`/api/categories/${category.id}/`)).name).toBe(`Category ${round}`);
      await api.patch('/api/languages/cs/', { name: `Czech ${round}` });
      expect((await api.get('/api/languages/cs/')).name).toBe(`Czech ${round}`);
      await api.post(`${list}/components/`, { component_id: id });
      expect((await api.get(`${list}/`)).components).toHaveLength(1);
      expect((await api.get(`${list}/components/`)).count).toBe(1);
      expect((await api.get(`${list}/statistics/`)).total).toBeGreaterThan(0);
      await api.delete(`${list}/components/example/`);
      expect((await api.get(`${list}/`)).components).toEqual([]);
      expect((await api.get(`${list}/components/`)).count).toBe(0);
      expect((await api.get(`${list}/statistics/`)).total).toBe(0);
      await api.patch(`/api/users/${name}/`, { full_name: `Round ${round}` });
      expect((await api.get(`/api/users/${name}/`)).full_name).toBe(`Round ${round}`);
      await api.post(`/api/users/${name}/tokens/`, { name: `round ${round}` });
      expect((await api.get(`/api/users/${name}/tokens/`)).count).toBe(round + 1);
    }
    await api.patch('/api/languages/cs/', { name: 'Czech' });
    for (const path of [`/api/users/${name}/`, `${list}/`, `/api/categories/${category.id}/`]) {
      await api.delete(path);
      for (let round = 0; round < 4; round++) expect((await api.send('GET', path)).status).toBe(404);
    }
    expect((await api.send('GET', `/api/users/${name}/tokens/`)).status).toBe(404);
  });

  it('changes of teams, roles, labels, add-ons, subscriptions, second factors and shown components are in every list that follows', async () => {
    const name = `listed-${Date.now().toString(36)}`;
    const project = `/api/projects/${world.project}/`;
    await api.post('/api/projects/', { name, slug: name, web: 'https://example.com/' });
    await api.post('/api/component-lists/', { name, slug: name });
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const owner = await ownerOfFactors(name);
    const group = await api.post('/api/groups/', { name, defining_project: `${api.base}/api/projects/${name}/` });
    const role = await api.post('/api/roles/', { name, permissions: ['unit.edit'] });
    const addon = await api.post(`${project}addons/`, { name: 'weblate.consistency.languages' });
    expect((await api.all('/api/addons/')).map(({ id }: { id: number }) => id)).toContain(addon.id);
    const confirmedFactors = async (): Promise<boolean[]> =>
      (await api.get(owner.factors)).results.map((factor: { confirmed: string | null }) => factor.confirmed !== null);
    const named = async (list: string): Promise<string[]> =>
      (await api.all(`${list}?page_size=1000`)).map((one: { name: string }) => one.name);
    for (let round = 0; round < ROUNDS; round++) {
      const renamed = `${name} ${round}`;
      await api.patch(`/api/groups/${group.id}/`, { name: renamed });
      expect(await named('/api/groups/')).toContain(renamed);
      expect((await api.get(`/api/groups/${group.id}/`)).name).toBe(renamed);
      await api.patch(`/api/roles/${role.id}/`, { name: renamed });
      expect(await named('/api/roles/')).toContain(renamed);
      expect((await api.get(`/api/roles/${role.id}/`)).name).toBe(renamed);
      await api.patch(`/api/projects/${name}/`, { name: renamed });
      expect(await named('/api/projects/')).toContain(renamed);
      await api.patch('/api/languages/cs/', { name: renamed });
      expect(await named('/api/languages/')).toContain(renamed);
      await api.patch(`/api/component-lists/${name}/`, { name: renamed });
      expect(await named('/api/component-lists/')).toContain(renamed);
      const label = await api.post(`${project}labels/`, { name: renamed, color: 'red' });
      expect(await named(`${project}labels/`)).toContain(renamed);
      await api.delete(`${project}labels/${label.id}/`);
      expect(await named(`${project}labels/`)).not.toContain(renamed);
      const category = await api.post('/api/categories/', {
        name: renamed,
        slug: `${name}-${round}`,
        project: `${api.base}${project}`,
      });
      expect(await named(`${project}categories/`)).toContain(renamed);
      expect(await named('/api/categories/')).toContain(renamed);
      await api.delete(`/api/categories/${category.id}/`);
      await api.patch(`${world.componentPath}/`, { name: renamed });
      expect(await named(`${project}components/`)).toContain(renamed);
      expect(await named('/api/components/')).toContain(renamed);
      await api.post(`${world.componentPath}/links/`, { project_slug: name });
      expect((await api.get(`${world.componentPath}/links/`)).count).toBe(1);
      expect(await named(`/api/projects/${name}/shared_components/`)).toHaveLength(1);
      await api.delete(`${world.componentPath}/links/${name}/`);
      expect((await api.get(`${world.componentPath}/links/`)).count).toBe(0);
      expect(await named(`/api/projects/${name}/shared_components/`)).toEqual([]);
      const subscriptions = `/api/users/${name}/notifications/`;
      const before = (await api.get(subscriptions)).count;
      const wanted = { notification: 'LicenseNotification', scope: 0, frequency: 1 };
      const subscription = await api.post(subscriptions, wanted);
      expect((await api.get(subscriptions)).count).toBe(before + 1);
      await api.delete(`${subscriptions}${subscription.id}/`);
      expect((await api.get(subscriptions)).count).toBe(before);
      const { factor, secret } = await owner.create();
      const isConfirmed = async (): Promise<boolean> => (await api.get(factor)).confirmed !== null;
      expect(await throughBoth(confirmedFactors)).toEqual([[false], [false]]);
      expect(await throughBoth(isConfirmed)).toEqual([false, false]);
      expect(await owner.confirm(factor, totp(secret))).toBe(200);
      expect(await throughBoth(confirmedFactors)).toEqual([[true], [true]]);
      expect(await throughBoth(isConfirmed)).toEqual([true, true]);
      await owner.remove(factor);
      expect(await throughBoth(confirmedFactors)).toEqual([[], []]);
    }
    await api.delete(`/api/addons/${addon.id}/`);
    for (let round = 0; round < 4; round++)
      expect((await api.all('/api/addons/')).map(({ id }: { id: number }) => id)).not.toContain(addon.id);
    await api.patch('/api/languages/cs/', { name: 'Czech' });
  });

  it('changed settings of a component decide about the next edit', async () => {
    const { id } = await single();
    for (let round = 0; round < ROUNDS; round++) {
      await api.post(`${world.componentPath}/lock/`, { lock: true });
      expect((await api.send('PATCH', `/api/units/${id}/`, { target: ['Locked'], state: 20 })).status).toBe(403);
      await api.post(`${world.componentPath}/lock/`, { lock: false });
      await api.patch(`/api/units/${id}/`, { target: [`Unlocked ${round}`], state: 20 });
    }
  });

  it('objects are listed in the order in which the replicas add them', async () => {
    const { id } = await single();
    const [labels, suggestions]: [number[], number[]] = [[], []];
    const lists = { labels: `/api/projects/${world.project}/labels/`, suggestions: `/api/units/${id}/suggestions/` };
    for (let round = 0; round < ROUNDS / 2; round++) {
      labels.push((await api.post(lists.labels, { name: `Label ${round}`, color: 'navy' })).id);
      suggestions.push((await api.post(lists.suggestions, { target: [`Suggested ${round}`] })).id);
    }
    const ids = async (list: string) => (await api.all(list)).map((item: { id: number }) => item.id);
    expect(await ids(lists.labels)).toEqual(labels);
    expect(await ids(lists.suggestions)).toEqual(suggestions);
  });

  it('changed check flags of a project apply to its strings, whichever replica checks them', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const tooLong = async () => (await api.get(`${path}/units/?q=check:max-length`)).count as number;
    for (let round = 0; round < ROUNDS / 4; round++) {
      // Both replicas know the settings, and the one that imports a component checks what the other one has marked, too.
      const [unit] = (await api.get(`${path}/units/`)).results as Unit[];
      for (let edit = 0; edit < 4; edit++)
        await api.patch(`/api/units/${unit!.id}/`, { target: [`Long ${round} ${edit}`], state: 20 });
      const adding = addExample(api, project, `long-${round}`, makeRemote());
      await api.patch(`/api/projects/${project}/`, { check_flags: 'max-length:2' });
      await adding;
      await eventually(tooLong, (count: number) => count > 0);
      await api.patch(`/api/projects/${project}/`, { check_flags: '' });
      await eventually(tooLong, (count: number) => count === 0);
    }
  }, 300_000);

  it('an edit reaches the same string of a component that was just imported', async () => {
    const unit = await single();
    for (let round = 0; round < 3; round++) {
      await api.patch(`/api/units/${unit.id}/`, { target: [`Before ${round}`], state: 20 });
      const { task } = await addExample(api, world.project, `beside-${round}`, remote);
      expect(task.completed).toBe(true);
      await api.patch(`/api/units/${unit.id}/`, { target: [`Shared ${round}`], state: 20 });
      const beside: Unit[] = await api.all(`/api/translations/${world.project}/beside-${round}/cs/units/`);
      expect(beside.find(({ source }) => source[0] === unit.source[0])!.target).toEqual([`Shared ${round}`]);
    }
  });

  it('a revoked role, a revoked token and a rate limit hold for the next request', async () => {
    const name = `replica-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    for (let round = 0; round < ROUNDS; round++) {
      const token = await api.post(`/api/users/${name}/tokens/`, { name: `round ${round}` });
      const own = makeApi(api.base, token.token, checkedExchange);
      await api.patch(`/api/users/${name}/`, { is_superuser: true });
      expect((await own.send('GET', '/api/memory/')).status).toBe(200);
      expect((await own.send('PATCH', `/api/projects/${world.project}/`, { instructions: `${round}` })).status).toBe(
        200,
      );
      await api.patch(`/api/users/${name}/`, { is_superuser: false });
      expect((await own.send('PATCH', `/api/projects/${world.project}/`, { instructions: 'no' })).status).toBe(403);
      await api.delete(`/api/users/${name}/tokens/${token.id}/`);
      expect((await own.send('GET', '/api/')).status).toBe(401);
    }
    const anonymous = makeApi(api.base, '', checkedExchange);
    const statuses: number[] = [];
    for (let i = 0; i < ANONYMOUS + 5; i++) statuses.push((await anonymous.send('GET', '/api/projects/')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(ANONYMOUS);
    expect(new Set(statuses.slice(ANONYMOUS))).toEqual(new Set([429]));
  });

  it('times of use are in every read that follows the use', async () => {
    const name = `used-${Date.now().toString(36)}`;
    const user = `/api/users/${name}/`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const password = parlanceOn(dataDir, 'user', 'reset-password', name);
    let lastLogin: string | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      const token = await api.post(`${user}tokens/`, { name: `round ${round}` });
      const own = makeApi(api.base, token.token, checkedExchange);
      const shown = async () => [
        (await api.get(`${user}tokens/${token.id}/`)).last_used,
        (await api.all(`${user}tokens/`)).at(-1).last_used,
      ];
      for (let i = 0; i < 4; i++) expect(await shown()).toEqual([null, null]);
      await own.get('/api/projects/');
      for (let i = 0; i < 4; i++) expect(await shown()).not.toContain(null);
      for (let i = 0; i < 4; i++) expect((await api.get(user)).last_login).toBe(lastLogin);
      expect((await makeBrowser(api.base).signIn(name, password)).status).toBe(303);
      const before: string | null = lastLogin;
      lastLogin = (await api.get(user)).last_login;
      expect(lastLogin).not.toBe(before);
      for (let i = 0; i < 4; i++)
        expect((await api.get(`/api/users/?username=${name}`)).results[0].last_login).toBe(lastLogin);
    }
  });

  it('a session that starts or ends at one gateway does so at the other', async () => {
    const name = `session-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const password = parlanceOn(dataDir, 'user', 'reset-password', name);
    const json = { headers: { accept: 'application/json' } };
    for (let round = 0; round < ROUNDS; round++) {
      const browser = makeBrowser(api.base);
      expect((await browser.signIn(name, password)).status).toBe(303);
      const cookies = new Map(browser.cookies);
      for (let i = 0; i < 4; i++) expect((await browser.send('GET', '/api/memory/', json)).status).toBe(403);
      expect((await browser.submit('/accounts/profile/', {}, { action: '/accounts/logout/' })).status).toBe(303);
      for (const [cookie, value] of cookies) browser.cookies.set(cookie, value);
      const ended = await browser.send('GET', '/accounts/profile/');
      expect([ended.status, ended.headers.get('location')]).toEqual([
        303,
        '/accounts/login/?next=%2Faccounts%2Fprofile%2F',
      ]);
    }
  });

  it('codes of a second factor are accepted once, and wrong ones count together, whichever gateway gets them', async () => {
    const name = `factor-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const owner = await ownerOfFactors(name);
    const { factor, secret } = await owner.create();
    const code = totp(secret);
    const statuses = await Promise.all(Array.from({ length: 4 }, () => owner.confirm(factor, code)));
    expect(statuses.sort()).toEqual([200, 400, 400, 400]);
    // The repetitions were wrong codes, too; ten are allowed.
    const old = totp(secret, Date.now() - 600_000);
    const refused: number[] = [];
    for (let i = 0; i < 10; i++) refused.push(await owner.confirm(factor, old));
    expect(refused).toEqual([...Array<number>(7).fill(400), 429, 429, 429]);
  });

  it('changed names are in the next response', async () => {
    const name = `named-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    await api.post('/api/languages/', { code: 'x-named', name: 'Named', plural: { number: 2, formula: 'n != 1' } });
    const project = `/api/projects/${world.project}/`;
    for (let round = 0; round < ROUNDS; round++) {
      await api.patch(`/api/users/${name}/`, { full_name: `Round ${round}` });
      expect((await api.get(`/api/users/${name}/`)).full_name).toBe(`Round ${round}`);
      await api.patch(project, { name: `Project ${round}` });
      expect((await api.get(`${world.componentPath}/`)).project.name).toBe(`Project ${round}`);
      await api.patch(`${world.componentPath}/`, { name: `Component ${round}` });
      expect((await api.get(`${world.path}/`)).component.name).toBe(`Component ${round}`);
      await api.patch('/api/languages/x-named/', { name: `Language ${round}` });
      expect((await api.get('/api/languages/x-named/')).name).toBe(`Language ${round}`);
    }
  });

  it('a project that becomes private is hidden at once, and one that becomes public is shown', async () => {
    const name = `outside-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const { token } = await api.post(`/api/users/${name}/tokens/`, { name: 'e2e' });
    const outside = makeApi(api.base, token, checkedExchange);
    const lists = async () => {
      const all = await outside.all('/api/translations/?page_size=1000');
      return all.some((t: { component: { project: { slug: string } } }) => t.component.project.slug === world.project);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const access = round % 2 === 0 ? 100 : 0;
      await api.patch(`/api/projects/${world.project}/`, { access_control: access });
      expect((await outside.send('GET', `${world.path}/`)).status).toBe(access === 0 ? 200 : 404);
      expect(await lists()).toBe(access === 0);
    }
  });

  it('an added and a deleted translation are in the next list and history', async () => {
    const list = `${world.componentPath}/translations/`;
    const codes = async () => (await api.all(list)).map((t: { language_code: string }) => t.language_code);
    const history = `${world.componentPath}/changes/`;
    const inHistory = async () =>
      (await api.get(history)).results.some((entry: { translation: string | null }) =>
        entry.translation?.endsWith('/lt/'),
      );
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.post(list, { language_code: 'lt' });
      expect(await codes()).toContain('lt');
      expect(await inHistory()).toBe(true);
      await api.delete(`/api/translations/${world.project}/example/lt/`);
      expect(await codes()).not.toContain('lt');
      expect(await inHistory()).toBe(false);
    }
  }, 120_000);

  it('the commit policy of a project decides about the next state of a repository', async () => {
    const { id } = await single();
    const repository = async () => (await api.get(`${world.componentPath}/repository/`)).needs_commit;
    await api.post(`${world.componentPath}/repository/`, { operation: 'commit' });
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.patch(`/api/units/${id}/`, { target: [`Withheld ${round}`], state: 10 });
      expect(await repository()).toBe(true);
      await api.patch(`/api/projects/${world.project}/`, { commit_policy: WITHOUT_NEEDING_EDITING });
      expect(await repository()).toBe(false);
      await api.patch(`/api/projects/${world.project}/`, { commit_policy: 0 });
    }
  });

  it('a changed term decides about strings that both replicas edit', async () => {
    await followedByGlossary(api, world.project);
    const unit = await single();
    const source = unit.source[0]!;
    await api.post(`/api/translations/${world.project}/glossary/en/units/`, { source: [source], target: [source] });
    const terms: Unit[] = await api.all(`/api/translations/${world.project}/glossary/cs/units/`);
    const term = terms.find((one) => one.source[0] === source)!;
    await api.patch(unit.source_unit, { extra_flags: 'check-glossary' });
    const disregards = async (target: string) => {
      await api.patch(`/api/units/${unit.id}/`, { target: [target], state: 20 });
      return async () => JSON.stringify(await api.get(`/api/units/${unit.id}/checks/`)).includes('check_glossary');
    };
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.patch(`/api/units/${term.id}/`, { target: [`Termín${round}`], state: 20 });
      // The checks of strings follow a changed term in the background.
      await eventually(await disregards(`Jiný ${round}`), (fails: boolean) => fails);
      await eventually(await disregards(`Termín${round}`), (fails: boolean) => !fails);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('a font that is uploaded through one replica is used by the other', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const checks = (): Promise<{ id: string }[]> => api.all(`${path}checks/`);
    const isTooWide = async () => (await checks()).some(({ id }) => id === 'max-size');
    // Ten letters take 50 to 70 pixels in the built-in font, and 100 in the uploaded one.
    const bytes = sampleFont({ family: 'Wide Sans', advances: { a: 1000 } });
    await api.patch(unit.source_unit, { extra_flags: 'max-size:90, font-family:"Wide Sans"' });
    await api.patch(path, { target: ['a'.repeat(10)], state: 20 });
    expect(await isTooWide()).toBe(false);
    for (let round = 0; round < 4; round++) {
      const file = { field: 'font', bytes, filename: `wide-${round}.ttf` };
      const { url } = await api.post(`/api/projects/${world.project}/fonts/`, form({}, file));
      await eventually(isTooWide, Boolean);
      // Requests alternate between the replicas: once one of them measures with the font, all do.
      for (const [target, expected] of [
        ['a'.repeat(8), false],
        ['a'.repeat(10), true],
        ['a'.repeat(9), false],
        ['a'.repeat(11), true],
      ] as const) {
        await api.patch(path, { target: [target], state: 20 });
        expect(await isTooWide()).toBe(expected);
      }
      await api.delete(url);
      await eventually(isTooWide, (tooWide: boolean) => !tooWide);
      await api.patch(path, { target: ['a'.repeat(10)], state: 20 });
      expect(await isTooWide()).toBe(false);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('edits of one string through both replicas are neither lost nor doubled', async () => {
    const { id } = await single();
    const texts = Array.from({ length: 12 }, (_, i) => `Concurrent ${i}`);
    await together(
      texts.map((text) => () => api.patch(`/api/units/${id}/`, { target: [text], state: 20 })),
      4,
    );
    const changes = await api.all(`${world.path}/changes/?page_size=100`);
    const made = changes
      .map((change: { target: string }) => change.target)
      .filter((text: string) => texts.includes(text));
    expect(made.sort()).toEqual([...texts].sort());
    expect(texts).toContain((await api.get(`/api/units/${id}/`)).target[0]);
  });

  it('maintenance mode rejects writes and notifications on every gateway, reads continue, and it ends', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const edit = () => api.send('PATCH', path, { target: ['Maintained'], state: 20 });
    const url = `${api.base}/git/${world.project}/example/`;
    const branches = () =>
      execFileSync('git', ['-c', `http.extraHeader=Authorization: Token ${api.token}`, 'ls-remote', url, 'main'], {
        encoding: 'utf8',
      });
    parlanceOn(dataDir, 'maintenance', 'on', '--message', 'Upgrade until noon.', '--retry-after', '120');
    try {
      await eventually(
        async () => (await edit(), rejectedByGateways()),
        (counts: number[]) => counts.length === 2 && counts.every((count) => count > 0),
      );
      for (let round = 0; round < ROUNDS; round++) {
        for (const { status, headers, body } of [
          await edit(),
          await api.send('DELETE', path),
          await api.send('POST', '/hooks/github/', { ref: 'refs/heads/main' }),
          await api.send('GET', `/hooks/update/${world.project}/`),
        ]) {
          expect({ status, retryAfter: headers.get('retry-after'), body }).toEqual({
            status: 503,
            retryAfter: '120',
            body: {
              detail: 'Upgrade until noon.',
              type: 'server_error',
              errors: [{ attr: null, code: 'maintenance', detail: 'Upgrade until noon.' }],
            },
          });
        }
        expect((await api.get(path)).id).toBe(unit.id);
        expect((await api.send('GET', '/readyz')).status).toBe(200);
      }
      expect(branches()).toContain('refs/heads/main');
      expect(JSON.parse(parlanceOn(dataDir, 'maintenance', 'status', '--json'))).toEqual({
        on: true,
        message: 'Upgrade until noon.',
        retry_after: 120,
        since: expect.any(String),
      });
    } finally {
      parlanceOn(dataDir, 'maintenance', 'off');
    }
    await eventually(edit, ({ status }: { status: number }) => status === 200);
    expect((await api.get(path)).target).toEqual(['Maintained']);
    expect(parlanceOn(dataDir, 'maintenance', 'status')).toBe('Maintenance mode is off.');
  });

  it('the status has every replica of every service and both gateways', () => {
    const { services } = JSON.parse(parlanceOn(dataDir, 'status', '--json')) as {
      services: { name: string; address: string; state: string; started: string }[];
    };
    expect(services.map(({ state }) => state)).toEqual(Array<string>(16).fill('up'));
    const names = ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks', 'gateway'];
    expect(services.map(({ name }) => name)).toEqual(names.flatMap((name) => [name, name]));
    expect(new Set(services.map(({ address }) => address)).size).toBe(16);
    const text = parlanceOn(dataDir, 'status');
    for (const { name, address } of services) expect(text).toContain(`${name} ${address} `);
  });

  it('every replica answers calls', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await api.get('/api/screenshots/');
      await api.send('POST', '/hooks/github/', {
        ref: 'refs/heads/main',
        repository: { full_name: 'example/unknown' },
      });
    }
    const calls = await callsPerReplica(dataDir);
    expect(Object.keys(calls)).toHaveLength(8);
    for (const counts of Object.values(calls)) {
      expect(counts).toHaveLength(2);
      expect(Math.min(...counts)).toBeGreaterThan(0);
    }
  });
});
