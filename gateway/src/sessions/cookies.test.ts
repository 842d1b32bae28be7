import type { IncomingMessage } from 'node:http';
import type { Site } from '../responses/site';
import { cookieOf } from './cookies';
import { isSameOrigin } from './same-origin';

const site = (base: string): Site => ({ title: '', base, root: '' });
const secure = site('https://l10n.example.org');
const plain = site('http://localhost:8080');
const request = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
const value = 'a'.repeat(43);

describe('cookies', () => {
  it('over https only a cookie with the prefix of this host counts', () => {
    const both = request({ cookie: `x=1; parlance-session=${'b'.repeat(43)}; __Host-parlance-session=${value}` });
    expect(cookieOf(both, secure, 'session')).toBe(value);
    expect(cookieOf(both, plain, 'session')).toBe('b'.repeat(43));
    expect(cookieOf(both, secure, 'sign-in')).toBe('');
  });

  it('malformed values count as none', () => {
    for (const text of ['', 'x', `${value}x`, `"${value}"`, '%00'.repeat(15)])
      expect(cookieOf(request({ cookie: `parlance-session=${text}` }), plain, 'session')).toBe('');
    expect(cookieOf(request({}), plain, 'session')).toBe('');
  });
});

describe('the origin of an unsafe request', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    [{ origin: 'http://localhost:8080' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'http://localhost:9090' }, false],
    [{ origin: 'https://localhost:8080' }, false],
    [{ origin: 'null' }, false],
    [{}, false],
  ])('%j is this site: %s', (headers, expected) => {
    expect(isSameOrigin(request(headers as Record<string, string>), plain)).toBe(expected);
  });
});
