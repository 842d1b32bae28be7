import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** Bytes of a CBOR head: a major type and a number below 65 536. */
function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  return value < 256
    ? Buffer.from([(type << 5) | 24, value])
    : Buffer.from([(type << 5) | 25, value >> 8, value & 255]);
}
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

/** The public key in COSE. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'));
  return map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), coordinate(x)],
    [integer(-3), coordinate(y)],
  );
}

const PRESENT = 0x01;
const WITH_CREDENTIAL = 0x40;

/** A security key (WebAuthn, ES256) in software, implemented independently of the product. Responses are JSON as browsers make it. */
export class SoftwareSecurityKey {
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly id = randomBytes(32);
  private counter = 0;

  /** @param origin of the site that the browser shows */
  constructor(private readonly origin: string) {}

  /** The response to `navigator.credentials.create`. */
  create({ rp, challenge }: { rp: { id: string }; challenge: string }): string {
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, coseOf(this.pair.publicKey)]);
    const data = this.authenticatorData(rp.id, PRESENT | WITH_CREDENTIAL, attested);
    const attestation = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(data)]);
    return this.credential({
      clientDataJSON: base64url(this.clientData('webauthn.create', challenge)),
      attestationObject: base64url(attestation),
      transports: ['usb'],
    });
  }

  /** The response to `navigator.credentials.get`. @param rewind as a clone of the key does */
  get({ rpId, challenge }: { rpId: string; challenge: string }, { rewind = false } = {}): string {
    if (rewind) this.counter = 0;
    const client = this.clientData('webauthn.get', challenge);
    const data = this.authenticatorData(rpId, PRESENT);
    return this.credential({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), this.pair.privateKey)),
    });
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private authenticatorData(rpId: string, flags: number, more: Buffer = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  }

  private credential(response: object): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
