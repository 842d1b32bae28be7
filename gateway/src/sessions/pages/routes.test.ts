import { endpoints } from '../../endpoints';
import { areaOf } from '../../limits/throttle';
import { pageEndpoints } from '../../pages/routes';
import { routesOf } from '../../routing/resource-routers';
import { accountEndpoints } from './routes';

describe('the table of account pages', () => {
  it('account pages, pages and endpoints have different paths', () => {
    expect(() => routesOf([...endpoints, ...pageEndpoints, ...accountEndpoints])).not.toThrow();
  });

  it.each(accountEndpoints.map((page) => [`${page.method} ${page.path}`, page] as const))(
    '%s is counted in the window of pages, and only forms for callers without a session have their own check',
    (_, { method, path, access, doc, signInForm }) => {
      expect([access, areaOf(path)]).toEqual(['anyone', 'pages']);
      expect(doc).toMatch(/^[A-Z].*\.$/);
      expect(signInForm === true).toBe(method === 'POST' && /\/(login|password)\//.test(path));
    },
  );
});
