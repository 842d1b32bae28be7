import { Router } from './router';

const router = new Router<string>();
router.add('GET', '/api/components/:project/:component/', 'component');
router.add('PATCH', '/api/components/:project/:component/', 'change');
router.add('GET', '/api/components/:project/:component/lock/', 'lock');
router.add('GET', '/api/components/', 'list');
router.add('POST', '/hooks/:provider/', 'hook');
router.add('GET', '/hooks/update/:project/', 'update');

const found = (path: string) => {
  const match = router.match(path);
  return match && { pattern: match.route.pattern, params: match.params };
};

describe('Router', () => {
  it('takes paths with and without a slash at the end', () => {
    expect(found('/api/components')).toEqual({ pattern: '/api/components/', params: {} });
    expect(found('/api/components/p/c/lock')?.pattern).toBe('/api/components/:project/:component/lock/');
  });

  it('reads categories from slashes that are encoded twice or once', () => {
    expect(found('/api/components/p/cat%252Fsub%252Fapp/')?.params).toEqual({ project: 'p', component: 'cat/sub/app' });
    expect(found('/api/components/p/cat%2Fapp/')?.params).toEqual({ project: 'p', component: 'cat/app' });
    expect(found('/api/components/a%2Fb/c/')).toBeUndefined();
  });

  it('prefers words to parameters and knows nothing else', () => {
    expect(found('/hooks/update/p/')?.pattern).toBe('/hooks/update/:project/');
    expect(found('/hooks/github/')?.params).toEqual({ provider: 'github' });
    expect(found('/api/nowhere/')).toBeUndefined();
    expect(found('/api//components/')).toBeUndefined();
    expect(found('/api/components/%E0%A4%A/x/')).toBeUndefined();
  });

  it('knows the methods of a path', () => {
    expect(router.match('/api/components/p/c/')!.route.allow).toBe('GET, PATCH, HEAD, OPTIONS');
    expect(() => router.add('GET', '/api/components/', 'again')).toThrow('twice');
  });
});
