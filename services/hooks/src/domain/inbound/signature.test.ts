import { createHmac } from 'node:crypto';
import type { Notification } from './push';
import {
  hasHeader,
  headerIsSecret,
  hexSignatureMatches,
  isRecent,
  sameText,
  standardSignature,
  standardSignatureMatches,
} from './signature';

const json = '{"ref":"refs/heads/main"}';
const form = `payload=${encodeURIComponent(json)}`;
const notification = (headers: Record<string, string>): Notification => ({
  headers,
  raw: Buffer.from(form),
  json,
  data: JSON.parse(json),
});
const digest = (text: string, secret = 's', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('hex');

describe('signatures in hex digits', () => {
  const matches = (header: string | undefined, secret = 's', algorithm: 'sha256' | 'sha1' = 'sha256') =>
    hexSignatureMatches(notification(header === undefined ? {} : { 'x-sig': header }), 'x-sig', algorithm, secret);

  it('the signature of the body or of the JSON text in it is accepted, with or without a prefix', () => {
    for (const text of [form, json])
      for (const header of [digest(text), `sha256=${digest(text)}`, ` SHA256=${digest(text).toUpperCase()} `])
        expect(matches(header)).toBe(true);
  });

  it('a signature with another secret, algorithm or text, an empty one and none are rejected', () => {
    for (const header of [
      digest(json, 'other'),
      digest(`${json} `),
      digest(json, 's', 'sha1'),
      '',
      'sha256=',
      undefined,
    ])
      expect(matches(header)).toBe(false);
    expect(matches(`sha1=${digest(json)}`)).toBe(false);
    expect(matches(`sha1=${digest(json, 's', 'sha1')}`, 's', 'sha1')).toBe(true);
  });
});

describe('secrets in headers', () => {
  it('a header with the secret is accepted, as text and as the bytes of its UTF-8', () => {
    const asBytes = Buffer.from('šifra').toString('latin1');
    expect([headerIsSecret('token', 'token'), headerIsSecret(asBytes, 'šifra')]).toEqual([true, true]);
    for (const header of ['tokeN', 'token ', undefined]) expect(headerIsSecret(header, 'token')).toBe(false);
    expect([sameText('a', 'a'), sameText('a', 'b'), sameText('a', 'ab')]).toEqual([true, false, false]);
  });

  it('one of several headers suffices', () => {
    const has = hasHeader(['x-a', 'x-b']);
    expect([has(notification({ 'x-b': '' })), has(notification({ 'x-c': '1' }))]).toEqual([true, false]);
  });
});

describe('Standard Webhooks', () => {
  const NOW = 1_700_000_000_000;
  beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterEach(() => jest.restoreAllMocks());
  const signed = (timestamp: string, secret = 's', id = 'm1') =>
    notification({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,wrong ${standardSignature(secret, id, timestamp, form)}`,
    });
  const at = (shiftMs: number) => String((NOW + shiftMs) / 1000);

  it('one of the signatures has to match the id, the time and the bytes of the body', () => {
    expect(standardSignatureMatches(signed(at(0)), 's')).toBe(true);
    expect(standardSignatureMatches(signed(at(0)), 'other')).toBe(false);
    const changes: Record<string, string>[] = [{ 'webhook-id': 'm2' }, { 'webhook-timestamp': at(1_000) }];
    for (const change of changes) {
      const { headers } = signed(at(0));
      expect(standardSignatureMatches(notification({ ...headers, ...change }), 's')).toBe(false);
    }
  });

  it('a time more than an hour away, or that is no number, is rejected', () => {
    for (const shift of [3_600_000, -3_600_000]) expect(standardSignatureMatches(signed(at(shift)), 's')).toBe(true);
    for (const shift of [3_601_000, -3_601_000]) expect(standardSignatureMatches(signed(at(shift)), 's')).toBe(false);
    for (const time of ['', 'soon', `${at(0)}.0`]) expect(standardSignatureMatches(signed(time), 's')).toBe(false);
    expect(isRecent(NOW + 5)).toBe(true);
  });

  it('a key in Base64 after whsec_ signs with its bytes', () => {
    const key = Buffer.from('0123456789abcdef');
    const signature = createHmac('sha256', key).update('m1.5.body').digest('base64');
    expect(standardSignature(`whsec_${key.toString('base64')}`, 'm1', '5', 'body')).toBe(`v1,${signature}`);
  });

  it('a notification without one of the headers is rejected', () => {
    const { headers } = signed(at(0));
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers;
      expect(standardSignatureMatches(notification(rest), 's')).toBe(false);
    }
  });
});
