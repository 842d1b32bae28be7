import type { Readable } from 'node:stream';

/** Thrown when a missing object is read. */
export class ObjectMissingError extends Error {
  constructor(readonly key: string) {
    super(`object ${key} does not exist`);
    this.name = 'ObjectMissingError';
  }
}

/** A range of an object, in bytes. */
export interface ByteSlice {
  offset: number;
  length: number;
}

export interface ObjectInfo {
  key: string;
  /** Bytes. */
  size: number;
}

/**
 * Objects in one bucket, with the operations that every S3 service supports. Services generate the keys, never users;
 * writing an existing key replaces the object atomically.
 */
export interface ObjectStore {
  /** Creates the bucket if it does not exist. */
  ensureBucket(): Promise<void>;
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /**
   * Streams an object or a range of it. The stream must be read to its end or destroyed.
   * @throws ObjectMissingError
   */
  get(key: string, slice?: ByteSlice): Promise<Readable>;
  /** Undefined for a missing object. */
  head(key: string): Promise<(ObjectInfo & { contentType: string; modified: Date }) | undefined>;
  /** Deletes an object. Idempotent. */
  delete(key: string): Promise<void>;
  /** Objects with a key prefix, ordered by key. */
  list(prefix?: string): AsyncIterable<ObjectInfo>;
  /** Whether the bucket can be reached, for readiness. */
  reachable(): Promise<boolean>;
}

/** Segments between slashes. The character set needs no escaping in URLs and is valid in every S3 service. */
const KEY = /^(?!.*\.\.)[A-Za-z0-9~][A-Za-z0-9._-]*(\/[A-Za-z0-9~][A-Za-z0-9._-]*)*$/;

/** @throws Error when the key is invalid */
export function checkKey(key: string): string {
  if (key.length > 512 || !KEY.test(key))
    throw new Error(`not a key of an object: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}
