import { randomUUID } from 'node:crypto';
import { serviceNames, type ServiceName } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { chunks } from '@parlance/grpc-kit';
import { longCall, shortCall, together, type BackupDeps } from './deps';
import { BackupError } from './target';
import { BackupLease } from './lease';
import type { StoredContent } from './manifest';
import type { StoredBackup } from './read';
import { batchesOf, decodeObject } from './records';

/** Message to clients until the operator switches maintenance mode off. */
const MESSAGE = 'This installation is being restored from a backup.';
const RETRY_AFTER_SECONDS = 600;

/** Events of installations that have been in use. */
const USED = ['projectCreated', 'componentCreated', 'translationUpdated'] as const;

/**
 * Loads a verified backup into an empty installation, which stays in maintenance mode: its processes must be restarted first.
 * @throws BackupError, ServiceError
 */
export async function restoreBackup(deps: BackupDeps, backup: StoredBackup): Promise<void> {
  const { manifest } = backup;
  await requireTarget(deps, backup);
  const lease = await BackupLease.acquire(deps, randomUUID());
  const leased = { ...deps, signal: lease.signal };
  const { system } = deps;
  try {
    const maintenance = { on: true, message: MESSAGE, retryAfterSeconds: RETRY_AFTER_SECONDS };
    await system.catalog.setMaintenance({ maintenance }, shortCall(leased));
    for (const name of serviceNames) await system.backup(name).beginLoad({ backup: manifest.id }, longCall(leased));
    deps.report('Loading ...');
    await together(leased, serviceNames, (own, name) => loadService(own, backup, name));
    for (const name of serviceNames) await system.backup(name).finishLoad({ backup: manifest.id }, shortCall(leased));
  } finally {
    await lease.release();
  }
}

/** @throws BackupError unless all services can take the backup; they check once more that they are empty */
async function requireTarget(deps: BackupDeps, { manifest }: StoredBackup): Promise<void> {
  const problems: string[] = [];
  let interrupted = false;
  for (const name of serviceNames) {
    const stored = manifest.services[name];
    const store = await deps.system.backup(name).describeStore({}, shortCall(deps));
    if (store.loading) interrupted = true;
    if (!stored) {
      problems.push(`The backup has no data of ${name}.`);
      continue;
    }
    problems.push(...missingKeys(name, store, manifest));
    const known = new Set(store.collections.filter(({ copied }) => copied).map((each) => each.name));
    const unknown = Object.keys(stored.collections).filter((collection) => !known.has(collection));
    if (unknown.length > 0)
      problems.push(`${name} does not know these collections of the backup: ${unknown.join(', ')}.`);
    const filled = store.collections.filter((each) => each.copied && each.filled).map((each) => each.name);
    if (filled.length > 0 && !store.loading)
      problems.push(`${name} is not empty: ${filled.join(', ')}. A backup is restored into a new installation.`);
  }
  if (!interrupted && (await deps.events.holds(USED)))
    problems.push('The event stream holds events of an installation in use. Start with an empty event server.');
  if (problems.length > 0) throw new BackupError(problems.join('\n'));
}

/** A problem, if the service cannot read the secrets of the backup. A backup that was made during a rotation needs all keys of that time. */
export function missingKeys(
  name: ServiceName,
  store: { keyFingerprint: string },
  { services }: StoredBackup['manifest'],
): string[] {
  const accepted = store.keyFingerprint.split(',');
  const needed = services[name]?.key_fingerprint.split(',') ?? [];
  return needed.every((key) => accepted.includes(key))
    ? []
    : [`${name} needs the PARLANCE_ENCRYPTION_KEY of the installation of the backup to read its secrets.`];
}

async function loadService(deps: BackupDeps, backup: StoredBackup, name: ServiceName): Promise<void> {
  const { collections, objects } = backup.manifest.services[name]!;
  for (const [collection, content] of Object.entries(collections))
    await loadCollection(deps, backup, { name, collection, content });
  if (!objects) return;
  for await (const record of backup.records(objects)) {
    const { key, contentType, bytes } = decodeObject(record);
    async function* requests() {
      yield await Promise.resolve({ key, contentType });
      for (const chunk of chunks(bytes)) yield { chunk };
    }
    await deps.system.backup(name).loadObject(requests(), longCall(deps));
  }
}

async function loadCollection(
  deps: BackupDeps,
  backup: StoredBackup,
  { name, collection, content }: { name: ServiceName; collection: string; content: StoredContent },
): Promise<void> {
  async function* requests() {
    yield { collection };
    for await (const documents of batchesOf(backup.records(content))) yield { documents };
  }
  const { documents } = await deps.system
    .backup(name)
    .loadCollection(requests(), longCall(deps))
    .catch((error: unknown) => {
      if (!isServiceError(error, 'INTERNAL')) throw error;
      throw new BackupError(`${name} could not load ${collection}. The log of ${name} names the reason.`);
    });
  if (documents !== content.documents)
    throw new BackupError(`${name} loaded ${documents} of ${content.documents} documents of ${collection}.`);
}
