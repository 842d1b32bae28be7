import type { Endpoint } from './endpoint';
import { makeRouteFinder } from './route-finder';

const get = (path: string) => ({ method: 'GET', path }) as Endpoint;
const find = makeRouteFinder([
  get('/api/'),
  get('/api/projects/'),
  get('/api/projects/:project/'),
  get('/exports/rss/:project/:component/:language/'),
  get('/exports/rss/:project/:component/'),
  { method: 'POST', path: '/hooks/update/:project/:component/' } as Endpoint,
]);

describe('the route finder', () => {
  it.each([
    ['/api/', '/api/'],
    ['/api/projects/', '/api/projects/'],
    ['/api/projects/demo/', '/api/projects/:project/'],
    ['/hooks/update/demo/category/app/', '/hooks/update/:project/:component/'],
    ['/exports/rss/demo/app/cs/', '/exports/rss/:project/:component/:language/'],
  ])('%s belongs to the route %s, whatever its method', (path, pattern) => {
    expect(find(path)?.pattern).toBe(pattern);
  });

  it.each(['/api/nothing/', '/api/projects/a/b/', '/api/projects/%E0%A4%A/', '/api/projects/a%2Fb/', ''])(
    '"%s" has no route, also after a path with one',
    (path) => {
      expect(find('/api/projects/')).toBeDefined();
      expect(find(path)).toBeUndefined();
    },
  );
});
