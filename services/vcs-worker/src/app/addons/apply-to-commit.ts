import type { Signature } from '@parlance/git';
import { addonsFor, repositoryAddons, type StoredAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import type { Log, Deps } from '../deps';
import { makeEffectContext, logFileErrors } from './context';
import type { TranslationFile } from './effect';
import { effects } from './effects';
import type { StagedFiles } from './staged-files';

/** Runs add-ons on the files of a commit with a translation's edits, before it is created. */
export async function applyAddonsToCommit(
  deps: Pick<Deps, 'translations' | 'site'>,
  stored: readonly StoredAddon[],
  commit: { component: Component; file: TranslationFile; author: Signature; files: StagedFiles; log: Log },
): Promise<void> {
  const { component, file, author, files, log } = commit;
  for (const addon of addonsFor(repositoryAddons(stored, component), component, 'commit')) {
    const effect = effects[addon.definition.name]?.changeCommit;
    if (!effect) continue;
    const context = makeEffectContext(deps, addon, component, files, log, author);
    await logFileErrors(log, addon, () => effect({ ...context, file, author }));
  }
}
