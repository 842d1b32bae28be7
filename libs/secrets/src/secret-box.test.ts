import { randomBytes } from 'node:crypto';
import { SecretBox } from './secret-box';

const key = () => randomBytes(32).toString('base64');

describe('SecretBox', () => {
  it('SecretBox opens a sealed text only with its key and seals equal texts differently', () => {
    const box = new SecretBox(key());
    const sealed = box.seal('user:päss');
    expect(box.open(sealed)).toBe('user:päss');
    expect(sealed).not.toContain('user');
    expect(box.seal('user:päss')).not.toBe(sealed);
    expect(() => new SecretBox(key()).open(sealed)).toThrow();
  });
  it('SecretBox rejects sealed texts that were changed', () => {
    const box = new SecretBox(key());
    const sealed = box.seal('text');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    bytes[14]! ^= 1;
    expect(() => box.open(`v1.${bytes.toString('base64url')}`)).toThrow();
    expect(() => box.open('')).toThrow('damaged');
    expect(() => box.open('v2.abc')).toThrow('damaged');
  });
  it('a SecretBox opens texts of all its keys and seals with the first one', () => {
    const [older, newer] = [key(), key()];
    const before = new SecretBox(older).seal('text');
    const box = new SecretBox(`${newer},${older}`);
    expect(box.open(before)).toBe('text');
    const after = box.seal('text');
    expect(new SecretBox(newer).open(after)).toBe('text');
    expect(() => new SecretBox(older).open(after)).toThrow();
    expect(box.fingerprints).toEqual([newer, older].flatMap((each) => new SecretBox(each).fingerprints));
    expect([before, after].map((sealed) => box.keyOf(sealed))).toEqual(box.fingerprints.toReversed());
    expect(new SecretBox(newer).keyOf(before)).toBeUndefined();
    expect(box.keyOf('no sealed text')).toBeUndefined();
  });
  it('SecretBox requires a key of 32 bytes', () => {
    expect(() => new SecretBox(`${key()},c2hvcnQ=`)).toThrow('32 bytes');
    expect(() => new SecretBox('c2hvcnQ=')).toThrow('32 bytes');
  });
});
