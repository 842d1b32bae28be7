import type { IncomingMessage } from 'node:http';
import { endpoint, RouteFinder } from '../../test/support/route-finder';
import { tokenOf } from '../middleware/credentials';
import { routedGitPath } from './git-client';

const finder = new RouteFinder([
  endpoint('GET', '/git/:project/:component/info/refs/'),
  endpoint('GET', '/git/:project/:component/git-upload-pack/'),
]);
beforeAll(() => finder.listen());
afterAll(() => finder.close());

describe('addresses of git clients', () => {
  it.each([
    ['/git/p/c/info/refs', 'c'],
    ['/git/p/c/git-upload-pack', 'c'],
    ['/git/p/cat/c/info/refs', 'cat/c'],
    ['/git/p/cat/deep/c/git-upload-pack', 'cat/deep/c'],
    ['/git/p/cat%252Fc/info/refs', 'cat/c'],
    ['/git/p/cat%2Fc/info/refs', 'cat/c'],
    ['/git/p/info/refs/info/refs', 'info/refs'],
  ])('%s is of the component %s', async (path, component) => {
    expect((await finder.find(routedGitPath(path)))?.params).toEqual({ project: 'p', component });
  });

  it.each(['/git/p/info/refs', '/git/p//c/info/refs', '/git/p/c/HEAD', '/git/p/c/objects/info/packs', '/git/'])(
    '%s is none',
    async (path) => expect(await finder.find(routedGitPath(path))).toBeUndefined(),
  );
});

describe('credentials', () => {
  const of = (authorization: string, git = true) => tokenOf({ headers: { authorization } } as IncomingMessage, git);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('of git clients are a password', () => {
    expect(of(basic('ann:token'))).toBe('token');
    expect(of(basic(':a:b'))).toBe('a:b');
    expect(of(basic('ann:token').replace('Basic', 'basic'))).toBe('token');
    expect(of('Token abc')).toBe('abc');
    expect(of('Bearer abc')).toBe('abc');
    expect(of('')).toBe('');
  });

  it.each([
    'Basic',
    'Basic ',
    basic('ann'),
    basic('ann:'),
    basic('ann:two words'),
    basic(`a:${'x'.repeat(201)}`),
    'Token',
  ])('%s cannot be right', (authorization) => expect(of(authorization)).toBeUndefined());

  it('of another scheme are none anywhere else', () => {
    expect(of(basic('ann:token'), false)).toBe('');
    expect(of('Basic', false)).toBe('');
    expect(of('Negotiate abc')).toBe('');
  });
});
