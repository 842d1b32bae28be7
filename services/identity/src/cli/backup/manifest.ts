import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from '@parlance/config';
import { derivedKey, masterKey } from './encryption';
import { BackupError, MISSING, type BackupTarget } from './target';

/** Version of the files. Another version is refused. */
export const FORMAT = 1;
const MANIFEST = 'manifest.json';

const file = z.object({ name: z.string(), size: z.number(), sha256: z.string(), records: z.number() });

/** Documents of a collection, or objects: the records of the files in this order, without the dropped ones. */
const content = z.object({
  documents: z.number(),
  files: z.array(file),
  /** File of the numbers of dropped records. */
  dropped: file.nullable(),
});

const manifestSchema = z.object({
  product: z.literal('parlance'),
  format: z.number(),
  /** Version of the product. */
  version: z.string(),
  id: z.string(),
  /** Begin of the backup, and of the state that it holds. */
  started: z.string(),
  finished: z.string(),
  /** Time in which the installation was read-only. */
  read_only: z.object({ from: z.string(), until: z.string(), milliseconds: z.number() }),
  /** Last event that the backup includes. */
  event_sequence: z.number(),
  encryption: z.object({ kdf: z.literal('scrypt'), salt: z.string() }).nullable(),
  services: z.record(
    z.string(),
    z.object({
      /** Of the key that seals secrets in documents; empty: none. */
      key_fingerprint: z.string(),
      collections: z.record(z.string(), content),
      objects: content.nullable(),
    }),
  ),
});

/** Description of a backup. */
export type Manifest = z.infer<typeof manifestSchema>;
export type StoredContent = z.infer<typeof content>;

/** Key of a new backup with its public parameters. */
export function newKey(passphrase: string): { master: Buffer; encryption: Manifest['encryption'] } {
  const salt = randomBytes(16);
  return { master: masterKey(passphrase, salt), encryption: { kdf: 'scrypt', salt: salt.toString('base64') } };
}

/** Protects the manifest against damage; with a passphrase also against changes. */
function digestOf(text: string, master: Buffer | null): string {
  const digest = master ? createHmac('sha256', derivedKey(master, 'manifest')) : createHash('sha256');
  return digest.update(text).digest('hex');
}

export async function writeManifest(
  target: Pick<BackupTarget, 'write'>,
  manifest: Manifest,
  master: Buffer | null,
): Promise<void> {
  const text = JSON.stringify(manifest, null, 1);
  async function* content(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(`${text}\n${digestOf(text, master)}\n`));
  }
  await target.write(MANIFEST, content());
}

/**
 * Reads the manifest and checks that it is unchanged and of this version.
 * @param passphrase undefined: none
 * @throws BackupError
 */
export async function readManifest(
  target: Pick<BackupTarget, 'read' | 'shown'>,
  passphrase: string | undefined,
): Promise<{ manifest: Manifest; master: Buffer | null }> {
  const stored = await textOf(target);
  const end = stored.lastIndexOf('\n', stored.length - 2);
  const text = stored.slice(0, Math.max(0, end));
  const { format, encryption } = headOf(text);
  if (format !== FORMAT)
    throw new BackupError(`The backup has format ${String(format)}; this version of Parlance reads format ${FORMAT}.`);
  if (encryption && passphrase === undefined) throw new BackupError('The backup is encrypted: give --passphrase-file.');
  const master =
    encryption && passphrase !== undefined ? masterKey(passphrase, Buffer.from(encryption.salt, 'base64')) : null;
  const expected = Buffer.from(digestOf(text, master));
  const found = Buffer.from(stored.slice(end + 1).trim());
  if (found.length !== expected.length || !timingSafeEqual(found, expected))
    throw new BackupError(
      master ? `The passphrase is wrong, or ${MANIFEST} was changed.` : `${MANIFEST} is damaged: its hash differs.`,
    );
  return { manifest: manifestSchema.parse(JSON.parse(text)), master };
}

async function textOf(target: Pick<BackupTarget, 'read' | 'shown'>): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const bytes of target.read(MANIFEST)) parts.push(bytes);
  } catch (error) {
    if (!(error instanceof BackupError && error.message === MISSING)) throw error;
    throw new BackupError(`${target.shown} has no ${MANIFEST}: it is not a backup, or not a complete one.`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Data that is needed before the manifest can be checked. */
function headOf(text: string): { format: unknown; encryption: { salt: string } | null } {
  try {
    return z
      .object({ format: z.unknown(), encryption: z.object({ salt: z.string() }).nullable() })
      .parse(JSON.parse(text)) as ReturnType<typeof headOf>;
  } catch {
    throw new BackupError(`${MANIFEST} is damaged.`);
  }
}
