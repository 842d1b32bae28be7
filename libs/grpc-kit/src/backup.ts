import { ServiceError } from '@parlance/errors';
import { projectHandlers, type ProjectBackups } from './backup-projects';
import { chunks } from './streams';
import type { CallContext, Implementation } from './types';

/** A collection of a store, as a backup sees it. */
export interface BackedUpCollection {
  name: string;
  /** Part of a backup. */
  copied: boolean;
  /** It holds more than a new installation creates at its start. */
  filled: boolean;
}

/** The documents of a service. */
export interface BackedUpStore {
  /** Identifies the key that seals secrets in documents; '' without one. */
  readonly keyFingerprint: string;
  /** Missing in a store without sealed texts. */
  readonly sealed?: SealedStore | undefined;
  /** @throws if a collection has no rule */
  collections(): Promise<BackedUpCollection[]>;
  /** Writes in progress, for people, and one entry for each that may take longer than seconds. */
  activity(): Promise<{ activity: string[]; backlog: string[] }>;
  /** All documents of a collection as BSON, in batches. */
  dump(collection: string): AsyncIterable<Buffer>;
  /** Id of the backup whose load has begun and not finished; '': none. */
  loading(): Promise<string>;
  /** Empties the store, after the caller has checked that no data is lost, and remembers that a load has begun. */
  beginLoad(backup: string): Promise<void>;
  /** @returns the number of inserted documents */
  load(collection: string, batches: AsyncIterable<Buffer>): Promise<number>;
  finishLoad(): Promise<void>;
  /** @returns false: another holder has the lease */
  holdLease(holder: string, durationMs: number): Promise<boolean>;
  releaseLease(holder: string): Promise<void>;
}

/** The sealed texts of a service's documents. */
export interface SealedStore {
  /** How many texts each accepted key has sealed, the current key first. */
  count(): Promise<{ keys: { key: string; count: number }[]; unreadable: number }>;
  /** Seals a batch of texts with the current key. */
  reseal(): Promise<{ resealed: number; more: boolean }>;
}

/** The objects of a service, such as images. */
export interface BackedUpObjects {
  list(): AsyncIterable<{ key: string; size: number }>;
  /** Undefined for a missing object. */
  get(key: string): Promise<{ contentType: string; bytes: AsyncIterable<Buffer> } | undefined>;
  put(key: string, contentType: string, bytes: Buffer): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Maximum size of an object, in bytes. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** @throws PERMISSION_DENIED unless the caller is the operator's command */
function requireOperator({ caller }: CallContext): void {
  if (caller.service !== 'operator') throw new ServiceError('PERMISSION_DENIED');
}

const failedPrecondition = (message: string) => new ServiceError('FAILED_PRECONDITION', { message });

async function requireLoading(store: BackedUpStore): Promise<string> {
  const loading = await store.loading();
  if (!loading) throw failedPrecondition('No load has begun.');
  return loading;
}

async function keysOf(objects: BackedUpObjects | undefined): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects?.list() ?? []) keys.push(key);
  return keys;
}

function dumpHandlers(
  store: BackedUpStore,
  objects?: BackedUpObjects,
): Pick<Implementation<'backup'>, 'describeStore' | 'dumpCollection' | 'listObjects' | 'dumpObject'> {
  return {
    async describeStore(_request, context) {
      requireOperator(context);
      return {
        collections: await store.collections(),
        keyFingerprint: store.keyFingerprint,
        ...(await store.activity()),
        loading: await store.loading(),
        hasObjects: objects !== undefined,
      };
    },
    async *dumpCollection({ collection }, context) {
      requireOperator(context);
      for await (const documents of store.dump(collection)) yield { documents };
    },
    async *listObjects(_request, context) {
      requireOperator(context);
      yield* objects?.list() ?? [];
    },
    async *dumpObject({ key }, context) {
      requireOperator(context);
      const found = await objects?.get(key);
      if (!found) throw new ServiceError('NOT_FOUND');
      yield { contentType: found.contentType };
      for await (const bytes of found.bytes) for (const chunk of chunks(bytes)) yield { chunk };
    },
  };
}

function loadHandlers(
  store: BackedUpStore,
  objects?: BackedUpObjects,
): Pick<Implementation<'backup'>, 'beginLoad' | 'loadCollection' | 'loadObject' | 'finishLoad'> {
  return {
    async beginLoad({ backup }, context) {
      requireOperator(context);
      if (!backup) throw failedPrecondition('The backup has no id.');
      const interrupted = await store.loading();
      const keys = await keysOf(objects);
      if (!interrupted) {
        const filled = (await store.collections()).filter((each) => each.copied && each.filled);
        if (filled.length > 0)
          throw failedPrecondition(`The store is not empty: ${filled.map(({ name }) => name).join(', ')}.`);
        if (keys.length > 0) throw failedPrecondition(`The bucket is not empty: it has ${keys.length} objects.`);
      }
      await store.beginLoad(backup);
      for (const key of keys) await objects!.delete(key);
      return {};
    },
    async loadCollection(requests, context) {
      requireOperator(context);
      await requireLoading(store);
      const reader = requests[Symbol.asyncIterator]();
      const first = await reader.next();
      if (first.done) throw failedPrecondition('The request has no collection.');
      async function* batches() {
        for (let next = first; !next.done; next = await reader.next())
          if (next.value.documents.length > 0) yield next.value.documents;
      }
      return { documents: await store.load(first.value.collection, batches()) };
    },
    async loadObject(requests, context) {
      requireOperator(context);
      if (!objects) throw failedPrecondition('The service has no objects.');
      let key = '';
      let contentType = '';
      let size = 0;
      const parts: Buffer[] = [];
      for await (const request of requests) {
        if (parts.length === 0 && !request.ofProject) await requireLoading(store);
        key ||= request.key;
        contentType ||= request.contentType;
        size += request.chunk.length;
        if (size > MAX_OBJECT_BYTES) throw failedPrecondition(`The object ${key} is too large.`);
        parts.push(request.chunk);
      }
      await objects.put(key, contentType, Buffer.concat(parts));
      return {};
    },
    async finishLoad({ backup }, context) {
      requireOperator(context);
      const loading = await requireLoading(store);
      if (loading !== backup) throw failedPrecondition(`The backup ${loading} is being loaded, not ${backup}.`);
      await store.finishLoad();
      return {};
    },
  };
}

/** Handlers of the backup contract, for the operator's command. */
export function backupHandlers(
  store: BackedUpStore,
  { objects, projects }: { objects?: BackedUpObjects; projects?: ProjectBackups } = {},
): Implementation<'backup'> {
  return {
    ...projectHandlers(requireOperator, projects),
    ...dumpHandlers(store, objects),
    ...loadHandlers(store, objects),
    async holdLease({ holder, durationMs }, context) {
      requireOperator(context);
      if (!(await store.holdLease(holder, durationMs)))
        throw new ServiceError('CONFLICT', { message: 'Another backup or restore is in progress.' });
      return {};
    },
    async releaseLease({ holder }, context) {
      requireOperator(context);
      await store.releaseLease(holder);
      return {};
    },
    async countSecrets(_request, context) {
      requireOperator(context);
      return (await store.sealed?.count()) ?? { keys: [], unreadable: 0 };
    },
    async resealSecrets(_request, context) {
      requireOperator(context);
      return (await store.sealed?.reseal()) ?? { resealed: 0, more: false };
    },
  };
}
