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
 * Bytes under keys, in one bucket: what every S3 service can do, and no more. Keys are made by services, never by their users;
 * writing a key again replaces it at once and as a whole.
 */
export interface ObjectStore {
  /** Makes the bucket unless it is there. */
  ensureBucket(): Promise<void>;
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /**
   * The bytes, or a part of them, as they arrive. The stream must be read to its end or destroyed.
   * @throws ObjectMissingError
   */
  get(key: string, slice?: ByteSlice): Promise<Readable>;
  /** Undefined when there is no such object. */
  head(key: string): Promise<(ObjectInfo & { contentType: string; modified: Date }) | undefined>;
  /** Removes an object; no error when it is not there. */
  delete(key: string): Promise<void>;
  /** Objects whose key begins like this, in the order of their keys. */
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
