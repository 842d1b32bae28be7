import type { common, translation } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { isRepositoryPath, type GitRepository, type TreeEntry } from '@parlance/git';
import { addonsFor } from '../../domain/addon';
import type { Component } from '../../domain/component';
import type { ImportFile } from '../../domain/ports';
import { Action, alertEvents, changeEvent, lockedByFailure, lockEvents, unlockEvents } from '../change-events';
import type { Log, Deps } from '../deps';
import { baseFiles, planImport, translationFiles, type PlannedFile } from './plan-import';
import type { Session } from '../repository/repository-queue';
import { importScreenshots } from './import-screenshots';
import type { RepositoryWork } from '../repository/repository-work';

/** Size limit of a translation file, in bytes; the translation service has the same limit. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface ImportRequest {
  /** Limits the import to these paths; absent: all files, and translations without a file are deleted. */
  only?: ReadonlySet<string>;
  initial?: boolean;
  /** A user uploaded the files. */
  upload?: boolean;
  author?: common.Author;
  log: Log;
  /** Called with the progress, from 0 to 1. */
  progress?: (share: number) => void;
  signal?: AbortSignal;
}

export interface ImportReport {
  files: translation.ImportFileResult__Output[];
  units: number;
  errors: translation.FileError__Output[];
}

const locationOf = (error: translation.FileError__Output): string =>
  error.line > 0 ? `${error.path}, line ${error.line}` : error.path;

/** Prefetches files and yields them in order. */
async function* readPlannedFiles(
  git: GitRepository,
  planned: readonly PlannedFile[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportFile> {
  const blobs = git.readBlobs(planned, signal);
  for (const { size: _size, ...file } of planned) {
    const next = await blobs.next();
    if (next.done) throw new Error('A file is missing from the repository.');
    yield { ...file, bytes: next.value.bytes };
  }
}

/** Translation files whose names cannot be written, so edits of their strings could never be committed. */
async function unwritablePaths(
  component: Component,
  tree: readonly TreeEntry[],
): Promise<translation.FileError__Output[]> {
  const paths = tree.map(({ path }) => path).filter((path) => !isRepositoryPath(path));
  return (await translationFiles(component, paths)).map(({ path }) => ({
    path: JSON.stringify(path).slice(1, -1),
    line: 0,
    column: 0,
    message: 'The file name contains control characters, backslashes or bytes that are not UTF-8; rename it.',
  }));
}

/** Marks that add-ons request for imported strings. */
async function importMarks(
  deps: Pick<Deps, 'catalog'>,
  component: Component,
): Promise<{ marks?: translation.ImportMarks }> {
  const names = addonsFor(await deps.catalog.addons([component.settings.id]), component, 'import').map(
    (addon) => addon.definition.name,
  );
  if (names.length === 0) return {};
  return {
    marks: {
      newSources: names.includes('weblate.flags.source_edit'),
      newTexts: names.includes('weblate.flags.target_edit'),
      changedTexts: names.includes('weblate.flags.target_repo_update'),
      sameTexts: names.includes('weblate.flags.same_edit'),
    },
  };
}

/**
 * Imports the files of a component from a commit. A file that cannot be parsed is logged and reported as alert; the others are
 * imported.
 */
export async function importFiles(
  deps: Pick<Deps, 'catalog' | 'translations' | 'tasks' | 'wake'>,
  session: Session,
  git: GitRepository,
  component: Component,
  commit: string,
  request: ImportRequest,
): Promise<ImportReport> {
  const tree = await git.listFiles(commit);
  const report: ImportReport = { files: [], units: 0, errors: await unwritablePaths(component, tree) };
  const usable = tree.filter(({ path }) => isRepositoryPath(path));
  const known = request.initial ? [] : await deps.translations.list(component.settings.id);
  const plan = await planImport(deps.catalog, component, usable, known, request.log);
  const wanted = plan.filter((file) => !request.only || request.only.has(file.path));
  report.errors.push(...wanted.filter(isTooLarge).map(tooLargeError));
  const planned = wanted.filter((file) => !isTooLarge(file));
  // A skipped file still exists, so an incomplete import deletes no translation.
  const options = {
    complete: request.only === undefined && report.errors.length === 0,
    initial: request.initial === true,
    upload: request.upload === true,
    lease: { repository: session.repository.id, token: session.repository.token },
    ...(request.signal ? { signal: request.signal } : {}),
    ...(request.author ? { author: request.author } : {}),
    ...(await importMarks(deps, component)),
  };
  const total = planned.reduce((sum, file) => sum + file.size, 1);
  const sizes = new Map(planned.map((file) => [file.path, file.size]));
  let done = 0;
  for await (const answer of deps.translations.import(
    component,
    options,
    readPlannedFiles(git, planned, request.signal),
  )) {
    if ('summary' in answer) {
      report.units = answer.summary.units;
      continue;
    }
    const { file } = answer;
    recordFile(report, file, request.log);
    done += sizes.get(file.path) ?? 0;
    request.progress?.(done / total);
  }
  for (const error of report.errors) request.log(`${locationOf(error)}: ${error.message}`);
  const events = outcomeEvents(session, component, report, request);
  if (events.length > 0) await session.write({}, events);
  const added = report.files.find(({ isNew }) => isNew)?.translationId ?? 0;
  if (request.initial || added !== 0) await startGlossaryTask(deps, component, { ...request, commit, added });
  return report;
}

const isTooLarge = ({ size }: PlannedFile): boolean => size > MAX_FILE_BYTES;

const tooLargeError = ({ path }: PlannedFile): ImportReport['errors'][number] => ({
  path,
  line: 0,
  column: 0,
  message: `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`,
});

/** Adds an imported file to the report and its result to the task's log. */
function recordFile(report: ImportReport, file: ImportReport['files'][number], log: ImportRequest['log']): void {
  report.files.push(file);
  if (file.error) report.errors.push(file.error);
  else log(`${file.path}: ${file.units} strings`);
  for (const conflict of file.conflicts)
    log(`${file.path}: a string was changed on both sides: ${conflict.source[0]?.slice(0, 100) ?? conflict.context}`);
}

/** History entries, alerts and the lock of files that cannot be parsed; the end of the lock when all files can be parsed again. */
function outcomeEvents(
  session: Session,
  component: Component,
  report: ImportReport,
  request: ImportRequest,
): OutgoingEvent[] {
  const events: OutgoingEvent[] = report.errors.map((error) =>
    changeEvent(component, Action.parseError, {
      target: `${locationOf(error)}: ${error.message}`,
      details: { filename: error.path, line: error.line, error: error.message },
    }),
  );
  if (report.errors.length > 0)
    events.push(
      ...(lockedByFailure(component) ? [] : alertEvents([component], 'ParseError')),
      ...lockEvents([component], `${locationOf(report.errors[0]!)}: ${report.errors[0]!.message}`),
    );
  else if (request.only === undefined && session.repository.failure === '') events.push(...unlockEvents([component]));
  return events;
}

/** Begins the task that adds the component's languages to the project's glossaries, outside of the lease. */
async function startGlossaryTask(
  deps: Pick<Deps, 'tasks' | 'wake'>,
  { settings }: Component,
  { initial, commit, added }: Pick<ImportRequest, 'initial'> & { commit: string; added: number },
): Promise<void> {
  await deps.tasks.begin({
    // Other settings can yield further languages from the same commit.
    id: `glossary-${settings.id}-${commit.slice(0, 20)}-${initial ? 0 : added}`,
    kind: 'glossary',
    component: settings.id,
    user: 0,
    changed: [initial ? 'component' : 'language'],
  });
  deps.wake();
}

/**
 * Imports a commit into the translation service for all components of a repository: the changes since the last imported commit,
 * or everything. The commit is recorded at the end, so that an interrupted import is repeated.
 */
export async function scanChanges(
  deps: Pick<Deps, 'catalog' | 'translations' | 'index' | 'media' | 'tasks' | 'wake'>,
  { session, git, components, log }: Omit<RepositoryWork, 'user'>,
  request: { all: boolean },
): Promise<void> {
  const { head, scanned } = session.repository;
  if (head === null || (!request.all && scanned === head)) return;
  const known = !request.all && scanned !== null && (await git.hasCommit(scanned));
  const changed = known ? await git.changedPaths(scanned, head) : null;
  for (const component of components) {
    // After a failure that locked the component, all files are imported to find out whether the failure is over.
    const only = changed && !lockedByFailure(component) ? await changedFiles(component, changed) : null;
    try {
      if (only?.size !== 0)
        await importFiles(deps, session, git, component, head, {
          log,
          signal: session.signal,
          ...(only ? { only } : {}),
        });
      await importScreenshots(deps, git, component, head, log);
    } catch (error) {
      // A component that was deleted in the meantime must not affect the others.
      if (!isServiceError(error, 'NOT_FOUND') || (await deps.catalog.component(component.settings.id))) throw error;
    }
  }
  await session.write({ scanned: head });
}

/** Changed translation files; null when the base changed or a file was deleted, which requires a full scan. */
async function changedFiles(
  component: Component,
  changed: readonly { path: string; kind: 'added' | 'changed' | 'removed' }[],
): Promise<Set<string> | null> {
  const bases = baseFiles(component);
  if (changed.some((file) => bases.includes(file.path))) return null;
  const paths = new Set(
    (
      await translationFiles(
        component,
        changed.map((file) => file.path),
      )
    ).map((file) => file.path),
  );
  if (changed.some((file) => file.kind === 'removed' && paths.has(file.path))) return null;
  return paths;
}
