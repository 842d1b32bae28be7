import { isServiceError } from '@parlance/errors';
import { blobHash, type NewCommit, type Signature } from '@parlance/git';
import type { common } from '@parlance/contracts';
import { histogram } from '@parlance/telemetry';
import type { StoredAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import { renderMessage, usesStats, statsOf, type MessageContext } from '../../domain/message';
import type { PendingCommits, PendingGroup } from '../../domain/ports';
import { applyAddonsToCommit } from '../addons/apply-to-commit';
import type { TranslationFile } from '../addons/effect';
import { StagedFiles } from '../addons/staged-files';
import { setHead } from '../repository/set-head';
import { Action, changeEvent } from '../change-events';
import { scanChanges } from '../import/import-files';
import { ownsAnyFile } from '../import/plan-import';
import type { Deps } from '../deps';
import type { RepositoryWork } from '../repository/repository-work';

const commitDelay = histogram('parlance_edit_commit_delay_seconds');
const commitLateness = histogram('parlance_edit_commit_lateness_seconds');

/** Maximum commits saved at once; a crash loses at most this number, which are created again. */
const BATCH = 200;

/** An author as a git signature. */
export function signatureOf(author: common.Author | null | undefined, fallback: Signature): Signature {
  if (!author) return fallback;
  const name = author.fullName || author.username;
  return { name: name || fallback.name, email: author.email || fallback.email, timeMs: fallback.timeMs };
}

/** Message of a component's commit for one translation. */
export async function renderCommitMessage(
  deps: Pick<Deps, 'translations' | 'site'>,
  template: string,
  component: Component,
  context: MessageContext & { translationId?: number },
  linked: readonly Component[],
): Promise<string> {
  const found =
    context.translationId && usesStats(template) ? await deps.translations.get(context.translationId) : null;
  return renderMessage(template, component, deps.site, {
    ...context,
    ...(found?.counters ? { stats: statsOf(found.counters) } : {}),
    linked,
  });
}

/** A group of edits applied to its file. */
interface RenderedGroup {
  group: PendingGroup;
  editIds: string[];
  /** Number of edits that the file cannot represent. */
  skipped: number;
  /** Null if the file already contains the texts. */
  commit: NewCommit | null;
  /** Blob hash of the file. */
  revision: string;
}

type CommitDeps = Pick<
  Deps,
  'catalog' | 'translations' | 'commits' | 'site' | 'committer' | 'index' | 'media' | 'tasks' | 'wake'
>;

/**
 * Applies pending edits to their files and commits them, one commit for each author and translation, with exactly the bytes that
 * the translation service renders. Edits count as committed only after the commits are saved.
 * @returns a warning about files that cannot represent pending edits; '' if there are none
 */
export async function commitPending(deps: CommitDeps, work: Omit<RepositoryWork, 'user'>): Promise<string> {
  const { components, session } = work;
  const unwritableEdits = new Map<string, number>();
  let addons: StoredAddon[] | undefined;
  for (const component of components) {
    const pending = await deps.translations.openPending(component);
    const isImported = session.repository.scanned === session.repository.head;
    try {
      const { groups } = pending;
      if (groups.length > 0) addons ??= await deps.catalog.addons(components.map(({ settings }) => settings.id));
      for (let at = 0; at < groups.length; at += BATCH)
        await commitGroups(deps, work, component, pending, groups.slice(at, at + BATCH), addons ?? [], unwritableEdits);
    } finally {
      await pending.close();
    }
    // Other components of the same files import these texts before their own edits are written, so that conflicts are detected.
    if (isImported) await scanChanges(deps, work, { all: false });
  }
  return [...unwritableEdits]
    .map(([file, edits]) =>
      edits === 1
        ? `${file}: 1 edit cannot be written to the file and waits.`
        : `${file}: ${edits} edits cannot be written to the file and wait.`,
    )
    .join('\n');
}

const fileOfGroup = (group: PendingGroup): TranslationFile => ({
  translationId: group.translationId,
  path: group.filename,
  code: group.languageCode,
  language: group.languageCode,
  languageName: group.languageName,
  plural: { count: group.pluralNumber || 2, formula: group.pluralFormula || 'n != 1' },
});

async function commitGroups(
  deps: CommitDeps,
  work: Omit<RepositoryWork, 'user'>,
  component: Component,
  pending: PendingCommits,
  groups: readonly PendingGroup[],
  addons: readonly StoredAddon[],
  unwritableEdits: Map<string, number>,
): Promise<void> {
  const { session, git, log } = work;
  const { head, scanned, maintained } = session.repository;
  if (head === null) return;
  const files = new StagedFiles(git, head);
  const rendered: RenderedGroup[] = [];
  for (const group of groups) {
    const one = await renderGroup(deps, work, component, pending, group, files, addons);
    if (!one) continue;
    rendered.push(one);
    if (one.skipped > 0) unwritableEdits.set(group.filename, (unwritableEdits.get(group.filename) ?? 0) + one.skipped);
  }
  const commits = rendered.flatMap(({ commit }) => commit ?? []);
  const hashes = await git.commit(head, commits);
  const hashOf = new Map(commits.map((commit, at) => [commit, hashes[at]!]));
  const newest = hashes.at(-1);
  if (newest !== undefined) {
    const events = rendered.flatMap(({ group, editIds, commit }) =>
      commit === null
        ? []
        : [
            changeEvent(component, Action.committed, {
              translation: group.translationId,
              author: group.author?.userId ?? 0,
              user: group.author?.userId ?? 0,
              target: hashOf.get(commit)!,
              details: { filename: group.filename, commit: hashOf.get(commit), units: editIds.length },
            }),
          ],
    );
    // The translation service rendered these commits, so it need not import them. Files changed by add-ons, and other components
    // of the same files, are imported.
    const paths = commits.flatMap(({ changes }) => changes.map(({ path }) => path));
    const shared = work.components.some((other) => other !== component && ownsAnyFile(other, paths));
    const known = {
      ...(scanned === head && !shared ? { scanned: newest } : {}),
      ...(maintained === head ? { maintained: newest } : {}),
    };
    await setHead(deps, session, git, newest, known, events);
    log(`${component.settings.name}: ${hashes.length} commit${hashes.length === 1 ? '' : 's'} made`);
  }
  const committed = rendered.filter(({ editIds }) => editIds.length > 0);
  await pending.markCommitted(
    committed.map(({ group, editIds, commit, revision }) => {
      const containingCommit = commit === null ? (newest ?? head) : hashOf.get(commit)!;
      return { translationId: group.translationId, editIds, commit: containingCommit, revision };
    }),
  );
  for (const { group } of committed) measureDelay(group, component);
}

function measureDelay({ oldestMs }: PendingGroup, { settings }: Component): void {
  const age = Math.max(0, Date.now() - oldestMs) / 1000;
  commitDelay.observe(age);
  commitLateness.observe(Math.max(0, age - settings.commitPendingAge * 3600));
}

/** Applies a group's edits to its file; returns null and logs the reason if they must stay pending. */
async function renderGroup(
  deps: CommitDeps,
  { components, log }: Pick<RepositoryWork, 'components' | 'log'>,
  component: Component,
  pending: PendingCommits,
  group: PendingGroup,
  files: StagedFiles,
  addons: readonly StoredAddon[],
): Promise<RenderedGroup | null> {
  const bytes = group.filename ? await files.read(group.filename) : null;
  if (bytes === null) {
    log(
      `${group.filename || group.languageCode}: ${group.units} edits stay pending, the file is not in the repository`,
    );
    return null;
  }
  let rendered;
  try {
    rendered = await pending.render(group, bytes);
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    log(`${group.filename}: ${group.units} edits stay pending, the file cannot be parsed: ${error.message}`);
    return null;
  }
  const { editIds, skipped } = rendered;
  if (skipped > 0) log(`${group.filename}: the file cannot represent ${skipped} edits`);
  const drafts = await renderIntermediateFile(pending, component, group, files, log);
  if (!rendered.changed && !drafts)
    return { group, editIds, skipped, commit: null, revision: blobHash(rendered.bytes) };
  const author = signatureOf(group.author, deps.committer());
  const message = await renderCommitMessage(
    deps,
    component.settings.commitMessage,
    component,
    {
      languageCode: group.languageCode,
      languageName: group.languageName,
      filename: group.filename,
      author: `${author.name} <${author.email}>`,
      translationId: group.translationId,
    },
    components.filter((other) => other.settings.linkedComponentId === component.settings.id),
  );
  await files.write(group.filename, rendered.bytes);
  if (drafts) await files.write(component.settings.intermediate, drafts);
  await applyAddonsToCommit(deps, addons, { component, file: fileOfGroup(group), author, files, log });
  const revision = blobHash((await files.read(group.filename)) ?? rendered.bytes);
  const changes = files.takeChanges();
  const commit = changes.length > 0 ? { changes, author, committer: deps.committer(), message } : null;
  return { group, editIds, skipped, commit, revision };
}

/** The component's intermediate file without the source strings that a group deletes; null if it contains none of them. */
async function renderIntermediateFile(
  pending: PendingCommits,
  component: Component,
  group: PendingGroup,
  files: StagedFiles,
  log: RepositoryWork['log'],
): Promise<Buffer | null> {
  const { intermediate, template } = component.settings;
  if (group.removals === 0 || intermediate === '' || group.filename !== template) return null;
  const bytes = await files.read(intermediate);
  if (bytes === null) return null;
  try {
    const rendered = await pending.renderIntermediate(group, bytes);
    return rendered.equals(bytes) ? null : rendered;
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    log(`${intermediate}: deleted strings stay, the file cannot be parsed: ${error.message}`);
    return null;
  }
}
