import type { AppliedEdits } from '../app/commit/apply-edits';
import type { RecordSkippedDeps } from '../app/commit/record-skipped';
import { makeBaseReader, renderEdits, renderRemovals } from '../app/commit/render-pending';
import type { FileWorkerPool } from '../app/files/file-worker-pool';
import type { Component } from '../domain/component';
import type { PendingGroup } from '../domain/pending';
import type { Catalog, RepositoryFiles } from '../domain/ports';
import type { Translation } from '../domain/translation';

export interface RenderGroupDeps extends RecordSkippedDeps {
  catalog: Catalog;
  files: Pick<FileWorkerPool, 'applyEdits'>;
  repositoryFiles: Pick<RepositoryFiles, 'readFile'>;
}

export interface GroupFile {
  component: Component;
  translation: Translation;
  /** Null: the group has no edits left. */
  group: PendingGroup | null;
  /** The bytes are those of the intermediate file. */
  intermediate: boolean;
}

/** Applies the edits of a group to the bytes of a file. @throws FormatError when the file cannot be read */
export function renderGroup(
  { files, repositoryFiles }: Pick<RenderGroupDeps, 'files' | 'repositoryFiles'>,
  { component, translation, group, intermediate }: GroupFile,
  bytes: Buffer,
): Promise<AppliedEdits> {
  const { language } = translation;
  if (intermediate) return renderRemovals(files, component, language, bytes, group);
  const readBase = makeBaseReader(repositoryFiles, component, translation);
  return renderEdits(files, component, language, bytes, group?.edits ?? [], group?.removals, readBase);
}
