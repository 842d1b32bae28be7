// A security key (WebAuthn, ES256) in software, implemented independently of the product.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data) => createHash('sha256').update(data).digest();
const base64url = (data) => Buffer.from(data).toString('base64url');

/** Bytes of a CBOR head: a major type and a length below 65 536. */
const head = (type, length) =>
  Buffer.from(
    length < 24
      ? [(type << 5) | length]
      : length < 256
        ? [(type << 5) | 24, length]
        : [(type << 5) | 25, length >> 8, length & 255],
  );
const integer = (value) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value) => Buffer.concat([head(2, value.length), value]);
const text = (value) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...pairs) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

/** @param {string} origin of the site */
export function makeSecurityKey(origin) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const jwk = publicKey.export({ format: 'jwk' });
  const coordinate = (value) => bytes(Buffer.from(value, 'base64url'));
  const cose = map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), coordinate(jwk.x)],
    [integer(-3), coordinate(jwk.y)],
  );
  let counter = 0;
  const clientData = (type, challenge) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId, flags, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  };
  const credential = (response) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    /** The response to `navigator.credentials.create` as JSON. */
    create({ rp, challenge }) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const authData = authenticatorData(rp.id, 0x41, attested);
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(authData)],
      );
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(attestation),
        transports: ['usb'],
      };
      return JSON.stringify(credential(response));
    },
    /**
     * The response to `navigator.credentials.get` as JSON.
     * @param {{ rpId: string, challenge: string }} options
     * @param {{ rewind?: boolean }} [how] rewind: as a clone of the key does
     */
    get({ rpId, challenge }, { rewind = false } = {}) {
      if (rewind) counter = 0;
      const data = clientData('webauthn.get', challenge);
      const authData = authenticatorData(rpId, 1);
      const response = {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
      };
      return JSON.stringify(credential(response));
    },
  };
}
