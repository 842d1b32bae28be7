import { createCipheriv, createDecipheriv, hkdfSync, scryptSync } from 'node:crypto';

/** Parameters of scrypt: 32 MiB of memory, about 0.1 s. */
const COST = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
/** Plain bytes of a chunk. */
const CHUNK_BYTES = 256 * 1024;
const TAG_BYTES = 16;
/** Flag of the last chunk, in the highest bit of its length. */
const LAST = 0x80000000;

/** The key of a backup, from its passphrase and salt. */
export function masterKey(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, COST);
}

/** A key for one purpose, such as one file. */
export function derivedKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `parlance backup: ${purpose}`, 32));
}

/** A nonce per chunk: every file has its own key, so a counter does not repeat. */
function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(chunk, 8);
  return nonce;
}

/**
 * Encrypts a stream with AES-256-GCM in chunks: length, ciphertext, tag. The number and the flag of the last chunk are authenticated, so
 * chunks cannot be changed, reordered or cut off.
 */
export async function* encrypt(plain: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  let chunk = 0;
  const seal = (bytes: Buffer, flag: number): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE((bytes.length | flag) >>> 0);
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk++)).setAAD(head);
    return Buffer.concat([head, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  let waiting: Buffer = Buffer.alloc(0);
  for await (const bytes of plain) {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    while (waiting.length > CHUNK_BYTES) {
      yield seal(waiting.subarray(0, CHUNK_BYTES), 0);
      waiting = waiting.subarray(CHUNK_BYTES);
    }
  }
  yield seal(waiting, LAST);
}

/** The reverse of `encrypt`. @throws if the bytes are damaged, incomplete or encrypted with another key */
export async function* decrypt(sealed: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let chunk = 0;
  let ended = false;
  for await (const bytes of sealed) {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    while (waiting.length >= 4) {
      const head = waiting.subarray(0, 4);
      const field = head.readUInt32BE();
      const end = 4 + (field & ~LAST) + TAG_BYTES;
      if (end > 4 + CHUNK_BYTES + TAG_BYTES || ended) throw new Error('the encrypted file is damaged');
      if (waiting.length < end) break;
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(chunk++)).setAAD(head);
      decipher.setAuthTag(waiting.subarray(end - TAG_BYTES, end));
      const plain = decipher.update(waiting.subarray(4, end - TAG_BYTES));
      try {
        decipher.final();
      } catch {
        throw new Error('the encrypted file is damaged');
      }
      ended = (field & LAST) !== 0;
      waiting = waiting.subarray(end);
      yield plain;
    }
  }
  if (!ended || waiting.length > 0) throw new Error('the encrypted file is incomplete');
}
