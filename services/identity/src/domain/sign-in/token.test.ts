import { createHash } from 'node:crypto';
import { botUsername, looksLikeToken, newToken } from './token';

describe('tokens', () => {
  it('a token is a prefix and 36 random letters and digits, and only its digest is stored', () => {
    const given = { id: 1, kind: 'personal' as const, name: 'laptop', createdMs: 1, expiresMs: 0 };
    const { token, value } = newToken(given);
    expect(value).toMatch(/^plu_[A-Za-z0-9]{36}$/);
    expect(token.hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(JSON.stringify(token)).not.toContain(value.slice(0, 30));
    expect(value.endsWith(token.hint)).toBe(true);
    expect(newToken({ ...given, kind: 'project' }).value).toMatch(/^plp_/);
    expect(newToken(given).value).not.toBe(value);
  });

  it('malformed tokens are recognized without a store lookup', () => {
    const right = `plp_${'a'.repeat(36)}`;
    expect(looksLikeToken(right)).toBe(true);
    for (const wrong of ['', 'plu_', `${right}b`, `${right}\n`, `plx_${'a'.repeat(36)}`, `plu_${'á'.repeat(36)}`]) {
      expect(looksLikeToken(wrong)).toBe(false);
    }
  });

  it('bots are named after project and token', () => {
    expect(botUsername('app', 'CI – nightly builds!')).toBe('bot-app-ci-nightly-builds');
    expect(botUsername('app', '日本')).toBe('bot-app-token');
    expect(botUsername('p'.repeat(60), 'x'.repeat(100)).length).toBeLessThanOrEqual(140);
  });
});
