import { engineTlsFiles, engineTlsSettings, flag, loadConfig, z } from '@parlance/config';
import { ObjectMissingError, S3ObjectStore } from '@parlance/object-store';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Damaged, incomplete or unusable content of a backup; the message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The place of a backup's files. */
export interface BackupTarget {
  /** As the operator named it, for messages. */
  readonly shown: string;
  /** Prepares a new backup. @throws BackupError if the place is in use */
  begin(): Promise<void>;
  /** Stores a new file; it is durable afterwards. */
  write(name: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Completes a new backup. */
  commit(): Promise<void>;
  /** Deletes the files of a backup that was not completed; does nothing otherwise. */
  discard(): Promise<void>;
  /** @throws BackupError for a missing file */
  read(name: string): AsyncIterable<Buffer>;
}

/** Message for a missing file. */
export const MISSING = 'the file is missing.';

/** A folder. A new backup is written to a hidden folder beside it, which gets its name when it is complete. */
export class FolderTarget implements BackupTarget {
  private readonly folder: string;
  private partial: string | undefined;

  constructor(readonly shown: string) {
    this.folder = resolve(shown);
  }

  async begin(): Promise<void> {
    await this.requireUnused();
    const partial = join(dirname(this.folder), `.${basename(this.folder)}.partial-${randomUUID()}`);
    await this.reported(() => mkdir(partial, { mode: 0o700 }));
    this.partial = partial;
  }

  /** @throws BackupError unless the folder is missing or empty and its parent exists */
  private async requireUnused(): Promise<void> {
    const entries = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new BackupError(`${this.folder} is not a folder that can be used: ${error.message}.`);
    });
    if (entries.length > 0) throw new BackupError(`${this.folder} is not empty. A backup needs a new folder.`);
    await readdir(dirname(this.folder)).catch((error: Error) => {
      throw new BackupError(`The folder ${dirname(this.folder)} cannot be used: ${error.message}.`);
    });
  }

  async write(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.partial ?? this.folder, name);
    await this.reported(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const bytes of content) await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  async commit(): Promise<void> {
    await this.reported(async () => {
      await syncFolder(this.partial!);
      await rename(this.partial!, this.folder);
      await syncFolder(dirname(this.folder));
    });
  }

  async discard(): Promise<void> {
    if (this.partial) await rm(this.partial, { recursive: true, force: true });
  }

  async *read(name: string): AsyncGenerator<Buffer> {
    try {
      yield* createReadStream(join(this.folder, name), { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') throw new BackupError(MISSING, { cause: error });
      throw error;
    }
  }

  private async reported(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new BackupError(`The disk of ${this.shown} is full.`, { cause: error });
      throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Objects below a prefix of a bucket. The manifest is stored last: without it, they are no backup. */
export class S3Target implements BackupTarget {
  private begun = false;
  private completed = false;

  constructor(
    readonly shown: string,
    private readonly store: Pick<S3ObjectStore, 'list' | 'putStream' | 'get' | 'delete'>,
    private readonly prefix: string,
  ) {}

  async begin(): Promise<void> {
    await this.reported(async () => {
      for await (const { key } of this.store.list(this.prefix))
        throw new BackupError(`${this.shown} is not empty: it has ${key}. A backup needs a new prefix.`);
    });
    this.begun = true;
  }

  async write(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    let failure: unknown;
    async function* source() {
      try {
        yield* content;
      } catch (error) {
        failure = error;
        throw error;
      }
    }
    await this.reported(async () => {
      try {
        await this.store.putStream(this.prefix + name, source(), { contentType: 'application/octet-stream' });
      } catch (error) {
        // Not a failure of the store.
        if (failure) throw new SourceError(failure);
        throw error;
      }
    });
  }

  commit(): Promise<void> {
    this.completed = true;
    return Promise.resolve();
  }

  async discard(): Promise<void> {
    if (!this.begun || this.completed) return;
    try {
      for await (const { key } of this.store.list(this.prefix)) await this.store.delete(key);
    } catch (error) {
      throw new BackupError(
        `The objects of the incomplete backup could not be deleted: delete ${this.shown} (${reasonOf(error)}).`,
        { cause: error },
      );
    }
  }

  async *read(name: string): AsyncGenerator<Buffer> {
    try {
      yield* (await this.store.get(this.prefix + name)) as AsyncIterable<Buffer>;
    } catch (error) {
      if (error instanceof ObjectMissingError) throw new BackupError(MISSING, { cause: error });
      throw new BackupError(`${this.shown} cannot be read: ${reasonOf(error)}.`, { cause: error });
    }
  }

  private async reported(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof SourceError) throw error.cause;
      if (error instanceof BackupError) throw error;
      throw new BackupError(`${this.shown} cannot be written: ${reasonOf(error)}.`, { cause: error });
    }
  }
}

/** The content to store could not be read. */
class SourceError extends Error {
  constructor(override readonly cause: unknown) {
    super('the content could not be read');
  }
}

/** Reason of a failed request; some errors of connections have a code only. */
const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};

const s3Settings = z.object({
  BACKUP_S3_ENDPOINT: z.string('must be set').regex(/^https?:\/\/[^/]+\/?$/, 'must be http(s)://host[:port]'),
  BACKUP_S3_ACCESS_KEY: z.string('must be set'),
  BACKUP_S3_SECRET_KEY: z.string('must be set'),
  BACKUP_S3_REGION: z.string().default('us-east-1'),
  BACKUP_S3_VIRTUAL_HOSTS: flag(false),
  ...engineTlsSettings,
});

/**
 * The place that an operator names: a folder, or `s3://bucket/prefix` of the store that the environment names.
 * @throws BackupError, ConfigError
 */
export function targetOf(location: string, env: Record<string, string | undefined>): BackupTarget {
  if (!location.startsWith('s3://')) return new FolderTarget(location);
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^/].*?)\/?$/.exec(location) ?? [];
  if (bucket === undefined || prefix === undefined) throw new BackupError(`${location} must be s3://bucket/prefix.`);
  const config = loadConfig(s3Settings, env);
  const store = new S3ObjectStore({
    endpoint: config.BACKUP_S3_ENDPOINT,
    accessKey: config.BACKUP_S3_ACCESS_KEY,
    secretKey: config.BACKUP_S3_SECRET_KEY,
    region: config.BACKUP_S3_REGION,
    bucket,
    virtualHosts: config.BACKUP_S3_VIRTUAL_HOSTS,
    engineTls: engineTlsFiles(config),
  });
  return new S3Target(location, store, `${prefix}/`);
}
