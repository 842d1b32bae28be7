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
  ])('the git path %s addresses the component %s', async (path, component) => {
    expect((await finder.find(routedGitPath(path)))?.params).toEqual({ project: 'p', component });
  });

  it.each(['/git/p/info/refs', '/git/p//c/info/refs', '/git/p/c/HEAD', '/git/p/c/objects/info/packs', '/git/'])(
    'the path %s is not a git path',
    async (path) => expect(await finder.find(routedGitPath(path))).toBeUndefined(),
  );
});

describe('credentials', () => {
  const of = (authorization: string, git = true) => tokenOf({ headers: { authorization } } as IncomingMessage, git);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('the password of a git client is its token', () => {
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
  ])('the credentials %s are rejected as malformed', (authorization) => expect(of(authorization)).toBeUndefined());

  it('basic credentials are ignored outside of git paths', () => {
    expect(of(basic('ann:token'), false)).toBe('');
    expect(of('Basic', false)).toBe('');
    expect(of('Negotiate abc')).toBe('');
  });
});
