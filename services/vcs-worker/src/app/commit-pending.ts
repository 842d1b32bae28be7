import { isServiceError } from '@parlance/errors';
import { blobHash, type FileChange, type GitRepository, type NewCommit, type Signature } from '@parlance/git';
import type { common } from '@parlance/contracts';
import type { StoredAddon } from '../domain/addon';
import type { Component } from '../domain/component';
import { renderMessage, speaksOfStats, statsOf, type MessageFacts } from '../domain/message';
import type { PendingGroup } from '../domain/ports';
import { changeCommit } from './addons/in-commit';
import type { TranslationFile } from './addons/effect';
import { StagedFiles } from './addons/staged-files';
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
  return renderMessage(template, component, parts.site, {
    ...facts,
    ...(found?.counters ? { stats: statsOf(found.counters) } : {}),
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
  parts: Pick<Parts, 'catalog' | 'translations' | 'commits' | 'site' | 'committer'>,
  session: Session,
  git: GitRepository,
  components: readonly Component[],
  log: Log,
): Promise<number> {
  let count = 0;
  let addons: StoredAddon[] | undefined;
  for (const component of components) {
    const groups = await parts.translations.pending(component.settings.id);
    if (groups.length > 0) addons ??= await parts.catalog.addons(components.map(({ settings }) => settings.id));
    for (let at = 0; at < groups.length; at += BATCH)
      count += await commitGroups(
        parts,
        session,
        git,
        component,
        groups.slice(at, at + BATCH),
        components,
        log,
        addons ?? [],
      );
  }
  return count;
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
  parts: Pick<Parts, 'catalog' | 'translations' | 'commits' | 'site' | 'committer'>,
  session: Session,
  git: GitRepository,
  component: Component,
  groups: readonly PendingGroup[],
  all: readonly Component[],
  log: Log,
  addons: readonly StoredAddon[],
): Promise<number> {
  const { head, scanned, maintained } = session.repository;
  if (head === null) return 0;
  const linked = all.filter((other) => other.settings.linkedComponentId === component.settings.id);
  const files = new StagedFiles(git, head);
  const commits: NewCommit[] = [];
  const made: Made[] = [];
  for (const group of groups) {
    const bytes = group.filename ? await files.read(group.filename) : null;
    if (bytes === null) {
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
    let final = rendered.bytes;
    let changes: FileChange[] = [];
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
      await files.write(group.filename, rendered.bytes);
      await changeCommit(parts, addons, { component, file: fileOfGroup(group), author, files, log });
      final = (await files.read(group.filename)) ?? final;
      changes = files.take();
      if (changes.length > 0)
        commits.push({
          changes,
          author,
          committer: parts.committer(),
          message,
        });
    }
    made.push({
      group,
      editIds: rendered.editIds,
      commit: changes.length > 0 ? commits.length - 1 : null,
      revision: blobHash(final),
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
    // The translation service knows what these commits hold: it wrote them. Add-ons were at work on them too.
    const known = {
      ...(scanned === head ? { scanned: newest } : {}),
      ...(maintained === head ? { maintained: newest } : {}),
    };
    await advance(parts, session, git, newest, known, events);
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
