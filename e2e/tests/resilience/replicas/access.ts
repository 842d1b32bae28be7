import { makeApi } from '../../../support/api.mjs';
import { makeBrowser } from '../../../support/browser.mjs';
import { checkedExchange } from '../../../support/checked-exchange.mjs';
import { totp } from '../../../support/sign-in/totp.mjs';
import { parlanceOn } from '../../../support/system.mjs';
import { ANONYMOUS, api, dataDir, ownerOfFactors, ROUNDS, world } from './installation';

describe('access and accounts with two replicas', () => {
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
});
