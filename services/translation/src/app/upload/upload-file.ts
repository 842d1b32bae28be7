import type { Caller } from '@parlance/access';
import { fieldErrors, joinProblems, collectProblems, type FieldProblem } from '@parlance/errors';
import { Action } from '../../domain/change';
import type { Author } from '../../domain/unit';
import { rerunIfChanged, type RerunIfChangedDeps } from '../checks/current-settings';
import { requireContributor, type ContributorDeps } from '../contributors';
import type { ParsedFile } from '../files/parsed-file';
import { changeOfTranslation, lastChangeBy, recordChanges } from '../history';
import { loadTranslation, type LoadTranslationDeps } from '../load-translation';
import { requirePlurals } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { allowUpload, namedInHistory, type UploadRequest } from './upload-rules';
import { addStrings, type AddStringsDeps } from './upload-strings';
import { suggestTexts, type SuggestTextsDeps } from './upload-suggestions';
import { uploadTexts, type UploadTextsDeps } from './upload-texts';
import { replaceFile, updateFromTemplate, type ReplaceFileDeps } from './upload-whole-file';
import type { UserLookup } from '../../domain/ports';
import type { FileWorkerPool } from '../files/file-worker-pool';

export interface UploadFileDeps
  extends
    LoadTranslationDeps,
    ContributorDeps,
    UploadTextsDeps,
    SuggestTextsDeps,
    AddStringsDeps,
    ReplaceFileDeps,
    RerunIfChangedDeps {
  units: UploadTextsDeps['units'] & SuggestTextsDeps['units'] & AddStringsDeps['units'];
  translations: AddStringsDeps['translations'] & ReplaceFileDeps['translations'] & RerunIfChangedDeps['translations'];
  files: Pick<FileWorkerPool, 'upload'>;
  entities: Pick<UserLookup, 'userWithEmail'>;
}

/**
 * Uploads a translation file. The file is validated completely before the first write. The history keeps replaced texts.
 * @throws NOT_FOUND, LOCKED, PERMISSION_DENIED, INVALID naming file, method, conflicts, fuzzy, author_name or author_email
 */
export async function uploadFile(
  deps: UploadFileDeps,
  caller: Caller,
  request: UploadRequest,
  generation: string,
): Promise<UploadResult> {
  const { translation, component } = await loadTranslation(deps, request.translation, generation);
  const problems: FieldProblem[] = [];
  const allowed = await collectProblems(problems, () => allowUpload(caller, request, translation, component));
  await requireContributor(deps, caller, component);
  const file = await collectProblems(problems, async () => {
    const whole = allowed?.kind === 'file' || allowed?.kind === 'template';
    const { filename, bytes } = request;
    const upload = { component, translation, filename, bytes };
    const read = await deps.files.upload(upload, whole ? 'component-format' : undefined);
    if (!translation.isSource) requirePlurals(translation, read);
    return read;
  });
  const allProblems = joinProblems(request.problems, problems);
  if (allProblems.length > 0 || !allowed || !file) throw fieldErrors(allProblems);
  const author = await resolveAuthor(deps, allowed.author);
  const upload: Upload = { ...allowed, author, component, translation, now: deps.now() };
  const result = await applyUpload(file);
  await recordUpload(deps, upload, result);
  await rerunIfChanged(deps, component);
  return result;

  function applyUpload(file: ParsedFile): Promise<UploadResult> {
    switch (upload.kind) {
      case 'texts':
        return uploadTexts(deps, upload, file);
      case 'suggestions':
        return suggestTexts(deps, upload, file);
      case 'strings':
        return addStrings(deps, upload, file);
      case 'file':
        return replaceFile(deps, upload, file, request.bytes);
      case 'template':
        return updateFromTemplate(deps, upload, file, request.bytes);
    }
  }
}

/** Links the named author to the user with that address, keeping the given name. */
async function resolveAuthor(deps: Pick<UploadFileDeps, 'entities'>, author: Author): Promise<Author> {
  if (author.userId !== 0 || author.email === '') return author;
  const user = await deps.entities.userWithEmail(author.email);
  return user ? { ...author, userId: user.id, username: user.username } : author;
}

/** Adds one history entry for the upload. */
async function recordUpload(deps: ReplaceFileDeps, upload: Upload, result: UploadResult): Promise<void> {
  const { translation, author, caller, method } = upload;
  const { accepted, skipped, notFound: not_found, total } = result;
  const details = { method, accepted, skipped, not_found, total, ...namedInHistory(upload) };
  const change = changeOfTranslation(translation, author, caller.userId, deps.now(), Action.fileUploaded, details);
  await recordChanges(deps, [change], lastChangeBy(author, caller.userId));
}
