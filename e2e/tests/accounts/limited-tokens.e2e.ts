// Tokens of one user with different limits, whose requests alternate: what a gateway remembers for one of them must not answer another one.
import { makeApi } from '../../support/api.mjs';
import { checkedExchange } from '../../support/checked-exchange.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api: admin } = system();
const remote = makeRemote();
type Api = ReturnType<typeof makeApi>;

const name = unique('limits');
const list = unique('limits');
let inside: string;
let outside: string;
let whole: Api;
let limited: Api;

beforeAll(async () => {
  inside = (await importExample(admin, remote)).project;
  outside = (await importExample(admin, remote)).project;
  await admin.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
  await admin.patch(`/api/users/${name}/`, { is_superuser: true });
  await admin.post('/api/component-lists/', { name: list, slug: list });
  for (const project of [inside, outside]) {
    const { id } = await admin.get(`/api/components/${project}/example/`);
    await admin.post(`/api/component-lists/${list}/components/`, { component_id: id });
  }
  const client = async (limits: object) => {
    const { token } = await admin.post(`/api/users/${name}/tokens/`, { name: 'test', ...limits });
    return makeApi(admin.base, token, checkedExchange);
  };
  whole = await client({});
  limited = await client({ projects: [inside] });
}, 120_000);

/** Lists that contain an address of each project for a caller who sees both. */
const lists = [
  '/api/projects/?page_size=1000',
  '/api/components/?page_size=1000',
  '/api/translations/?page_size=1000',
  '/api/changes/?page_size=1000',
  `/api/component-lists/${list}/components/`,
];

it.each(lists)('%s has the projects of each token', async (path) => {
  const seen = async (client: Api) => {
    // Lists are ordered by id, so new objects are on the last page; the history begins with them.
    const text = JSON.stringify(path.startsWith('/api/changes/') ? await client.get(path) : await client.all(path));
    return [inside, outside].map((project) => text.includes(`/${project}/`));
  };
  for (let round = 0; round < 2; round++) {
    expect(await seen(whole)).toEqual([true, true]);
    expect(await seen(limited)).toEqual([true, false]);
  }
});

it('statistics count the projects of each token', async () => {
  const paths = [`/api/component-lists/${list}/statistics/`, '/api/languages/cs/statistics/'];
  for (let round = 0; round < 2; round++)
    for (const path of paths) expect((await limited.get(path)).total).toBeLessThan((await whole.get(path)).total);
});

it('objects outside of the projects of a token are missing', async () => {
  const paths = [
    `/api/projects/${outside}/labels/`,
    `/api/components/${outside}/example/links/`,
    '/api/users/admin/tokens/',
  ];
  for (let round = 0; round < 2; round++)
    for (const path of paths) {
      expect((await whole.send('GET', path)).status).toBe(200);
      expect((await limited.send('GET', path)).status).toBe(404);
    }
});
