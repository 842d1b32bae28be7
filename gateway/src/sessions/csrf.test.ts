import { CsrfTokens } from './csrf';

const tokens = new CsrfTokens('a secret of at least thirty-two characters');

describe('CSRF tokens', () => {
  it('a token is valid for the secret that it was issued for, on every gateway', () => {
    const token = tokens.issue('session');
    expect(tokens.matches('session', token)).toBe(true);
    expect(new CsrfTokens('a secret of at least thirty-two characters').matches('session', token)).toBe(true);
    expect(tokens.matches('other', token)).toBe(false);
    expect(new CsrfTokens('another secret of thirty-two characters').matches('session', token)).toBe(false);
  });

  it('while the service secret is rotated, gateways accept tokens of the old and the new secret', () => {
    const [older, newer] = ['an older secret of thirty-two characters', 'a newer secret of thirty-two characters'];
    const [before, after] = [new CsrfTokens(`${older},${newer}`), new CsrfTokens(`${newer},${older}`)];
    expect(before.matches('session', after.issue('session'))).toBe(true);
    expect(after.matches('session', before.issue('session'))).toBe(true);
    expect(after.matches('session', new CsrfTokens(older).issue('session'))).toBe(true);
    expect(new CsrfTokens(newer).matches('session', before.issue('session'))).toBe(false);
  });

  it('each CSRF token differs', () => {
    expect(tokens.issue('session')).not.toBe(tokens.issue('session'));
  });

  it('missing, repeated, malformed and altered tokens are refused', () => {
    const token = tokens.issue('session');
    const [salt, mac] = token.split('.') as [string, string];
    const altered = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`;
    for (const wrong of [undefined, null, '', [token], salt, mac, `${salt}.${altered}`, `${token}x`, `.${mac}`])
      expect(tokens.matches('session', wrong)).toBe(false);
  });
});
