import { logger } from '@parlance/telemetry';
import type { Component, Language } from '../../domain/component';
import { makeCommitRule, selectCommittable, groupPending, type PendingGroup, type Removal } from '../../domain/pending';
import type { PendingUnits, RepositoryFiles } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import type { Author, PendingEdit, Unit } from '../../domain/unit';
import type { FileWorkerPool } from '../files/file-worker-pool';
import type { AppliedEdits } from './apply-edits';
import { removalsOf, type RemovalsDeps } from './removals';

export interface PendingDeps extends RemovalsDeps {
  units: RemovalsDeps['units'] & PendingUnits;
}

/** Reads the base file; null: none. */
export type BaseReader = () => Promise<Buffer | null>;

/** Base of a file: the template of a monolingual component, else `new_base`. The base file itself has none. */
export function makeBaseReader(
  repository: Pick<RepositoryFiles, 'readFile'>,
  component: Component,
  { filename }: Pick<Translation, 'filename'>,
): BaseReader {
  const path = component.template || component.newBase;
  return async () =>
    path === '' || path === filename ? null : ((await repository.readFile(component.id, path))?.bytes ?? null);
}

/**
 * Applies edits to the bytes of a file; large files in a worker thread. Other bytes do not change. Missing strings are copied from the
 * base, which is read only if needed.
 */
export async function renderEdits(
  files: Pick<FileWorkerPool, 'applyEdits'>,
  component: Component,
  language: Language,
  bytes: Buffer,
  edits: readonly { unit: Unit; edit: PendingEdit }[],
  removals: readonly Removal[] = [],
  readBase: BaseReader = async () => null,
): Promise<AppliedEdits> {
  const file = { component, language, bytes, edits, removals };
  let rendered = await files.applyEdits({ ...file, base: undefined });
  if (rendered === 'needs-base') rendered = await files.applyEdits({ ...file, base: await readBase() });
  if (rendered === 'needs-base') throw new Error('the base was given');
  const { skipped } = rendered;
  if (skipped.length > 0)
    logger.warn({ component: component.id, skipped }, 'render: edits skipped, the file format cannot hold them');
  return rendered;
}

/**
 * The intermediate file without the strings that a group removes: a string left there would come back with the next import.
 */
export async function renderRemovals(
  files: Pick<FileWorkerPool, 'applyEdits'>,
  component: Component,
  language: Language,
  bytes: Buffer,
  group: Pick<PendingGroup, 'edits' | 'removals'> | null,
): Promise<AppliedEdits> {
  const added = new Set(group?.edits.map(({ unit }) => unit.key));
  const removals = group?.removals.filter(({ key, addedAgain }) => !addedAgain && !added.has(key));
  return renderEdits(files, component, language, bytes, [], removals);
}

/** Reads the current edits of one group. */
export async function editsOfGroup(
  deps: PendingDeps,
  component: Component,
  group: { translation: number; round: number; author: Author },
): Promise<PendingGroup | null> {
  const pending = await deps.units.pendingOfComponent(component.id);
  const units = selectCommittable(pending, makeCommitRule(component)).filter(
    (u) => u.translation === group.translation,
  );
  const removals = (await removalsOf(deps, component.id, pending)).filter((r) => r.translation === group.translation);
  const { author } = group;
  return (
    groupPending(units, removals).find(
      (g) =>
        g.round === group.round &&
        g.author.userId === author.userId &&
        g.author.fullName === author.fullName &&
        g.author.email === author.email,
    ) ?? null
  );
}

/** A file with all committable edits applied. */
export async function renderAll(
  files: Pick<FileWorkerPool, 'applyEdits'>,
  component: Component,
  translation: Translation,
  bytes: Buffer,
  units: readonly Unit[],
  removals: readonly Removal[],
  readBase: BaseReader,
): Promise<Buffer> {
  const edits = selectCommittable(units, makeCommitRule(component)).map((unit) => ({ unit, edit: unit.edits.at(-1)! }));
  if (edits.length + removals.length === 0) return bytes;
  return (await renderEdits(files, component, translation.language, bytes, edits, removals, readBase)).bytes;
}
