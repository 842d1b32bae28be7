import { randomUUID } from 'node:crypto';
import type { Component } from '../../domain/component';
import { isLocal, LOCAL_BRANCH, LOCAL_URL, ownerOf, repoUrl } from '../../domain/component';
import { newRepository, type Repository } from '../../domain/repository';
import { ServiceError } from '@parlance/errors';
import { isRepositoryPath, redactRemoteUrl } from '@parlance/git';
import { runAddonsAfterUpdate } from '../addons/run';
import { setHead } from '../repository/set-head';
import { commitPending } from '../commit/commit-pending';
import { importFiles, scanChanges } from '../import/import-files';
import { keepPendingFiles } from '../push-pull/kept-files';
import { runInRepository } from '../repository/run-operation';
import type { Deps } from '../deps';
import { baseFiles, translationFiles } from '../import/plan-import';
import { applyLocalStrings } from '../push-pull/reset';
import { importScreenshots } from '../import/import-screenshots';
import type { TaskRun, TaskWork } from './task-runner';
import { repositoryOf, withRepository } from '../repository/with-repository';

/** Settings that name another repository or branch. */
const repositorySettings = ['repo', 'branch', 'vcs'];

/** The component of a task. @throws NOT_FOUND */
export async function componentOf(deps: Pick<Deps, 'catalog'>, run: Pick<TaskRun, 'task'>): Promise<Component> {
  const component = await deps.catalog.component(run.task.component);
  if (!component) throw new ServiceError('NOT_FOUND', { message: 'The component was deleted.' });
  return component;
}

/** The repository of a stored component: shared, prepared for it, or cloned now if the prepared one was deleted. */
async function claimRepository(deps: Deps, component: Component, run: TaskRun): Promise<string> {
  const { settings, project } = component;
  const shared = settings.linkedComponentId === 0 ? null : await deps.index.repositoryOf(settings.linkedComponentId);
  if (settings.linkedComponentId !== 0 && shared === null)
    throw new ServiceError('UNAVAILABLE', { message: 'The component whose repository is shared is not imported yet.' });
  const prepared = shared === null ? await deps.repositories.ofTask(run.task.id) : null;
  let id = shared ?? prepared?.id ?? (await deps.repositories.ofOwner(settings.id))?.id ?? null;
  if (prepared && !(await deps.repositories.claim(prepared.id, settings.id))) id = null;
  if (id === null) {
    run.log('The prepared clone was deleted; cloning again');
    id = await cloneRemote(deps, component, run);
  }
  await deps.index.put(settings.id, project.id, id);
  return id;
}

async function cloneRemote(deps: Deps, component: Component, run: TaskRun): Promise<string> {
  if (isLocal(component))
    throw new ServiceError('FAILED_PRECONDITION', {
      message: 'The files of this component were deleted; upload them again.',
    });
  const id = run.task.id;
  const git = await deps.clones.create(id);
  const remote = await git.remoteBranch(repoUrl(component), component.settings.branch, run.signal);
  const head = await git.fetch(repoUrl(component), remote.branch, run.signal);
  const { settings } = component;
  const repository = newRepository({
    id,
    owner: settings.id,
    task: id,
    vcs: settings.vcs,
    repo: settings.repo,
    branch: remote.branch,
    head,
    upstream: head,
  });
  await deps.repositories.insert(repository);
  return id;
}

/** First import of a component. */
export const importComponent =
  (deps: Deps): TaskWork =>
  async (run) => {
    const component = await componentOf(deps, run);
    const repository = await claimRepository(deps, component, run);
    return withRepository(deps, repository, { user: run.task.user, log: run.log, signal: run.signal }, async (work) => {
      const { session, git, components } = work;
      const head = session.repository.head!;
      run.log(`Importing ${component.settings.name} from commit ${head.slice(0, 10)}`);
      const report = await importFiles(deps, session, git, component, head, {
        initial: true,
        log: run.log,
        progress: run.progress,
        signal: session.signal,
      });
      await importScreenshots(deps, git, component, head, run.log);
      if (session.repository.scanned === null && components.length === 1) await session.write({ scanned: head });
      run.log(`${report.units} strings in ${report.files.length} files, ${report.errors.length} files with errors`);
      await runAddonsAfterUpdate(deps, work);
      return { component: component.settings.id };
    });
  };

/** A repository operation of a component: a pull after a push notification, or a commit of edits that are old enough. */
export const operateOnComponent =
  (deps: Deps, operation: 'pull' | 'commit'): TaskWork =>
  async ({ task, log, signal }) => {
    const repository = await repositoryOf(deps, task.component);
    const outcome = await runInRepository(deps, repository, operation, { user: task.user, log, signal });
    if (!outcome.result) throw new ServiceError('FAILED_PRECONDITION', { message: outcome.detail });
    return { component: task.component };
  };

/** Handles changed settings of a component: it may use another repository, and its files are scanned again. */
export const updateComponent =
  (deps: Deps): TaskWork =>
  async (run) => {
    const component = await componentOf(deps, run);
    const { settings } = component;
    const before = await deps.index.repositoryOf(settings.id);
    const wanted =
      settings.linkedComponentId === 0
        ? ((await deps.repositories.ofTask(run.task.id))?.id ?? null)
        : await deps.index.repositoryOf(ownerOf(component));
    const moves =
      run.task.changed.some((name) => repositorySettings.includes(name)) && wanted !== null && wanted !== before;
    const revoked = moves || wanted !== null ? null : await findRevokedRepository(deps, component, before);
    const id = moves
      ? await moveToRepository(deps, component, before, wanted, run)
      : revoked
        ? await leaveSharedRepository(deps, component, revoked, run)
        : before;
    if (id === null) throw new ServiceError('NOT_FOUND', { message: 'The component has no repository.' });
    return withRepository(deps, id, { user: run.task.user, log: run.log, signal: run.signal }, async (work) => {
      const { session, git, log } = work;
      // In another repository, pending edits are compared with its texts before they are written.
      if (id === before) await commitPending(deps, work);
      // A component that got its own repository moves the components that link to it, too.
      if (id !== before && session.repository.owner === settings.id) await scanChanges(deps, work, { all: true });
      else {
        await importFiles(deps, session, git, component, session.repository.head!, {
          log,
          progress: run.progress,
          signal: session.signal,
        });
        await importScreenshots(deps, git, component, session.repository.head!, log);
      }
      if (id !== before) await commitPending(deps, work);
      return { component: settings.id };
    });
  };

/** The repository of another component that a component still uses although its settings no longer name it; null: none. */
async function findRevokedRepository(
  deps: Pick<Deps, 'repositories'>,
  { settings }: Component,
  before: string | null,
): Promise<Repository | null> {
  if (settings.linkedComponentId !== 0 || before === null) return null;
  const repository = await deps.repositories.get(before);
  return repository && repository.owner !== null && repository.owner !== settings.id ? repository : null;
}

/** Moves a component out of a repository that it may no longer share: to a local one with its files, or to its remote. */
async function leaveSharedRepository(
  deps: Deps,
  component: Component,
  from: Repository,
  run: TaskRun,
): Promise<string> {
  if (isLocal(component)) return moveToLocalRepository(deps, component, from, run);
  return moveToRepository(deps, component, from.id, await cloneRemote(deps, component, run), run);
}

/**
 * Creates a local repository with the component's own files of the shared repository, without its history and other
 * files. The lease of the shared repository is held until the component has moved, so no edit is committed there in the meantime;
 * edits stay pending. An interrupted move starts over.
 */
async function moveToLocalRepository(
  deps: Deps,
  component: Component,
  from: Repository,
  run: TaskRun,
): Promise<string> {
  const { id } = component.settings;
  const leftover = await deps.repositories.ofOwner(id);
  if (leftover) await dropRepository(deps, leftover);
  const own = newRepository({ id: randomUUID(), task: '', vcs: 'local', repo: LOCAL_URL, branch: LOCAL_BRANCH });
  await deps.queue.run(
    from.id,
    async ({ repository: shared, signal }) => {
      const changes = await readComponentFiles(deps, component, shared, signal);
      await deps.repositories.insert(own);
      const git = await deps.clones.create(own.id);
      const committer = deps.committer();
      const [head] = await git.commit(null, [{ changes, author: committer, committer, message: 'Add files' }]);
      await deps.queue.run(own.id, (session) => setHead(deps, session, git, head!), signal);
      await deps.repositories.claim(own.id, id);
      await deps.index.put(id, component.project.id, own.id);
    },
    run.signal,
  );
  run.log('The link to the shared repository was revoked; the component now uses a local one');
  return own.id;
}

/** Files of a component in the current commit of a repository: those named by its settings and those of its translations. */
async function readComponentFiles(
  deps: Deps,
  component: Component,
  shared: Repository,
  signal: AbortSignal,
): Promise<{ path: string; bytes: Buffer }[]> {
  const { head } = shared;
  if (head === null) return [];
  const git = await deps.clones.open(shared, () => formerUrl(deps, component, shared), signal);
  const paths = (await git.listFiles(head)).map(({ path }) => path).filter(isRepositoryPath);
  const own = new Set([
    ...baseFiles(component),
    ...(await translationFiles(component, paths)).map(({ path }) => path),
    ...(await deps.translations.list(component.settings.id)).map(({ filename }) => filename),
  ]);
  const files: { path: string; bytes: Buffer }[] = [];
  for (const path of paths) {
    const found = own.has(path) ? await git.readFile(head, path) : null;
    if (found) files.push({ path, bytes: found.bytes });
  }
  return files;
}

/**
 * Moves a component to another repository. Committed but unpushed texts are applied there, edits stay pending; files of
 * languages that the other repository does not have are added.
 */
async function moveToRepository(
  deps: Deps,
  component: Component,
  before: string | null,
  to: string,
  run: TaskRun,
): Promise<string> {
  const id = component.settings.id;
  const old = before === null ? null : await deps.repositories.get(before);
  const unpushed = old?.owner === id && old.upstream !== null && old.ahead > 0;
  if (old !== null && old.head !== null && (unpushed || (await deps.translations.anyPending([id]))))
    await transferStrings(deps, component, { ...old, head: old.head }, to, unpushed, run);
  // Components of other projects may share the repository.
  if (old?.owner === id) await deps.index.moveAll(old.id, to);
  await deps.index.put(id, component.project.id, to);
  if (old?.owner === id) await dropRepository(deps, old);
  if (component.settings.linkedComponentId === 0) await deps.repositories.claim(to, id);
  run.log('The component now uses another repository');
  return to;
}

/** Applies pending and unpushed texts to another repository. */
async function transferStrings(
  deps: Deps,
  component: Component,
  old: Repository & { head: string },
  to: string,
  unpushed: boolean,
  { log, signal }: TaskRun,
): Promise<void> {
  await deps.queue.run(
    to,
    async (session) => {
      const { head } = session.repository;
      if (head === null) return;
      const git = await deps.clones.open(session.repository, async () => repoUrl(component), session.signal);
      const from = await deps.clones.open(old, () => formerUrl(deps, component, old), session.signal);
      const base =
        unpushed && old.upstream !== null ? ((await from.mergeBase(old.head, old.upstream)) ?? old.upstream) : null;
      const applied =
        base === null
          ? { head, events: [] }
          : await applyLocalStrings(deps, { git: from, base, local: old.head }, { git, head }, [component], log);
      const kept = await keepPendingFiles(
        deps,
        [component],
        { git: from, head: old.head },
        { git, head: applied.head },
        log,
      );
      if (kept.conflicts.length > 0) await deps.translations.recordConflicts(kept.conflicts, head);
      const events = [...applied.events, ...kept.events];
      if (kept.head !== head) await setHead(deps, session, git, kept.head, {}, events);
    },
    signal,
  );
}

/** Address of a repository that a component leaves. The settings name the other one already. */
async function formerUrl(deps: Deps, component: Component, old: Repository): Promise<string> {
  if (old.owner !== component.settings.id) {
    const owner = old.owner === null ? null : await deps.catalog.component(old.owner);
    return owner ? repoUrl(owner) : old.repo;
  }
  const url = repoUrl(component);
  return redactRemoteUrl(url) === old.repo ? url : old.repo;
}

/**
 * Deletes the document, the saved commits and the local clone of a repository. Other workers delete their clones on their own.
 */
export async function dropRepository(
  deps: Pick<Deps, 'repositories' | 'commits' | 'clones'>,
  repository: Repository,
): Promise<void> {
  await deps.repositories.remove(repository.id);
  for (const saved of repository.saved) await deps.commits.remove(saved.id);
  await deps.clones.drop(repository.id);
}

/** Handles a deleted component. The repository is deleted with its last component. */
export async function removeComponent(
  deps: Pick<Deps, 'repositories' | 'commits' | 'clones' | 'index'>,
  component: number,
): Promise<void> {
  const id = await deps.index.repositoryOf(component);
  await deps.index.remove(component);
  if (id === null) return;
  const repository = await deps.repositories.get(id);
  if (repository && (repository.owner === component || (await deps.index.componentsOf(id)).length === 0))
    await dropRepository(deps, repository);
}
