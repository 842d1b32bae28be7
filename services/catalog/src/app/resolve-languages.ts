import {
  LanguageIndex,
  findLanguage,
  languageDefaults,
  LanguageAliasError,
  parseLanguageAliases,
  PLURAL_SOURCE,
  resolveLanguageCode,
} from '@parlance/plurals';
import { ServiceError } from '@parlance/errors';
import type { Language } from '../domain/objects';
import { TakenError } from '../domain/ports';
import type { Actor, Parts } from './parts';
import { demandProcess } from './visibility';

/**
 * Which language each code of a file name means. Unknown ones are made; null: the text cannot be a language code. The languages
 * count as in use by the component from now on.
 */
export async function resolveLanguages(
  parts: Parts,
  actor: Actor,
  wish: { projectId: number; componentId: number; fileCodes: readonly string[] },
): Promise<(Language | null)[]> {
  demandProcess(actor);
  const [project, component] = await Promise.all([
    parts.projects.get(wish.projectId),
    wish.componentId ? parts.components.get(wish.componentId) : null,
  ]);
  if (!project || (wish.componentId && component?.projectId !== project.id)) throw new ServiceError('NOT_FOUND');
  // What was made a moment ago by another process must be known: always read anew.
  const directory = await parts.directory.at('');
  const byCode = new Map(directory.allLanguages().map((l) => [l.code, l]));
  let index = directory.languageIndex();
  const options = {
    aliases: aliasesOf(project.settings.languageAliases),
    ...(component ? { sourceLanguage: component.sourceLanguage } : {}),
  };
  const resolved: (Language | null)[] = [];
  let made = false;
  for (const fileCode of wish.fileCodes) {
    const found = resolveLanguageCode(fileCode, { ...options, known: index });
    if (!found) {
      resolved.push(null);
      continue;
    }
    let language = byCode.get(found.code);
    if (!language) {
      language = await makeLanguage(parts, found.code, found.base);
      byCode.set(language.code, language);
      index = new LanguageIndex(byCode.values());
      made = true;
    }
    resolved.push(language);
  }
  const codes = [...new Set(resolved.flatMap((l) => (l ? [l.code] : [])))];
  const added =
    component && codes.some((code) => !component.languages.includes(code))
      ? await parts.components.addLanguages(component.id, codes)
      : false;
  if (made || added) {
    await parts.announcer.written();
  }
  return resolved;
}

function aliasesOf(text: string): ReadonlyMap<string, string> {
  try {
    return parseLanguageAliases(text);
  } catch (error) {
    if (error instanceof LanguageAliasError) return new Map();
    throw error;
  }
}

async function makeLanguage(parts: Parts, code: string, base: string | null): Promise<Language> {
  const defaults = languageDefaults(code, base === null ? undefined : findLanguage(base));
  const id = await parts.ids.next('language');
  const language: Language = {
    id,
    version: 1,
    code,
    name: defaults.name,
    direction: defaults.direction,
    population: 0,
    aliases: [],
    plural: {
      id,
      source: PLURAL_SOURCE.default,
      number: defaults.plural.number,
      formula: defaults.plural.formula,
      type: defaults.plural.type,
    },
  };
  try {
    await parts.languages.insert(language);
    return language;
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    return (await parts.languages.get(code)) ?? Promise.reject(error);
  }
}
