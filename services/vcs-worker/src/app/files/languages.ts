import { can, type Caller } from '@parlance/access';
import type { common } from '@parlance/contracts';
import { isServiceError, ServiceError } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { FormatError, formatInfo, formatOf } from '@parlance/formats';
import { isRepositoryPath, type GitRepository } from '@parlance/git';
import { formatLanguageCode, type LanguageCodeStyle } from '@parlance/plurals';
import { accessTarget, languageInfo, type Component } from '../../domain/component';
import { pathForCode, acceptsCode } from '../../domain/filemask';
import { componentUrl, type Site } from '../../domain/message';
import { loadAddons, startAddonTasks, maintainFiles } from '../addons/run';
import { Action, changeEvent } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import { formatParams } from './format-params';
import { importFiles } from '../import/import-files';
import { describeObstacle } from './path-obstacle';
import { pushIfConfigured } from '../repository/run-operation';
import type { Deps } from '../deps';
import { baseFiles } from '../import/plan-import';
import type { RepositoryWork } from '../repository/repository-work';
import { withRepositoryOf } from '../repository/with-repository';
import { authorOf } from './callers';
import { fieldError, requireComponent } from './require-component';
import { commitFile } from './commit-file';

/** Creates the file of a new language from the base as the format requires. The header's team is the site. */
export function createLanguageFile(
  component: Component,
  base: Buffer | undefined,
  language: common.LanguageInfo__Output,
  site: Site,
): Buffer {
  return formatOf(component.settings.fileFormat).createTranslation(base, {
    language: language.code,
    ...(component.project.setLanguageTeam
      ? { team: `${language.name} <${componentUrl(site, component)}${language.code}/>` }
      : {}),
    plural: { count: language.pluralNumber, formula: language.pluralFormula },
    sourceLanguage: component.sourceLanguage.code,
    params: formatParams(component),
    monolingual: component.settings.template !== '',
  });
}

/** Language code as the component spells it in file names. */
export function formatFileLanguage(component: Component, language: string): string {
  const style =
    component.settings.languageCodeStyle || formatInfo(component.settings.fileFormat)?.languageCodeStyle || '';
  return formatLanguageCode(language, style as LanguageCodeStyle);
}

/** Creates the file of a new language, commits and imports it. @returns the translation's id */
export async function addLanguage(deps: Deps, caller: Caller, id: number, code: string): Promise<number> {
  const component = await requireComponent(deps, id);
  const target = accessTarget(component);
  if (
    !can(caller, 'translation.add', { ...target, languageCode: code }) ||
    (component.settings.newLang !== 'add' && !can(caller, 'component.edit', target))
  )
    throw new ServiceError('PERMISSION_DENIED');
  if (component.settings.locked) throw new ServiceError('LOCKED');
  const language = await deps.catalog.language(code);
  if (!language)
    throw fieldError('language_code', 'does_not_exist', `The language "${code.slice(0, 100)}" does not exist.`);
  const [translation] = await addLanguages(deps, caller, component, [languageInfo(language)], (error) => {
    throw error;
  });
  return translation!;
}

/**
 * Adds languages to a component in one commit.
 * @param onRejected called with each rejected language and the reason; the others are added
 * @returns ids of the new translations
 */
export async function addLanguages(
  deps: Deps,
  caller: Caller,
  component: Component,
  languages: readonly common.LanguageInfo__Output[],
  onRejected: (error: ServiceError, language: common.LanguageInfo__Output) => void,
): Promise<number[]> {
  const { id } = component.settings;
  return withRepositoryOf(deps, id, { user: caller.userId }, async (work) => {
    const { session, git, log } = work;
    const known = await deps.translations.list(id);
    const { head } = session.repository;
    const wanted: NewLanguage[] = [];
    for (const language of languages) {
      try {
        wanted.push(await prepareLanguage(deps, component, [...known, ...wanted], { git, head }, language));
      } catch (error) {
        if (!isServiceError(error)) throw error;
        onRejected(error, language);
      }
    }
    if (wanted.length === 0) return [];
    const [first, ...otherFiles] = wanted.flatMap(({ filename: path, bytes }) => (bytes ? [{ path, bytes }] : []));
    if (first)
      await commitFile(deps, work, component, {
        ...first,
        otherFiles,
        template: component.settings.addMessage,
        author: authorOf(caller),
        language: { code: joinLanguages(wanted, 'code'), name: joinLanguages(wanted, 'name') },
      });
    const report = await importFiles(deps, session, git, component, session.repository.head!, {
      only: new Set(wanted.map(({ filename }) => filename)),
      author: authorOf(caller),
      log,
    });
    const added: OutgoingEvent[] = [];
    const ids: number[] = [];
    for (const { filename, language } of wanted) {
      const translation = report.files.find((file) => file.path === filename)?.translationId ?? 0;
      if (translation === 0) {
        const error = report.errors.find(({ path }) => path === filename);
        const message = error?.message ?? 'The new file could not be parsed.';
        onRejected(new ServiceError('FAILED_PRECONDITION', { message }), language);
        continue;
      }
      ids.push(translation);
      const details = { filename, language: language.code };
      const entry = { translation, user: caller.userId, target: language.code, details };
      added.push(changeEvent(component, Action.languageAdded, entry));
    }
    if (ids.length === 0) return [];
    await session.write({}, added);
    await runAddonsAfterLanguageChange(deps, work, caller, String(ids[0]));
    await pushIfConfigured(deps, work);
    return ids;
  });
}

/** A language to add. */
interface NewLanguage {
  language: common.LanguageInfo__Output;
  languageCode: string;
  filename: string;
  /** Absent: the file already exists in the repository. */
  bytes?: Buffer;
}

const joinLanguages = (wanted: readonly NewLanguage[], name: 'code' | 'name'): string =>
  wanted.map(({ language }) => language[name]).join(', ');

/** The file of a new language. @throws ServiceError INVALID on language_code */
async function prepareLanguage(
  deps: Pick<Deps, 'site'>,
  component: Component,
  known: readonly { languageCode: string; filename: string }[],
  { git, head }: { git: GitRepository; head: string | null },
  language: common.LanguageInfo__Output,
): Promise<NewLanguage> {
  const fileLanguage = formatFileLanguage(component, language.code);
  const path = pathForCode(component.settings.filemask, fileLanguage);
  if (!isRepositoryPath(path) || !acceptsCode(fileLanguage, component.settings.languageRegex))
    throw fieldError(
      'language_code',
      'invalid',
      "The language code is not accepted by the component's language filter.",
    );
  const taken = known.some((other) => other.languageCode === language.code || other.filename === path);
  if (taken || language.code === component.sourceLanguage.code)
    throw fieldError('language_code', 'unique', `The component already has ${language.name}.`);
  const found = { language, languageCode: language.code, filename: path };
  if (head !== null && (await git.readFile(head, path)) !== null) return found;
  const obstacle = head === null ? null : await describeObstacle(git, head, path);
  if (obstacle) throw fieldError('language_code', 'invalid', `The file ${path} cannot be created: ${obstacle}.`);
  const basePath = component.settings.newBase || component.settings.template;
  const base = head !== null && basePath ? (await git.readFile(head, basePath))?.bytes : undefined;
  try {
    return { ...found, bytes: createLanguageFile(component, base, language, deps.site) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw fieldError(
      'language_code',
      'invalid',
      `The file of the new language could not be created: ${error.describe()}`,
    );
  }
}

/** Runs add-ons after a change of a component's languages, except for changes by add-ons. */
async function runAddonsAfterLanguageChange(
  deps: Deps,
  work: RepositoryWork,
  caller: Caller,
  occasion: string,
): Promise<void> {
  const stored = await loadAddons(deps, work.components);
  await maintainFiles(deps, work, stored, 'language');
  if (!caller.service) await startAddonTasks(deps, work.components, stored, 'language', occasion);
}

/** Deletes a translation with its file. @throws ServiceError NOT_FOUND, PERMISSION_DENIED */
export async function removeLanguage(deps: Deps, caller: Caller, id: number, translationId: number): Promise<void> {
  const component = await requireComponent(deps, id);
  const target = accessTarget(component);
  if (!can(caller, 'translation.delete', target)) throw new ServiceError('PERMISSION_DENIED');
  const translation = await deps.translations.get(translationId);
  if (!translation || translation.componentId !== id) throw new ServiceError('NOT_FOUND');
  if (!can(caller, 'translation.delete', { ...target, languageCode: translation.languageCode }))
    throw new ServiceError('PERMISSION_DENIED');
  if (translation.isSource)
    throw new ServiceError('PERMISSION_DENIED', { message: 'The source language cannot be removed.' });
  await withRepositoryOf(deps, id, { user: caller.userId }, async (work) => {
    const { session, git } = work;
    await commitPending(deps, work);
    const { head } = session.repository;
    const { filename } = translation;
    if (filename && !baseFiles(component).includes(filename) && head !== null && (await git.readFile(head, filename))) {
      const language = translation.language ?? { code: translation.languageCode, name: translation.languageCode };
      await commitFile(deps, work, component, {
        path: filename,
        bytes: null,
        template: component.settings.deleteMessage,
        author: authorOf(caller),
        language,
        translationId,
      });
    }
    await deps.translations.remove(translationId, authorOf(caller));
    await runAddonsAfterLanguageChange(deps, work, caller, `${translationId}-removed`);
    await pushIfConfigured(deps, work);
  });
}
