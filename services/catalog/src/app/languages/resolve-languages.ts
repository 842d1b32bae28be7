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
import type { Language } from '../../domain/objects';
import { TakenError } from '../../domain/ports';
import type { RequestContext, Deps } from '../deps';
import { requireService } from '../visibility';

type ResolveLanguagesDeps = Pick<Deps, 'projects' | 'components' | 'languages' | 'ids' | 'announcer' | 'snapshot'>;

/**
 * Resolves codes of file names to languages. Unknown languages are created; null: the text cannot be a language code. The
 * component uses these languages from now on.
 */
export async function resolveLanguages(
  deps: ResolveLanguagesDeps,
  context: RequestContext,
  request: { projectId: number; componentId: number; fileCodes: readonly string[] },
): Promise<(Language | null)[]> {
  requireService(context);
  const [project, component] = await Promise.all([
    deps.projects.get(request.projectId),
    request.componentId ? deps.components.get(request.componentId) : null,
  ]);
  if (!project || (request.componentId && component?.projectId !== project.id)) throw new ServiceError('NOT_FOUND');
  // Always refreshes: another process may have created a language just now.
  const snapshot = await deps.snapshot.at('');
  const byCode = new Map(snapshot.allLanguages().map((l) => [l.code, l]));
  let index = snapshot.languageIndex();
  const options = {
    aliases: aliasesOf(project.settings.languageAliases),
    ...(component ? { sourceLanguage: component.sourceLanguage } : {}),
  };
  const resolved: (Language | null)[] = [];
  let made = false;
  for (const fileCode of request.fileCodes) {
    const found = resolveLanguageCode(fileCode, { ...options, known: index });
    if (!found) {
      resolved.push(null);
      continue;
    }
    let language = byCode.get(found.code);
    if (!language) {
      language = await makeLanguage(deps, found.code, found.base);
      byCode.set(language.code, language);
      index = new LanguageIndex(byCode.values());
      made = true;
    }
    resolved.push(language);
  }
  const codes = [...new Set(resolved.flatMap((l) => (l ? [l.code] : [])))];
  const added =
    component && codes.some((code) => !component.languages.includes(code))
      ? await deps.components.addLanguages(component.id, codes)
      : false;
  if (made || added) {
    await deps.announcer.written();
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

async function makeLanguage(
  deps: Pick<Deps, 'languages' | 'ids'>,
  code: string,
  base: string | null,
): Promise<Language> {
  const defaults = languageDefaults(code, base === null ? undefined : findLanguage(base));
  const id = await deps.ids.next('language');
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
    await deps.languages.insert(language);
    return language;
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    return (await deps.languages.get(code)) ?? Promise.reject(error);
  }
}
