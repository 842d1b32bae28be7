import { TemplateError, type translation } from '@parlance/contracts';
import { FormatError } from '@parlance/formats';
import type { Signature } from '@parlance/git';
import type { InstalledAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import { messageScope, statsOf } from '../../domain/message';
import type { Log, Deps } from '../deps';
import type { EffectContext, TranslationFile } from './effect';
import type { StagedFiles } from './staged-files';

export function makeEffectContext(
  deps: Pick<Deps, 'translations' | 'site'>,
  addon: InstalledAddon,
  component: Component,
  files: StagedFiles,
  log: Log,
  author?: Signature,
): EffectContext {
  return {
    addon,
    component,
    files,
    log: (line) => log(`${addon.definition.title}: ${line}`),
    async scope(file) {
      const found = await deps.translations.get(file.translationId);
      return messageScope(component, deps.site, {
        languageCode: file.language,
        languageName: file.languageName,
        filename: file.path,
        addonName: addon.definition.title,
        ...(author ? { author: `${author.name} <${author.email}>` } : {}),
        ...(found?.counters ? { stats: statsOf(found.counters) } : {}),
      });
    },
  };
}

/** Logs a failure for one file or template, so that the others are still processed. */
export async function logFileErrors(log: Log, addon: InstalledAddon, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FormatError) && !(error instanceof TemplateError)) throw error;
    log(`${addon.definition.title}: ${error instanceof FormatError ? error.describe() : error.message}`);
  }
}

export const translationFileOf = (found: translation.Translation__Output): TranslationFile => ({
  translationId: found.id,
  path: found.filename,
  code: found.fileLanguageCode || found.languageCode,
  language: found.languageCode,
  languageName: found.language?.name ?? found.languageCode,
  plural: { count: found.language?.pluralNumber ?? 2, formula: found.language?.pluralFormula ?? 'n != 1' },
});
