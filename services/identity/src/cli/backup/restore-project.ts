import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { serviceNames, type ServiceName } from '@parlance/contracts';
import { chunks } from '@parlance/grpc-kit';
import { longCall, shortCall, type BackupDeps } from './deps';
import { BackupLease } from './lease';
import type { StoredContent } from './manifest';
import type { StoredBackup } from './read';
import { batchesOf, decodeObject } from './records';
import { missingKeys } from './restore';
import { BackupError } from './target';

/** Interval of checks for remaining data of a deleted project, in milliseconds. */
const CHECK_INTERVAL_MS = 2_000;
/** Ids in one message of a request. */
const IDS = 5_000;

/** Later services refer to ids of earlier ones. The catalog shows the project, so it finishes last. */
const LOAD_ORDER: readonly ServiceName[] = ['catalog', 'translation', 'media', 'vcs-worker', 'hooks', 'identity'];
const FINISH_ORDER: readonly ServiceName[] = [...LOAD_ORDER.slice(1), 'catalog'];

interface RestoredId {
  kind: string;
  from: string;
  to: string;
}

interface ProjectInBackup {
  id: number;
  slug: string;
  name: string;
}

/**
 * Restores one deleted project into an installation in use. The project appears atomically. After a failure or Ctrl-C the loaded data is
 * deleted; after a kill, the next restore of a project deletes it.
 * @param waitMs how long to wait for the deletion of the project to be complete
 * @returns the number of restored documents
 * @throws BackupError, ServiceError
 */
export async function restoreProject(
  deps: BackupDeps,
  backup: StoredBackup,
  slug: string,
  waitMs: number,
): Promise<{ documents: number; images: number }> {
  const project = await findProject(backup, slug);
  await requireTarget(deps, backup);
  const lease = await BackupLease.acquire(deps, randomUUID());
  const leased = { ...deps, signal: lease.signal };
  try {
    const { projectId, abandonedId } = await deps.system
      .backup('catalog')
      .beginProject({ projectId: project.id, slug: project.slug, name: project.name }, shortCall(leased));
    try {
      await waitForDeletion(leased, [project.id, ...(abandonedId > 0 ? [abandonedId] : [])], waitMs);
      deps.report('Loading ...');
      const ids = [{ kind: 'project', from: String(project.id), to: String(projectId) }];
      const documents = await loadAll(leased, backup, ids);
      const images = await loadImages(leased, backup, ids);
      for (const name of FINISH_ORDER) await deps.system.backup(name).finishProject({ projectId }, longCall(leased));
      return { documents, images };
    } catch (error) {
      // Also after Ctrl-C. Without an answer, the next restore of a project does it.
      await deps.system
        .backup('catalog')
        .abandonProject({ projectId }, deps.system.as)
        .catch(() => deps.report('The loaded data is not deleted yet: the next restore of a project does it.'));
      throw error;
    }
  } finally {
    await lease.release();
  }
}

/** @throws BackupError */
async function findProject(backup: StoredBackup, slug: string): Promise<ProjectInBackup> {
  // Only this command parses documents: the driver would delay the start of all others.
  const { readDocument } = await import('@parlance/store-kit');
  const content = backup.manifest.services['catalog']?.collections['projects'];
  const known: string[] = [];
  for await (const record of content ? backup.records(content) : []) {
    const { _id, removed, settings } = readDocument(record) as {
      _id: number;
      removed: boolean;
      settings: { slug: string; name: string };
    };
    if (removed) continue;
    if (settings.slug === slug) return { id: _id, slug, name: settings.name };
    known.push(settings.slug);
  }
  throw new BackupError(`The backup has no project "${slug}". It has: ${known.sort().join(', ')}.`);
}

/** @throws BackupError unless the installation is complete and can read the secrets of the backup */
async function requireTarget(deps: BackupDeps, { manifest }: StoredBackup): Promise<void> {
  const problems: string[] = [];
  for (const name of serviceNames) {
    const store = await deps.system.backup(name).describeStore({}, shortCall(deps));
    if (store.loading) problems.push(`${name} is being restored from a full backup. Complete that first.`);
    problems.push(...missingKeys(name, store, manifest));
  }
  if (problems.length > 0) throw new BackupError(problems.join('\n'));
}

/** Restored documents keep their ids, so the deletion of the project must be complete. @throws BackupError */
async function waitForDeletion(deps: BackupDeps, projectIds: number[], waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let isReported = false; ; isReported = true) {
    const left: string[] = [];
    for (const name of LOAD_ORDER) {
      const { remaining } = await deps.system.backup(name).describeProjects({ projectIds }, longCall(deps));
      left.push(...remaining.map((collection) => `${name}.${collection}`));
    }
    if (left.length === 0) return;
    if (Date.now() > deadline)
      throw new BackupError(
        `Data of the deleted project is left in ${left.join(', ')}. Try again later, or raise --wait.`,
      );
    if (!isReported) deps.report('Waiting for the end of the deletion ...');
    await delay(CHECK_INTERVAL_MS, undefined, { signal: deps.signal });
  }
}

/** Adds the ids of everything that is loaded to `ids`. */
async function loadAll(deps: BackupDeps, backup: StoredBackup, ids: RestoredId[]): Promise<number> {
  let documents = 0;
  for (const name of LOAD_ORDER) {
    const { collections } = await deps.system.backup(name).describeProjects({ projectIds: [] }, shortCall(deps));
    const stored = backup.manifest.services[name]?.collections ?? {};
    for (const { name: collection, allocates } of collections) {
      const content = stored[collection];
      if (!content) continue;
      const load = async (allocate: boolean) => {
        const requests = requestsOf(backup, content, { collection, allocate, ids });
        const loaded = await deps.system.backup(name).loadProject(requests, longCall(deps));
        ids.push(...loaded.ids);
        documents += loaded.documents;
      };
      if (allocates) await load(true);
      await load(false);
    }
  }
  return documents;
}

async function* requestsOf(
  backup: StoredBackup,
  content: StoredContent,
  { collection, allocate, ids }: { collection: string; allocate: boolean; ids: readonly RestoredId[] },
) {
  yield { collection, allocate, ids: ids.slice(0, IDS) };
  for (let at = IDS; at < ids.length; at += IDS) yield { ids: ids.slice(at, at + IDS) };
  for await (const documents of batchesOf(backup.records(content))) yield { documents };
}

/** @returns the number of images */
async function loadImages(deps: BackupDeps, backup: StoredBackup, ids: readonly RestoredId[]): Promise<number> {
  const wanted = new Set(ids.filter(({ kind }) => kind === 'image').map(({ from }) => from));
  const { objects } = backup.manifest.services['media'] ?? {};
  let images = 0;
  for await (const record of objects && wanted.size > 0 ? backup.records(objects) : []) {
    const { key, contentType, bytes } = decodeObject(record);
    if (!wanted.has(key)) continue;
    async function* requests() {
      yield await Promise.resolve({ key, contentType, ofProject: true });
      for (const chunk of chunks(bytes)) yield { chunk };
    }
    await deps.system.backup('media').loadObject(requests(), longCall(deps));
    images++;
  }
  return images;
}
