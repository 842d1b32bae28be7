import { type Caller, can } from '@parlance/access';
import type { common } from '@parlance/contracts';
import { fieldError, requireComponent } from './require-component';
import { commitFile } from './commit-file';
import { authorOf } from './callers';
import { withRepositoryOf } from '../repository/with-repository';
import { pushIfConfigured } from '../repository/run-operation';
import { baseFiles } from '../import/plan-import';
import { importFiles } from '../import/import-files';
import type { Deps } from '../deps';
import { commitPending } from '../commit/commit-pending';
import { accessTarget, languageInfo, type Component } from '../../domain/component';
import { blobHash } from '@parlance/git';
import { ServiceError } from '@parlance/errors';
import type { RepositoryWork } from '../repository/repository-work';
import { formatParams, mergeOptions } from './format-params';

export interface ReplaceFileRequest {
  component: number;
  path: string;
  bytes: Buffer;
  message: string;
  author: common.Author | null;
  /** The file is the base, and all translations get its strings. */
  updateTranslations: boolean;
}

/** Replaces the content of a file, commits and imports it. @throws ServiceError INVALID with field file if it cannot be parsed */
export async function replaceFile(
  deps: Deps,
  caller: Caller,
  request: ReplaceFileRequest,
): Promise<{ commit: string; revision: string }> {
  const component = await requireComponent(deps, request.component);
  if (!caller.service && !can(caller, 'upload.perform', accessTarget(component)))
    throw new ServiceError('PERMISSION_DENIED');
  const translation = (await deps.translations.list(request.component)).find(
    (known) => known.filename === request.path,
  );
  if (!translation && !baseFiles(component).includes(request.path))
    throw new ServiceError('NOT_FOUND', { message: 'The component has no such file.' });
  const languageCode = translation?.languageCode ?? component.sourceLanguage.code;
  if (!caller.service && !can(caller, 'upload.perform', { ...accessTarget(component), languageCode }))
    throw new ServiceError('PERMISSION_DENIED');
  return withRepositoryOf(deps, request.component, { user: caller.userId }, async (work) => {
    const { session, git, log } = work;
    await commitPending(deps, work);
    const { head } = session.repository;
    const before = head === null ? null : await git.readFile(head, request.path);
    const revision = blobHash(request.bytes);
    if (before?.hash === revision) return { commit: '', revision };
    await requireParsable(deps, component, request.bytes, translation?.language ?? null);
    const author = request.author ?? authorOf(caller);
    const otherFiles = request.updateTranslations
      ? await mergeBaseIntoTranslations(deps, work, component, request.bytes)
      : [];
    const commit = await commitFile(deps, work, component, {
      path: request.path,
      bytes: request.bytes,
      otherFiles,
      // An explicit message is plain text, so template syntax is escaped.
      template: request.message === '' ? component.settings.commitMessage : request.message.replace(/\{[{%#]/g, '{ '),
      author,
      language: translation?.language ?? languageInfo(component.sourceLanguage),
      ...(translation ? { translationId: translation.id } : {}),
    });
    await importFiles(deps, session, git, component, commit, {
      log,
      author,
      upload: !request.updateTranslations,
      ...(baseFiles(component).includes(request.path) ? {} : { only: new Set([request.path]) }),
    });
    await pushIfConfigured(deps, work);
    return { commit, revision };
  });
}

/** Translation files that change when they get the strings of a new base. */
export async function mergeBaseIntoTranslations(
  deps: Pick<Deps, 'translations' | 'files'>,
  { session, git }: RepositoryWork,
  component: Component,
  base: Buffer,
): Promise<{ path: string; bytes: Buffer }[]> {
  const { head } = session.repository;
  if (head === null) return [];
  const changed: { path: string; bytes: Buffer }[] = [];
  for (const { filename, language, isSource } of await deps.translations.list(component.settings.id)) {
    const stored = isSource || !filename || !language ? null : await git.readFile(head, filename);
    if (!stored || !language) continue;
    const plural = { count: language.pluralNumber, formula: language.pluralFormula };
    const bytes = await deps.files.update(stored.bytes, base, mergeOptions(component, plural));
    if ('problem' in bytes) throw fieldError('file', 'invalid', `${filename} cannot be updated: ${bytes.problem}`);
    if (bytes !== stored.bytes) changed.push({ path: filename, bytes });
  }
  return changed;
}

/** Rejects unparsable content before it is committed. */
export async function requireParsable(
  { files }: Pick<Deps, 'files'>,
  component: Component,
  bytes: Buffer,
  language: common.LanguageInfo__Output | null,
): Promise<void> {
  const problem = await files.problem(component.settings.fileFormat, bytes, {
    language: language?.code ?? component.sourceLanguage.code,
    sourceLanguage: component.sourceLanguage.code,
    params: formatParams(component),
    monolingual: component.settings.template !== '',
  });
  if (problem !== null) throw fieldError('file', 'invalid', problem);
}
