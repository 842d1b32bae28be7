import type { common, translation } from '@parlance/contracts';
import type { TreeEntry } from '@parlance/git';
import { languageInfo, type Component } from '../../domain/component';
import { filterCodes, matchFiles, acceptsCode } from '../../domain/filemask';
import type { CatalogClient, ImportFile } from '../../domain/ports';
import type { Log } from '../deps';

/** A file to import, without its content. */
export type PlannedFile = Omit<ImportFile, 'bytes'> & { size: number };

/** Files named in a component's settings, except translations. */
export const baseFiles = ({ settings }: Pick<Component, 'settings'>): string[] =>
  [settings.template, settings.newBase, settings.intermediate].filter(Boolean);

/** Language code of a translation file's path; undefined for other files. @throws ServiceError INVALID on language_regex */
export function codeOfFile(component: Pick<Component, 'settings'>, path: string): string | undefined {
  const { settings } = component;
  const code = matchFiles([path], settings.filemask, baseFiles(component))[0]?.code;
  return code !== undefined && acceptsCode(code, settings.languageRegex) ? code : undefined;
}

/** Translation files of a component among a repository's files. @throws ServiceError INVALID on language_regex */
export function translationFiles(
  component: Pick<Component, 'settings'>,
  paths: readonly string[],
): Promise<{ path: string; code: string }[]> {
  const { settings } = component;
  return filterCodes(matchFiles(paths, settings.filemask, baseFiles(component)), settings.languageRegex);
}

/** Whether some of these paths are files of a component. */
export function ownsAnyFile(component: Pick<Component, 'settings'>, paths: readonly string[]): boolean {
  const bases = baseFiles(component);
  return paths.some((path) => bases.includes(path) || codeOfFile(component, path) !== undefined);
}

/** The file of each language: the one that provides its current strings, else the first. */
function chooseFiles(
  files: readonly { path: string; code: string }[],
  languageOf: (code: string) => string | undefined,
  known: readonly Pick<translation.Translation__Output, 'languageCode' | 'filename'>[],
): Map<string, string> {
  const current = new Set(known.map(({ languageCode, filename }) => `${languageCode} ${filename}`));
  const chosen = new Map<string, string>();
  for (const { path, code } of files) {
    const language = languageOf(code);
    if (language && (!chosen.has(language) || current.has(`${language} ${path}`))) chosen.set(language, path);
  }
  return chosen;
}

/**
 * Selects the files of a commit to import, in order: the intermediate file, the base, then translations. Of several files of one
 * language, the one that provides its current strings takes precedence, then the first. In a bilingual component, a file in the
 * source language provides the source strings.
 * @param known the component's translations
 */
export async function planImport(
  catalog: Pick<CatalogClient, 'resolve'>,
  component: Component,
  tree: readonly TreeEntry[],
  known: readonly Pick<translation.Translation__Output, 'languageCode' | 'filename'>[],
  log: Log,
): Promise<PlannedFile[]> {
  const { settings } = component;
  const byPath = new Map(tree.map((entry) => [entry.path, entry]));
  const source = languageInfo(component.sourceLanguage);
  const planned: PlannedFile[] = [];
  const add = (path: string, kind: ImportFile['kind'], language: common.LanguageInfo__Output, code: string) => {
    const entry = byPath.get(path);
    if (entry) planned.push({ path, hash: entry.hash, size: entry.size, kind, language, code });
    return entry !== undefined;
  };
  if (settings.template) {
    if (settings.intermediate && !add(settings.intermediate, 'intermediate', source, source.code))
      log(`${settings.intermediate}: the intermediate file is not in the repository`);
    if (!add(settings.template, 'template', source, source.code))
      log(`${settings.template}: the monolingual base file is not in the repository`);
  } else if (settings.newBase && !add(settings.newBase, 'newBase', source, source.code))
    log(`${settings.newBase}: the base file for new translations is not in the repository`);

  const files = await translationFiles(component, [...byPath.keys()]);
  const codes = [...new Set(files.map((file) => file.code))];
  const languages = await catalog.resolve(component.project.id, codes, settings.id);
  const languageOf = new Map(codes.map((code, at) => [code, languages[at]]));
  const chosen = chooseFiles(files, (code) => languageOf.get(code)?.code, known);
  for (const { path, code } of files) {
    const language = languageOf.get(code);
    if (!language?.code) {
      log(`${path}: the language "${code}" is unknown`);
      continue;
    }
    const counts = chosen.get(language.code);
    if (counts !== path) {
      log(`${path}: left out, ${counts} is in ${language.name} already`);
      continue;
    }
    if (language.code === source.code) {
      if (settings.template || settings.newBase)
        log(`${path}: left out, the source strings come from ${settings.template || settings.newBase}`);
      else
        planned.splice(0, 0, {
          path,
          hash: byPath.get(path)!.hash,
          size: byPath.get(path)!.size,
          kind: 'newBase',
          language: source,
          code,
        });
      continue;
    }
    add(path, 'translation', language, code);
  }
  return planned;
}
