import type { common } from '@parlance/contracts';
import type { OutgoingEvent } from '@parlance/events';
import { FormatError, formatOf, type FormatUnit } from '@parlance/formats';
import { isServiceError } from '@parlance/errors';
import type { GitRepository } from '@parlance/git';
import type { Component } from '../../domain/component';
import type { FileConflict, PendingGroup } from '../../domain/ports';
import { Action, changeEvent } from '../change-events';
import { formatParams } from '../files/format-params';
import type { Log, Deps } from '../deps';
import { planImport, translationFiles } from '../import/plan-import';

/** Length limit of strings in a history entry, in characters. */
const TEXTS_SHOWN = 50_000;

/** A locally changed string, with its value on the side that deleted the file. */
export interface LocalText {
  context: string;
  source: string[];
  kept: string[];
  upstream: string[];
}

/** A translation file that is kept although the other side removed it. */
export interface KeptFile {
  component: Component;
  translation: number;
  path: string;
  texts: LocalText[];
}

const isBlank = (texts: readonly string[]): boolean => texts.every((text) => text === '');

/** The properties of a language that a parser needs. */
export type FileLanguage = Pick<common.LanguageInfo__Output, 'code' | 'pluralNumber' | 'pluralFormula'>;

/** @throws FormatError */
const unitsOf = (component: Component, language: FileLanguage, bytes: Buffer): readonly FormatUnit[] =>
  formatOf(component.settings.fileFormat).parse(bytes, {
    language: language.code,
    sourceLanguage: component.sourceLanguage.code,
    plural: { count: language.pluralNumber || 2, formula: language.pluralFormula || 'n != 1' },
    params: formatParams(component),
    monolingual: component.settings.template !== '',
  }).units;

const keyOf = ({ settings }: Component, { context, source }: FormatUnit): string =>
  JSON.stringify(settings.template !== '' ? [context] : [context, ...source]);

/**
 * Texts of a translation file that differ from an earlier version. An empty text counts as none.
 * @returns null if a version cannot be parsed
 */
export function localTexts(
  component: Component,
  language: FileLanguage,
  before: Buffer | null,
  after: Buffer,
): LocalText[] | null {
  try {
    const formerTargets = new Map(
      (before === null ? [] : unitsOf(component, language, before)).map((unit) => [
        keyOf(component, unit),
        unit.target,
      ]),
    );
    return unitsOf(component, language, after).flatMap((unit) => {
      const upstream = formerTargets.get(keyOf(component, unit)) ?? [''];
      if (isBlank(unit.target) || JSON.stringify(unit.target) === JSON.stringify(upstream)) return [];
      return [{ context: unit.context, source: [...unit.source], kept: [...unit.target], upstream: [...upstream] }];
    });
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Whether two versions of a translation file have equal strings; a version that does not parse has none. */
export function sameStrings(component: Component, language: FileLanguage, one: Buffer, other: Buffer): boolean {
  const serialize = (bytes: Buffer) =>
    unitsOf(component, language, bytes)
      .map((unit) => JSON.stringify([keyOf(component, unit), unit.target, unit.state]))
      .sort();
  try {
    const [first, second] = [serialize(one), serialize(other)];
    return first.length === second.length && first.every((text, i) => text === second[i]);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** Conflicts of kept files with the other side's file: both texts are kept, as for any string that both sides changed. */
export const conflictsOf = (files: readonly KeptFile[]): FileConflict[] =>
  files.flatMap(({ translation, texts }) =>
    texts
      .filter(({ upstream }) => !isBlank(upstream))
      .map(({ context, source, kept, upstream }) => ({
        translationId: translation,
        unitId: 0,
        context,
        source,
        local: kept,
        upstream,
      })),
  );

function withinLengthLimit(texts: readonly LocalText[]): LocalText[] {
  let room = TEXTS_SHOWN;
  return texts.filter((text) => (room -= JSON.stringify(text).length) >= 0);
}

/** History entries for kept files. */
export const keptEvents = (files: readonly KeptFile[]): OutgoingEvent[] =>
  files.map(({ component, translation, path, texts }) =>
    changeEvent(component, Action.mergeFailed, {
      translation,
      target: `${path}: deleted upstream; kept because of local changes`,
      details: { conflict: true, filename: path, strings: texts.length, texts: withinLengthLimit(texts) },
    }),
  );

/** Pending edits of a component, including those that `commit_policy` holds back. */
const loadPending = ({ translations }: Pick<Deps, 'translations'>, component: Component): Promise<PendingGroup[]> =>
  translations.pending(withoutPolicy(component));

const withoutPolicy = (component: Component): Component => ({
  ...component,
  project: { ...component.project, commitPolicy: 0 },
});

/**
 * Adds translation files with pending edits that another history does not contain, because uncommitted edits are not part of a
 * merge.
 * @returns the commit with the files, or the unchanged head; the conflicts, and history entries
 */
export async function keepPendingFiles(
  deps: Pick<Deps, 'catalog' | 'translations' | 'committer'>,
  components: readonly Component[],
  from: { git: GitRepository; head: string },
  to: { git: GitRepository; head: string },
  log: Log,
): Promise<{ head: string; conflicts: FileConflict[]; events: OutgoingEvent[] }> {
  const tree = await to.git.listFiles(to.head);
  const existing = new Set(tree.map((entry) => entry.path));
  const deleted = (await from.git.listFiles(from.head))
    .map((entry) => entry.path)
    .filter((path) => !existing.has(path));
  const changes = new Map<string, Buffer>();
  const kept: KeptFile[] = [];
  for (const component of components) {
    const missing = new Set((await translationFiles(component, deleted)).map((file) => file.path));
    if (missing.size === 0) continue;
    const groups = (await loadPending(deps, component)).filter(({ filename }) => missing.has(filename));
    if (groups.length === 0) continue;
    // The language may have another file by now.
    const planned = await planImport(deps.catalog, component, tree, [], () => undefined);
    const languages = new Set(planned.map(({ language }) => language.code));
    for (const group of groups) {
      const file = languages.has(group.languageCode) ? null : await from.git.readFile(from.head, group.filename);
      if (!file) continue;
      const texts = await pendingTexts(deps, component, group, file.bytes);
      if (texts?.length === 0) continue;
      changes.set(group.filename, file.bytes);
      kept.push({ component, translation: group.translationId, path: group.filename, texts: texts ?? [] });
      log(`${group.filename}: deleted upstream; kept because of pending edits`);
    }
  }
  const found = { conflicts: conflictsOf(kept), events: keptEvents(kept) };
  if (changes.size === 0) return { head: to.head, ...found };
  const committer = deps.committer();
  const files = [...changes].map(([path, bytes]) => ({ path, bytes }));
  const message = 'Keep translations with pending edits';
  const [commit] = await to.git.commit(to.head, [{ changes: files, author: committer, committer, message }]);
  return { head: commit!, ...found };
}

/** Pending strings of a group; null when the file does not parse. */
async function pendingTexts(
  deps: Pick<Deps, 'translations'>,
  component: Component,
  group: PendingGroup,
  bytes: Buffer,
): Promise<LocalText[] | null> {
  try {
    const rendered = await deps.translations.render(withoutPolicy(component), group, bytes);
    const language = { code: group.languageCode, ...group };
    return localTexts(component, language, bytes, rendered.bytes);
  } catch (error) {
    if (isServiceError(error, 'INVALID')) return null;
    throw error;
  }
}
