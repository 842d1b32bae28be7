import type { common } from '@parlance/contracts';
import { setHead } from '../repository/set-head';
import type { RepositoryWork } from '../repository/repository-work';
import type { Deps } from '../deps';
import { signatureOf, renderCommitMessage } from '../commit/commit-pending';
import { changeEvent, Action } from '../change-events';
import type { Component } from '../../domain/component';

export interface FileCommit {
  path: string;
  bytes: Buffer | null;
  /** Other files of the same commit. */
  otherFiles?: readonly { path: string; bytes: Buffer }[];
  template: string;
  author: common.Author;
  language: Pick<common.LanguageInfo__Output, 'code' | 'name'>;
  translationId?: number;
}

/** Commits one file with a message template; the caller imports it. */
export async function commitFile(
  deps: Deps,
  work: RepositoryWork,
  component: Component,
  request: FileCommit,
): Promise<string> {
  const { session, git, components } = work;
  const author = signatureOf(request.author, deps.committer());
  const message = await renderCommitMessage(
    deps,
    request.template,
    component,
    {
      languageCode: request.language.code,
      languageName: request.language.name,
      filename: request.path,
      author: `${author.name} <${author.email}>`,
      ...(request.translationId === undefined ? {} : { translationId: request.translationId }),
    },
    components.filter((other) => other.settings.linkedComponentId === component.settings.id),
  );
  const { head, scanned, maintained } = session.repository;
  const [commit] = await git.commit(head, [
    {
      changes: [{ path: request.path, bytes: request.bytes }, ...(request.otherFiles ?? [])],
      author,
      committer: deps.committer(),
      message,
    },
  ]);
  // The callers import exactly this file themselves.
  const known = {
    ...(scanned === head ? { scanned: commit! } : {}),
    ...(maintained === head ? { maintained: commit! } : {}),
  };
  await setHead(deps, session, git, commit!, known, [
    changeEvent(component, Action.committed, {
      user: Number(request.author.userId ?? 0),
      target: commit!,
      details: { filename: request.path, commit: commit! },
    }),
  ]);
  return commit!;
}
