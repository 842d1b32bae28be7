import { canOnSite } from '@parlance/access';
import { fieldsOf, languageSettings, pluralSettings, valueProblem } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, joinProblems, throwIfInvalid, ServiceError } from '@parlance/errors';
import { languageDefaults, PLURAL_SOURCE, PluralFormulaError, pluralType, validatePlural } from '@parlance/plurals';
import { schemaProblems } from '../../domain/component-rules';
import type { Language, Plural } from '../../domain/objects';
import { TakenError, type Page, type PageRequest } from '../../domain/ports';
import type { CatalogSnapshot } from '../caches/catalog-snapshot';
import { notFound } from '../find-objects';
import { missingSettings } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { requireSitePermission } from '../visibility';

/** A language, and whether it has translations. */
export interface LanguageView {
  language: Language;
  inUse: boolean;
}

export interface LanguageInput {
  code?: string | undefined;
  name?: string | undefined;
  direction?: string | undefined;
  population?: number | undefined;
  plural?:
    { source?: number | undefined; number?: number | undefined; formula?: string | undefined } | null | undefined;
}

/** Languages by id; callers who may edit languages see all, others only those in use. */
export function listedLanguages(context: RequestContext, snapshot: CatalogSnapshot): Language[] {
  const all = snapshot.allLanguages();
  return maySeeAll(context) ? all : all.filter((l) => snapshot.inUse(l.code));
}

export async function listLanguages(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<LanguageView>> {
  const snapshot = await deps.snapshot.at(context.generation);
  const shown = listedLanguages(context, snapshot);
  const items = shown.slice((page.page - 1) * page.size, page.page * page.size);
  return { items: items.map((language) => ({ language, inUse: snapshot.inUse(language.code) })), total: shown.length };
}

const maySeeAll = (context: RequestContext) => canOnSite(context.caller, 'language.edit');

export async function getLanguage(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  code: string,
): Promise<LanguageView> {
  const snapshot = await deps.snapshot.at(context.generation);
  const language = snapshot.language(code);
  const inUse = snapshot.inUse(code);
  if (!language || !(inUse || maySeeAll(context))) throw notFound();
  return { language, inUse };
}

/** Settings of a language without its plural rule, which has settings of its own. */
const ownSettings = languageSettings.omit({ plural: true });

function problemsOf(language: Language): FieldProblem[] {
  const problems: FieldProblem[] = schemaProblems(ownSettings, { ...language });
  for (const setting of fieldsOf(pluralSettings)) {
    const problem = valueProblem(setting, language.plural[setting.name as keyof Plural], `plural.${setting.name}`);
    if (problem) problems.push(problem);
  }
  if (problems.some((p) => p.attr?.startsWith('plural.'))) return problems;
  try {
    validatePlural(language.plural.number, language.plural.formula);
  } catch (error) {
    if (!(error instanceof PluralFormulaError)) throw error;
    problems.push({
      attr: error.message.startsWith('the number of') ? 'plural.number' : 'plural.formula',
      code: 'invalid',
      detail: `The formula is not valid: ${error.message}.`,
    });
  }
  return problems;
}

function missingOf(input: LanguageInput): FieldProblem[] {
  const { plural, ...rest } = input;
  const ofPlural = plural
    ? missingSettings(pluralSettings, plural).map((p) => ({ ...p, attr: `plural.${p.attr}` }))
    : missingSettings(languageSettings.pick({ plural: true }), {});
  return [...missingSettings(ownSettings, rest), ...ofPlural];
}

/** @throws PERMISSION_DENIED, INVALID */
export async function createLanguage(
  deps: Pick<Deps, 'languages' | 'ids' | 'announcer'>,
  context: RequestContext,
  input: LanguageInput,
): Promise<LanguageView> {
  requireSitePermission(context, 'language.edit');
  const absent = missingOf(input);
  // Missing fields are reported; placeholders let the other rules run.
  const { code = '', plural } = input;
  const formula = plural?.formula ?? '0';
  const language: Language = {
    id: 0,
    version: 1,
    code,
    name: input.name ?? '',
    direction: input.direction || languageDefaults(code).direction,
    population: input.population ?? 0,
    aliases: [],
    plural: {
      id: 0,
      source: plural?.source ?? PLURAL_SOURCE.default,
      number: plural?.number ?? 1,
      formula,
      type: pluralType(formula),
    },
  };
  throwIfInvalid(context.problems, joinProblems(absent, problemsOf(language)));
  language.id = await deps.ids.next('language');
  language.plural.id = language.id;
  try {
    await deps.languages.insert(language);
  } catch (error) {
    // The public API reports this problem without a field.
    if (error instanceof TakenError)
      throw fieldErrors([{ attr: null, code: 'unique', detail: 'A language with this code already exists.' }]);
    throw error;
  }
  await deps.announcer.written();
  return { language, inUse: false };
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateLanguage(
  deps: Pick<Deps, 'languages' | 'announcer' | 'snapshot'>,
  context: RequestContext,
  code: string,
  input: LanguageInput,
  replace: boolean,
): Promise<LanguageView> {
  const view = await getLanguage(deps, context, code);
  requireSitePermission(context, 'language.edit');
  // A PUT without a plural keeps it.
  const problems = replace ? missingOf({ ...input, code, plural: input.plural ?? view.language.plural }) : [];
  // File names and translations refer to the code.
  if (input.code !== undefined && input.code !== code)
    problems.push({ attr: 'code', code: 'invalid', detail: 'The code of a language cannot be changed.' });
  const language = await updateObject(async () => {
    const before = await deps.languages.get(code);
    if (!before) throw notFound();
    const given = input.plural ?? {};
    const plural: Plural = {
      ...before.plural,
      ...Object.fromEntries(
        Object.entries<unknown>(given).filter(
          ([name, value]) => value !== undefined && ['source', 'number', 'formula'].includes(name),
        ),
      ),
    };
    plural.type = pluralType(plural.formula);
    const after: Language = {
      ...before,
      version: before.version + 1,
      name: input.name ?? before.name,
      direction: input.direction === '' ? languageDefaults(code).direction : (input.direction ?? before.direction),
      population: input.population ?? before.population,
      plural,
    };
    throwIfInvalid(context.problems, joinProblems(problems, problemsOf(after)));
    return (await deps.languages.replace(after)) ? after : LOST_RACE;
  });
  await deps.announcer.written();
  return { language, inUse: view.inUse };
}

/** @throws NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION if translations use it */
export async function deleteLanguage(
  deps: Pick<Deps, 'languages' | 'announcer' | 'snapshot'>,
  context: RequestContext,
  code: string,
): Promise<void> {
  await getLanguage(deps, context, code);
  requireSitePermission(context, 'language.edit');
  if ((await deps.snapshot.at('')).inUse(code))
    throw new ServiceError('FAILED_PRECONDITION', { message: 'The language has translations; delete them first.' });
  if (!(await deps.languages.remove(code))) throw notFound();
  await deps.announcer.written();
}
