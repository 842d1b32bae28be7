// Pages for browsers: the addresses in responses and feeds, badges, and the browsable API.
import { makeApi } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { addExample, importExample, system } from '../support/system.mjs';
import { unique } from '../support/worlds.mjs';

const { api, base } = system();
const anonymous = makeApi(base);

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Requests an address as an anonymous browser does. */
const visit = (address: string, headers: Record<string, string> = {}) =>
  anonymous.send('GET', address, undefined, { ...browser, ...headers });

const statusOf = async (address: string) => ({ address, status: (await visit(address)).status });

/** Addresses outside of the API in a response. */
function webAddresses(value: unknown): string[] {
  if (typeof value === 'string')
    return value.startsWith(`${base}/`) && !/^\/(api|git)\//.test(value.slice(base.length)) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(webAddresses);
}

/** A project with a component in a category, and the addresses for browsers that responses and feeds carry. */
async function makeWorld() {
  const remote = makeRemote();
  const { project } = await importExample(api, remote);
  const link = `${base}/api/projects/${project}/`;
  const category = await api.post('/api/categories/', {
    name: 'Mobile',
    slug: 'mobile',
    project: link,
    category: null,
  });
  await addExample(api, project, 'inner', remote, { category: category.url });
  const list = await api.post('/api/component-lists/', { name: unique('List'), slug: unique('list') });
  const component = await api.get(`/api/components/${project}/example/`);
  await api.post(`${list.url}components/`, { component_id: component.id });
  const paths = [
    `/api/projects/${project}/`,
    `/api/projects/${project}/components/`,
    `/api/projects/${project}/languages/`,
    `/api/projects/${project}/statistics/`,
    `/api/components/${project}/example/translations/`,
    `/api/components/${project}/example/statistics/`,
    `/api/components/${project}/mobile%252Finner/`,
    `/api/translations/${project}/mobile%252Finner/cs/`,
    `/api/translations/${project}/mobile%252Finner/cs/statistics/`,
    `/api/translations/${project}/mobile%252Finner/cs/units/`,
    `/api/translations/${project}/example/cs/units/`,
    `${category.url}statistics/`,
    `${list.url}statistics/`,
  ];
  const found = new Set<string>();
  for (const path of paths) for (const address of webAddresses(await api.get(path))) found.add(address);
  for (const feed of [`/exports/rss/${project}/`, `/exports/rss/${project}/mobile/inner/cs/`]) {
    const { body } = await api.send('GET', feed, undefined, { accept: '*/*' });
    for (const [, address] of String(body).matchAll(/<link>([^<]+)<\/link>/g)) found.add(address!);
  }
  const addresses = [...found].map((address) => address.replaceAll('&amp;', '&').replace(/#.*/, ''));
  return { project, component, category, list, remote, addresses: [...new Set(addresses)] };
}

describe('addresses for browsers', () => {
  it('addresses in responses and feeds lead to pages while their objects are visible', async () => {
    const { project, addresses } = await makeWorld();
    const owned = addresses.filter((address) => address.includes(`/${project}/`));
    const shapes = new Set(owned.map((address) => address.replace(base, '').split('/')[1]));
    expect([...shapes].sort()).toEqual(['engage', 'projects', 'translate']);
    expect(owned.some((address) => address.includes('/mobile/inner/cs/?checksum='))).toBe(true);
    for (const address of addresses) expect(await statusOf(address)).toEqual({ address, status: 200 });
    expect((await visit(addresses[0]!)).headers.get('content-type')).toBe('text/html; charset=utf-8');

    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    for (const address of owned) expect(await statusOf(address)).toEqual({ address, status: 404 });
    const hidden = await visit(`${base}/projects/${project}/`);
    const missing = await visit(`${base}/projects/${unique('missing')}/`);
    expect(hidden.bytes.equals(missing.bytes)).toBe(true);
    for (const address of owned) expect((await api.send('GET', address)).status).toBe(200);

    const renamed = unique('renamed');
    await api.patch(`/api/projects/${project}/`, { access_control: 0, slug: renamed });
    for (const address of owned) expect(await statusOf(address)).toEqual({ address, status: 404 });
    for (const address of owned) {
      const moved = address.replace(`/${project}/`, `/${renamed}/`);
      expect(await statusOf(moved)).toEqual({ address: moved, status: 200 });
    }
  });
});
