import { endpoint, RouteFinder } from '../../test/support/route-finder';
import { routesOf } from './resource-routers';

const endpoints = [
  endpoint('GET', '/api/components/:project/:component/'),
  endpoint('PATCH', '/api/components/:project/:component/'),
  endpoint('GET', '/api/components/:project/:component/lock/'),
  endpoint('GET', '/api/components/'),
  endpoint('GET', '/api/'),
  endpoint('POST', '/hooks/:provider/'),
  endpoint('GET', '/hooks/update/:project/'),
  endpoint('GET', '/exports/:kind/:name/'),
  endpoint('GET', '/exports/stats/:project/'),
];

const finder = new RouteFinder(endpoints);
beforeAll(() => finder.listen());
afterAll(() => finder.close());

const found = (path: string) => finder.find(path);

describe('the routers of resources', () => {
  it('paths are accepted with and without a trailing slash', async () => {
    expect(await found('/api/components')).toEqual({ pattern: '/api/components/', params: {} });
    expect((await found('/api/components/p/c/lock'))?.pattern).toBe('/api/components/:project/:component/lock/');
    expect((await found('/api'))?.pattern).toBe('/api/');
  });

  it('category slashes are accepted with double or single encoding', async () => {
    expect((await found('/api/components/p/cat%252Fsub%252Fapp/'))?.params).toEqual({
      project: 'p',
      component: 'cat/sub/app',
    });
    expect((await found('/api/components/p/cat%2Fapp/'))?.params).toEqual({ project: 'p', component: 'cat/app' });
    expect(await found('/api/components/a%2Fb/c/')).toBeUndefined();
  });

  it('literal segments take precedence over parameters, and other paths are not found', async () => {
    expect((await found('/hooks/update/p/'))?.pattern).toBe('/hooks/update/:project/');
    expect((await found('/hooks/github/'))?.params).toEqual({ provider: 'github' });
    expect((await found('/exports/stats/p/'))?.pattern).toBe('/exports/stats/:project/');
    expect(await found('/api/nowhere/')).toBeUndefined();
    expect(await found('/api/Components/')).toBeUndefined();
    expect(await found('/api//components/')).toBeUndefined();
    expect(await found('/api/components/%E0%A4%A/x/')).toBeUndefined();
  });

  it('routers report the methods of a path, and duplicate endpoints are rejected', () => {
    const route = routesOf(endpoints).find(({ pattern }) => pattern === '/api/components/:project/:component/');
    expect(route?.allow).toBe('GET, PATCH, HEAD, OPTIONS');
    expect(() => routesOf([...endpoints, endpoint('GET', '/api/components/')])).toThrow('twice');
  });
});
