import { acceptedStep, newTotpSecret, otpauthUri } from './totp';

/** RFC 6238, appendix B: the secret of the vectors for SHA-1 ("12345678901234567890"), and the last six of their eight digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors = [
  [59, '287082', 0x1],
  [1111111109, '081804', 0x23523ec],
  [1111111111, '050471', 0x23523ed],
  [1234567890, '005924', 0x273ef07],
  [2000000000, '279037', 0x3f940aa],
  [20000000000, '353130', 0x27bc86aa],
] as const;

describe('codes of a second factor', () => {
  it.each(vectors)('the code at %d s matches RFC 6238', (seconds, code, step) => {
    expect(acceptedStep(secret, code, seconds * 1000, -1)).toBe(step);
  });

  it('codes are accepted one step early or late, and not further', () => {
    const [seconds, code, step] = vectors[3];
    const begin = step * 30_000;
    expect(Math.floor(seconds / 30)).toBe(step);
    for (const [ms, taken] of [
      [begin - 30_001, null],
      [begin - 30_000, step],
      [begin, step],
      [begin + 59_999, step],
      [begin + 60_000, null],
    ] as const)
      expect([ms, acceptedStep(secret, code, ms, -1)]).toEqual([ms, taken]);
  });

  it('a code is accepted once, and no earlier one after a later one', () => {
    const [seconds, code, step] = vectors[3];
    expect(acceptedStep(secret, code, seconds * 1000, step - 1)).toBe(step);
    expect(acceptedStep(secret, code, seconds * 1000, step)).toBeNull();
    expect(acceptedStep(secret, code, seconds * 1000, step + 1)).toBeNull();
  });

  it('malformed codes are rejected', () => {
    for (const text of ['', '28708', '2870820', ' 87082', 'abcdef', '94287082', '-87082', '２８７０８２'])
      expect([text, acceptedStep(secret, text, 59_000, -1)]).toEqual([text, null]);
  });
});

describe('secrets', () => {
  it('secrets have 160 random bits and an otpauth URI', () => {
    const one = newTotpSecret();
    expect(one).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(one);
    const uri = new URL(otpauthUri(one, 'ana@home'));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Parlance:ana@home',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Parlance',
      secret: one,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
