import type { Site } from '../responses/site';
import { localPath, refererPath } from './local-path';

const site = (base: string): Site => ({ title: '', base, root: new URL(base).pathname.replace(/\/$/, '') });
const root = site('https://l10n.example.org');
const below = site('https://example.org/l10n');

describe('the destination after a sign-in', () => {
  it.each([
    ['/', '/'],
    ['/projects/app/?page=2#top', '/projects/app/?page=2#top'],
    ['/a/../projects/', '/projects/'],
    ['/projects/%2F%2Fevil.example/', '/projects/%2F%2Fevil.example/'],
    ['/?next=https://evil.example/', '/?next=https://evil.example/'],
  ])('%s is a path of this site', (given, path) => {
    expect(localPath(given, root)).toBe(path);
  });

  it.each([
    undefined,
    null,
    '',
    'projects/',
    'https://evil.example/',
    'https://l10n.example.org/projects/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\/evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example',
    '/.//evil.example/',
    '/..//evil.example/',
    '/a/..//evil.example/',
    ' /projects/',
    'javascript:alert(1)',
    '/accounts/login/',
    '/accounts/logout/',
    '/accounts/password/set/?secret=x',
    `/${'x'.repeat(2000)}`,
  ])('%j is not a destination after a sign-in', (given) => {
    expect(localPath(given, root)).toBeUndefined();
  });

  it('a site below a path leads to its own pages only', () => {
    expect(localPath('/l10n/projects/', below)).toBe('/l10n/projects/');
    expect(localPath('/projects/', below)).toBeUndefined();
    expect(localPath('/l10n/../projects/', below)).toBeUndefined();
    expect(localPath('/l10n-other/', below)).toBeUndefined();
    expect(localPath('/l10n/accounts/login/', below)).toBeUndefined();
  });

  it('the page that linked to the sign-in is a destination if it is of this site', () => {
    expect(refererPath('https://l10n.example.org/projects/', root)).toBe('/projects/');
    expect(refererPath('https://l10n.example.org', root)).toBeUndefined();
    expect(refererPath('https://l10n.example.org.evil.example/', root)).toBeUndefined();
    expect(refererPath('https://evil.example/projects/', root)).toBeUndefined();
    expect(refererPath(undefined, root)).toBeUndefined();
  });
});
