import type { Readable } from 'node:stream';

/** Thrown when an object is read that is not there. */
export class ObjectMissingError extends Error {
  constructor(readonly key: string) {
    super(`there is no object ${key}`);
    this.name = 'ObjectMissingError';
  }
}

/** A part of an object, in bytes. */
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
 * Objects in one bucket, with the operations that every S3 service supports. Keys are made by services, never by users;
 * writing an existing key replaces the object atomically.
 */
export interface ObjectStore {
  /** Makes the bucket unless it is there. */
  ensureBucket(): Promise<void>;
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /**
   * Streams an object or a range of it. The stream must be read to its end or destroyed.
   * @throws ObjectMissingError
   */
  get(key: string, slice?: ByteSlice): Promise<Readable>;
  /** Undefined when there is no such object. */
  head(key: string): Promise<(ObjectInfo & { contentType: string; modified: Date }) | undefined>;
  /** Removes an object; no error when it is not there. */
  delete(key: string): Promise<void>;
  /** Objects with a key prefix, ordered by key. */
  list(prefix?: string): AsyncIterable<ObjectInfo>;
  /** Whether the bucket can be reached, for readiness. */
  reachable(): Promise<boolean>;
}

/** Letters, digits and few signs, in parts between slashes: the same key everywhere, and no surprises in addresses. */
const KEY = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** @throws Error for a key that is not of the form a/b/c */
export function checkKey(key: string): string {
  if (key.length > 512 || !KEY.test(key))
    throw new Error(`not a key of an object: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}
