import { isServiceError } from '@parlance/errors';
import { blobHash, type GitRepository, type NewCommit, type Signature } from '@parlance/git';
import type { common } from '@parlance/contracts';
import type { Component } from '../domain/component';
import { renderMessage, speaksOfStats, type MessageFacts } from '../domain/message';
import type { PendingGroup } from '../domain/ports';
import { advance } from './advance';
import { Action, changeEvent } from './announce';
import type { Log, Parts } from './parts';
import type { Session } from './repository-queue';

/** Commits made in one go; what a crash in between costs is made again. */
const BATCH = 200;

/** An author as commits name one. */
export function signatureOf(author: common.Author | null | undefined, fallback: Signature): Signature {
  if (!author) return fallback;
  const name = author.fullName || author.username;
  return { name: name || fallback.name, email: author.email || fallback.email, timeMs: fallback.timeMs };
}

/** Message of a component's commit about one translation. */
export async function messageFor(
  parts: Pick<Parts, 'translations' | 'site'>,
  template: string,
  component: Component,
  facts: MessageFacts & { translationId?: number },
  linked: readonly Component[],
): Promise<string> {
  const found =
    facts.translationId && speaksOfStats(template) ? await parts.translations.get(facts.translationId) : null;
  const counters = found?.counters;
  return renderMessage(template, component, parts.site, {
    ...facts,
    ...(counters ? { stats: { all: counters.all?.strings ?? 0, translated: counters.translated?.strings ?? 0 } } : {}),
    linked,
  });
}

interface Made {
  group: PendingGroup;
  editIds: string[];
  /** Place in the list of commits; null when the file held the text already. */
  commit: number | null;
  revision: string;
}

/**
 * Writes waiting edits into their files and commits them, one commit an author and translation, with exactly the bytes that the
 * translation service renders. Edits count as committed only when the commits are saved.
 * @returns how many commits were made
 */
export async function commitPending(
  parts: Pick<Parts, 'translations' | 'commits' | 'site' | 'committer'>,
  session: Session,
  git: GitRepository,
  components: readonly Component[],
  log: Log,
): Promise<number> {
  let count = 0;
  for (const component of components) {
    const groups = await parts.translations.pending(component.settings.id);
    for (let at = 0; at < groups.length; at += BATCH)
      count += await commitGroups(parts, session, git, component, groups.slice(at, at + BATCH), components, log);
  }
  return count;
}

async function commitGroups(
  parts: Pick<Parts, 'translations' | 'commits' | 'site' | 'committer'>,
  session: Session,
  git: GitRepository,
  component: Component,
  groups: readonly PendingGroup[],
  all: readonly Component[],
  log: Log,
): Promise<number> {
  const { head, scanned } = session.repository;
  if (head === null) return 0;
  const linked = all.filter((other) => other.settings.linkedComponentId === component.settings.id);
  const files = new Map<string, Buffer>();
  const commits: NewCommit[] = [];
  const made: Made[] = [];
  for (const group of groups) {
    const bytes =
      files.get(group.filename) ?? (group.filename ? (await git.readFile(head, group.filename))?.bytes : undefined);
    if (bytes === undefined) {
      log(
        `${group.filename || group.languageCode}: ${group.units} edits wait, but their file is not in the repository`,
      );
      continue;
    }
    let rendered;
    try {
      rendered = await parts.translations.render(component, group, bytes);
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      log(`${group.filename}: ${group.units} edits wait, but the file cannot be read: ${error.message}`);
      continue;
    }
    if (rendered.skipped > 0) log(`${group.filename}: ${rendered.skipped} edits have no place in the file`);
    if (rendered.changed) {
      const author = signatureOf(group.author, parts.committer());
      const message = await messageFor(
        parts,
        component.settings.commitMessage,
        component,
        {
          languageCode: group.languageCode,
          languageName: group.languageName,
          filename: group.filename,
          author: `${author.name} <${author.email}>`,
          translationId: group.translationId,
        },
        linked,
      );
      commits.push({
        changes: [{ path: group.filename, bytes: rendered.bytes }],
        author,
        committer: parts.committer(),
        message,
      });
    }
    files.set(group.filename, rendered.bytes);
    made.push({
      group,
      editIds: rendered.editIds,
      commit: rendered.changed ? commits.length - 1 : null,
      revision: blobHash(rendered.bytes),
    });
  }
  const hashes = await git.commit(head, commits);
  const newest = hashes.at(-1);
  if (newest !== undefined) {
    const events = made.flatMap(({ group, commit }) =>
      commit === null
        ? []
        : [
            changeEvent(component, Action.committed, {
              translation: group.translationId,
              author: group.author?.userId ?? 0,
              user: group.author?.userId ?? 0,
              target: hashes[commit]!,
              details: { filename: group.filename, commit: hashes[commit], units: group.units },
            }),
          ],
    );
    // The translation service knows what these commits hold: it wrote them.
    await advance(parts, session, git, newest, scanned === head ? { scanned: newest } : {}, events);
    log(`${component.settings.name}: ${hashes.length} commit${hashes.length === 1 ? '' : 's'} made`);
  }
  for (const { group, editIds, commit, revision } of made) {
    if (editIds.length > 0)
      await parts.translations.markCommitted(
        group.translationId,
        editIds,
        commit === null ? (newest ?? head) : hashes[commit]!,
        revision,
      );
  }
  return hashes.length;
}
