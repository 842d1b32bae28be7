import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  bytes: Buffer;
  fingerprint: string;
}

/**
 * Authenticated encryption with AES-256-GCM. The first key seals; the others open texts that were sealed before a rotation. Sealed texts do
 * not name their key, so every key is tried.
 */
export class SecretBox {
  private readonly keys: readonly [Key, ...Key[]];

  /** @param keys 32 bytes in base64 each, separated by commas; the current key is the first */
  constructor(keys: string) {
    const [first, ...others] = keys.split(',').map(keyOf);
    this.keys = [first!, ...others];
  }

  /** Identifies each key without revealing it; the current one is the first. */
  get fingerprints(): string[] {
    return this.keys.map(({ fingerprint }) => fingerprint);
  }

  /** Encrypts a text with a random nonce, so equal texts have different results. */
  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0].bytes, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /** @throws when the text was sealed with another key or is damaged */
  open(sealed: string): string {
    const bytes = sealedBytes(sealed);
    if (!bytes) throw new Error('the sealed text is damaged');
    let failure: unknown;
    for (const key of this.keys) {
      try {
        return opened(bytes, key);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Fingerprint of the key that sealed a text; undefined if no key opens it. */
  keyOf(sealed: string): string | undefined {
    const bytes = sealedBytes(sealed);
    if (!bytes) return undefined;
    const key = this.keys.find((each) => {
      try {
        opened(bytes, each);
        return true;
      } catch {
        return false;
      }
    });
    return key?.fingerprint;
  }
}

/** Whether a text has the form of a sealed one. */
export const looksSealed = (text: string): boolean => sealedBytes(text) !== undefined;

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32) throw new Error('the encryption key must have 32 bytes');
  return { bytes, fingerprint: createHmac('sha256', bytes).update('parlance backup').digest('hex').slice(0, 16) };
}

function sealedBytes(sealed: string): Buffer | undefined {
  const [version, data = ''] = sealed.split('.');
  if (version !== VERSION) return undefined;
  const bytes = Buffer.from(data, 'base64url');
  return bytes.length < NONCE_BYTES + TAG_BYTES ? undefined : bytes;
}

function opened(bytes: Buffer, key: Key): string {
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}
