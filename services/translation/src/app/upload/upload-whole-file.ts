import { eachInSlices } from '@parlance/workload';
import { Action } from '../../domain/change';
import { changeOfTranslation, recordChanges, type RecordChangesDeps } from '../history';
import type { ParsedFile } from '../files/parsed-file';
import { requireValidTexts } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { fileOf, namedInHistory } from './upload-rules';
import type { Clock, RepositoryFiles } from '../../domain/ports';

export interface ReplaceFileDeps extends RecordChangesDeps, Clock {
  repositoryFiles: Pick<RepositoryFiles, 'replaceFile'>;
}

/**
 * Replaces the translation's file, commits and imports it. Pending edits are committed first, so that the repository's history contains
 * them.
 */
export async function replaceFile(
  deps: ReplaceFileDeps,
  upload: Upload,
  file: ParsedFile,
  bytes: Buffer,
): Promise<UploadResult> {
  await requireValidFile(file);
  const path = fileOf(upload.translation, upload.component);
  await write(deps, upload, path, bytes, false);
  await recordReplacement(deps, upload, Action.fileReplaced, path);
  return acceptAll(file);
}

/** Replaces the base file of a gettext component and updates the strings of every translation to match it. */
export async function updateFromTemplate(
  deps: ReplaceFileDeps,
  upload: Upload,
  file: ParsedFile,
  bytes: Buffer,
): Promise<UploadResult> {
  await requireValidFile(file);
  const path = upload.component.newBase;
  await write(deps, upload, path, bytes, true);
  await recordReplacement(deps, upload, Action.sourceUploaded, path);
  return acceptAll(file);
}

/** Allows control characters, like files of the repository; rejects invalid Unicode. */
async function requireValidFile(file: ParsedFile): Promise<void> {
  for await (const entries of file.batches())
    await eachInSlices(entries, (entry) => {
      for (const texts of [[entry.context], entry.source, entry.target]) requireValidTexts(entry, texts, texts);
    });
}

function acceptAll({ count }: ParsedFile): UploadResult {
  return { accepted: count, skipped: 0, notFound: 0, total: count };
}

async function write(
  deps: ReplaceFileDeps,
  upload: Upload,
  path: string,
  bytes: Buffer,
  updateTranslations: boolean,
): Promise<void> {
  await deps.repositoryFiles.replaceFile({
    component: upload.component.id,
    path,
    bytes,
    author: upload.author,
    updateTranslations,
  });
}

async function recordReplacement(
  deps: ReplaceFileDeps,
  upload: Upload,
  action: number,
  filename: string,
): Promise<void> {
  const { translation, author, caller } = upload;
  const details = { reason: 'content changed', filename, ...namedInHistory(upload) };
  const change = changeOfTranslation(translation, author, caller.userId, deps.now(), action, details);
  await recordChanges(deps, [change]);
}
