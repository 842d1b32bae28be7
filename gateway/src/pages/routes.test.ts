import { endpoints } from '../endpoints';
import { areaOf } from '../limits/throttle';
import { RouteFinder } from '../../test/support/route-finder';
import { readingsOf } from '../routing/path-readings';
import { routesOf } from '../routing/resource-routers';
import { pageEndpoints } from './routes';

const finder = new RouteFinder([...endpoints, ...pageEndpoints]);
beforeAll(() => finder.listen());
afterAll(() => finder.close());

describe('the table of pages', () => {
  it('pages and endpoints have different paths', () => {
    expect(() => routesOf([...endpoints, ...pageEndpoints])).not.toThrow();
  });

  it.each(pageEndpoints.map((page) => [page.path, page] as const))(
    '%s only reads, and is counted in the window of pages',
    (path, { method, access, doc }) => {
      expect([method, access]).toEqual(['GET', 'anyone']);
      expect(doc).toMatch(/^[A-Z].*\.$/);
      expect(areaOf(path)).toBe(path.startsWith('/static/') ? undefined : 'pages');
    },
  );

  it.each([
    ['/', '/', {}],
    ['/projects', '/projects/', {}],
    ['/projects/app/', '/projects/:project/', { project: 'app' }],
    ['/projects/app/web/cs/', '/projects/:project/:place/', { project: 'app', place: 'web/cs' }],
    ['/projects/app/a/b/web/cs', '/projects/:project/:place/', { project: 'app', place: 'a/b/web/cs' }],
    ['/projects/app/-/cs/', '/projects/:project/:place/', { project: 'app', place: '-/cs' }],
    ['/translate/app/web/cs/', '/translate/:project/:place/', { project: 'app', place: 'web/cs' }],
    ['/engage/app/-/cs/', '/engage/:project/-/:code/', { project: 'app', code: 'cs' }],
    ['/widget/app/svg-badge.svg', '/widget/:project/:place/', { project: 'app', place: 'svg-badge.svg' }],
    ['/widget/app/web/svg-badge.svg', '/widget/:project/:place/', { project: 'app', place: 'web/svg-badge.svg' }],
    ['/api/', '/api/', {}],
  ])('%s is found at %s', async (path, pattern, params) => {
    expect(await finder.find(readingsOf(path)[0])).toEqual({ pattern, params });
  });

  it('a path outside the table of pages has no page', async () => {
    for (const path of ['/nowhere/', '/translate/app/', '/widget/app/', '/engage/', '/static/'])
      expect(await finder.find(readingsOf(path)[0])).toBeUndefined();
  });
});
