import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, type ServiceName } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { Copy, type Candidate } from './copy';
import { longCall, shortCall, together, type BackupDeps } from './deps';
import { BackupFiles } from './files';
import { BackupLease } from './lease';
import { FORMAT, newKey, writeManifest, type Manifest } from './manifest';
import { encodeObject, idOf, recordsOf } from './records';
import { BackupError, type BackupTarget } from './target';

/** Quiet time before the copy of the last changes begins: longer than gateways cache the maintenance mode. In milliseconds. */
const QUIET_MS = 3_000;
const POLL_MS = 250;
/** Attempts to copy the last changes without a write in between. */
const ATTEMPTS = 3;

export interface CreateOptions {
  passphrase: string | undefined;
  /** How long to wait until no task runs and no event is pending, in milliseconds. */
  quietWithinMs: number;
  /** Version of the product. */
  version: string;
}

/** Collections and objects of a service that are copied. */
interface ServiceCopy {
  name: ServiceName;
  keyFingerprint: string;
  collections: Map<string, Copy>;
  objects: Copy | null;
}

/**
 * Copies all data of the running installation. The backup appears when the copy is complete.
 * @throws BackupError, ServiceError
 */
export async function createBackup(deps: BackupDeps, target: BackupTarget, options: CreateOptions): Promise<Manifest> {
  await target.begin();
  const id = randomUUID();
  const { master, encryption } =
    options.passphrase === undefined ? { master: null, encryption: null } : newKey(options.passphrase);
  const lease = await BackupLease.acquire(deps, id).catch(async (error: unknown) => {
    await target.discard();
    throw error;
  });
  const leased = { ...deps, signal: lease.signal };
  try {
    const started = new Date();
    const copies = await planCopies(leased, new BackupFiles(target, master));
    deps.report('Copying while the installation is in use ...');
    await passOfAll(leased, copies);
    await waitForBacklogs(leased, options.quietWithinMs);
    const { window, sequence } = await copyLastChanges(leased, lease, copies, options.quietWithinMs);
    const manifest: Manifest = {
      product: 'parlance',
      format: FORMAT,
      version: options.version,
      id,
      started: started.toISOString(),
      finished: new Date().toISOString(),
      read_only: window,
      event_sequence: sequence,
      encryption,
      services: await finishCopies(copies),
    };
    await writeManifest(target, manifest, master);
    await target.commit();
    return manifest;
  } catch (error) {
    lease.signal.throwIfAborted();
    throw error;
  } finally {
    await lease.release();
    await target.discard();
  }
}

async function planCopies(deps: BackupDeps, files: BackupFiles): Promise<ServiceCopy[]> {
  return Promise.all(
    serviceNames.map(async (name) => {
      const store = await deps.system.backup(name).describeStore({}, shortCall(deps));
      if (store.loading)
        throw new BackupError('A restore into this installation was interrupted: there is nothing to back up.');
      const copied = store.collections.filter((each) => each.copied).map((each) => each.name);
      return {
        name,
        keyFingerprint: store.keyFingerprint,
        collections: new Map(copied.map((each) => [each, new Copy(files, `${name}/${each}`)])),
        objects: store.hasObjects ? new Copy(files, `${name}/~objects`) : null,
      };
    }),
  );
}

async function* documentsOf(deps: BackupDeps, name: ServiceName, collection: string): AsyncGenerator<Candidate> {
  const stream = deps.system.backup(name).dumpCollection({ collection }, longCall(deps));
  async function* bytes() {
    for await (const { documents } of stream) yield documents;
  }
  for await (const document of recordsOf(bytes()))
    yield { id: idOf(document), content: document, record: () => document };
}

/** Objects never change: an upload has a new key. */
async function* objectsOf(deps: BackupDeps, name: ServiceName): AsyncGenerator<Candidate> {
  for await (const { key, size } of deps.system.backup(name).listObjects({}, longCall(deps)))
    yield { id: Buffer.from(key), content: Buffer.from(String(size)), record: () => readObject(deps, name, key) };
}

async function readObject(deps: BackupDeps, name: ServiceName, key: string): Promise<Buffer | undefined> {
  let contentType = '';
  const parts: Buffer[] = [];
  try {
    for await (const part of deps.system.backup(name).dumpObject({ key }, shortCall(deps))) {
      contentType ||= part.contentType;
      parts.push(part.chunk);
    }
  } catch (error) {
    if (isServiceError(error) && error.reason === 'NOT_FOUND') return undefined;
    throw error;
  }
  return encodeObject({ key, contentType, bytes: Buffer.concat(parts) });
}

const passOfAll = (deps: BackupDeps, copies: readonly ServiceCopy[]): Promise<void> =>
  together(deps, copies, async (own, { name, collections, objects }) => {
    for (const [collection, copy] of collections) await copy.pass(documentsOf(own, name, collection));
    await objects?.pass(objectsOf(own, name));
  });

const copiesOf = ({ collections, objects }: ServiceCopy): Copy[] => [
  ...collections.values(),
  ...(objects ? [objects] : []),
];

/** Makes the installation read-only, and copies the changes since the first pass. */
async function copyLastChanges(
  deps: BackupDeps,
  lease: BackupLease,
  copies: readonly ServiceCopy[],
  quietWithinMs: number,
): Promise<{ window: Manifest['read_only']; sequence: number }> {
  const { system } = deps;
  const { maintenance } = await system.catalog.getMaintenance({}, shortCall(deps));
  const ownWindow = !maintenance?.on;
  const from = new Date();
  let until: Date;
  let sequence: number;
  try {
    if (ownWindow) await lease.openWindow();
    deps.report(ownWindow ? 'The installation is read-only.' : 'The installation is read-only already.');
    sequence = await copyUndisturbed(deps, copies, quietWithinMs);
  } finally {
    await lease.closeWindow();
    until = new Date();
  }
  const milliseconds = until.getTime() - from.getTime();
  if (ownWindow) deps.report(`The installation accepts writes again, after ${(milliseconds / 1000).toFixed(1)} s.`);
  return { window: { from: from.toISOString(), until: until.toISOString(), milliseconds }, sequence };
}

/** Copies changes until a whole pass saw no write. @returns the last event that the copy includes */
async function copyUndisturbed(
  deps: BackupDeps,
  copies: readonly ServiceCopy[],
  quietWithinMs: number,
): Promise<number> {
  const { system } = deps;
  const switchedOn = async () => (await system.catalog.getMaintenance({}, shortCall(deps))).maintenance;
  const since = (await switchedOn())?.sinceMs;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const sequence = await waitUntilQuiet(deps, quietWithinMs);
    await passOfAll(deps, copies);
    const { lastSequence } = await deps.events.position();
    const { activity: busy } = await writesOf(deps);
    const now = await switchedOn();
    if (!now?.on || now.sinceMs !== since)
      throw new BackupError('Maintenance mode was switched off during the backup.');
    const complete = copies.flatMap(copiesOf).every((copy) => copy.complete);
    if (lastSequence === sequence && busy.length === 0 && complete) return sequence;
    deps.report('There was a write during the copy: copying the changes once more ...');
  }
  throw new BackupError(`Writes did not stop in maintenance mode: ${ATTEMPTS} copies were disturbed.`);
}

/** Work in progress: tasks, outboxes and consumers that have not handled all events. */
async function workOf(deps: BackupDeps): Promise<{ lastSequence: number; busy: string[] }> {
  const [{ lastSequence, behind }, { activity }] = await Promise.all([deps.events.position(), writesOf(deps)]);
  return { lastSequence, busy: [...activity, ...Object.keys(behind).map(eventsOf)] };
}

const eventsOf = (consumer: string) => `events of ${consumer}`;

const tooLong = (withinMs: number, busy: readonly string[]) =>
  new BackupError(
    `Work did not end within ${Math.round(withinMs / 1000)} s: ${busy.join(', ') || 'new events arrive'}.`,
  );

/**
 * Waits until long work in progress ends and its events are handled, so that the read-only time does not include it. Edits go on meanwhile,
 * and work that begins later is not waited for: a system in use always has some.
 */
async function waitForBacklogs(deps: BackupDeps, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  let waiting: string[] | undefined;
  const { lastSequence } = await deps.events.position();
  for (;;) {
    const [{ behind }, { backlog }] = await Promise.all([deps.events.position(), writesOf(deps)]);
    const consumers = Object.entries(behind).filter(([, handled]) => handled < lastSequence);
    const now = new Set([...backlog, ...consumers.map(([name]) => eventsOf(name))]);
    waiting = (waiting ?? [...now]).filter((each) => now.has(each));
    if (waiting.length === 0) return;
    if (Date.now() > deadline) throw tooLong(withinMs, waiting);
    await pause(POLL_MS, undefined, { signal: deps.signal });
  }
}

/** Waits until no write is in progress anywhere. @returns the last sequence of the events */
async function waitUntilQuiet(deps: BackupDeps, withinMs: number): Promise<number> {
  const deadline = Date.now() + withinMs;
  let quietSince = Date.now();
  let last = -1;
  for (;;) {
    const { lastSequence, busy } = await workOf(deps);
    if (busy.length > 0 || lastSequence !== last) quietSince = Date.now();
    last = lastSequence;
    if (Date.now() - quietSince >= QUIET_MS) return lastSequence;
    if (Date.now() > deadline) throw tooLong(withinMs, busy);
    await pause(POLL_MS, undefined, { signal: deps.signal });
  }
}

/** Writes in progress, by service and collection, and those of them that may take longer than seconds. */
async function writesOf(deps: BackupDeps): Promise<{ activity: string[]; backlog: string[] }> {
  const found = await Promise.all(
    serviceNames.map(async (name) => {
      const { activity, backlog } = await deps.system.backup(name).describeStore({}, shortCall(deps));
      const named = (each: string) => `${each} of ${name}`;
      return { activity: activity.map(named), backlog: backlog.map(named) };
    }),
  );
  return {
    activity: found.flatMap(({ activity }) => activity),
    backlog: found.flatMap(({ backlog }) => backlog),
  };
}

async function finishCopies(copies: readonly ServiceCopy[]): Promise<Manifest['services']> {
  const services: Manifest['services'] = {};
  for (const { name, keyFingerprint, collections, objects } of copies) {
    const finished: Manifest['services'][string] = {
      key_fingerprint: keyFingerprint,
      collections: {},
      objects: objects && (await objects.finish()),
    };
    for (const [collection, copy] of collections) finished.collections[collection] = await copy.finish();
    services[name] = finished;
  }
  return services;
}
