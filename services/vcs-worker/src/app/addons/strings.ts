import type { translation } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { flagOf, numberOf, textOf } from '../../domain/addon';
import type { UnitEdit } from '../../domain/ports';
import type { TaskContext, Effect } from './effect';

/** Action numbers of the public API for changes by add-ons. */
const AUTOMATIC = 6;
const BULK_EDIT = 32;
/** States of the public API. */
const EMPTY = 0;
const FUZZY = 10;
const TRANSLATED = 20;
const READ_ONLY = 100;

type Unit = translation.Unit__Output;

/** Edits a string as the site. Returns whether the edit was made; invalid edits are logged and skipped. */
async function edit({ deps, addon, log }: TaskContext, unit: Unit, change: UnitEdit, action: number): Promise<boolean> {
  const { name, email } = deps.committer();
  const author = { userId: 0, username: '', fullName: name, email };
  const readOnly = unit.state === READ_ONLY;
  try {
    await deps.translations.edit(unit.id, change, { name: addon.definition.name, action, author, readOnly });
    return true;
  } catch (error) {
    // A locked component will accept edits again, so the task is retried.
    if (!isServiceError(error) || error.reason === 'UNAVAILABLE') throw error;
    log(`string ${unit.id}: ${error.problems[0]?.detail ?? error.message}`);
    return false;
  }
}

const translationsOf = async ({ deps, component }: TaskContext) =>
  (await deps.translations.list(component.settings.id)).filter((found) => !found.isSource);

/** The source text repeated for all plural forms of the translation. */
const sourceText = (unit: Unit, forms: number): string[] =>
  unit.source.length > 1
    ? Array.from({ length: forms }, (_, i) => unit.source[Math.min(i, unit.source.length - 1)]!)
    : [...unit.source];

/** Fills untranslated strings with their source. */
const makeFillEffect = (query: string, state: number | undefined): Effect => ({
  async runTask(context) {
    let count = 0;
    for (const { id, language } of await translationsOf(context))
      for (const unit of await context.deps.translations.units(id, query)) {
        if (unit.target.some((text) => text !== '')) continue;
        const target = sourceText(unit, language?.pluralNumber ?? 2);
        if (await edit(context, unit, { target, ...(state === undefined ? {} : { state }) }, AUTOMATIC)) count++;
      }
    context.log(`${count} strings filled`);
  },
});

export const fillReadOnly = makeFillEffect('is:read-only', undefined);
export const prefill = makeFillEffect('state:empty', FUZZY);

/** Splits flags at commas outside of quotes. */
const flagsIn = (text: string): string[] =>
  (text.match(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^,])+/g) ?? []).map((flag) => flag.trim()).filter(Boolean);
const nameOf = (flag: string): string => flag.split(':')[0]!.trim();

/** Adds flags, replacing those with the same name, and removes others. */
export function changedFlags(before: string, add: string, remove: string): string {
  const flags = new Map([...flagsIn(before), ...flagsIn(add)].map((flag) => [nameOf(flag), flag]));
  for (const flag of flagsIn(remove)) flags.delete(nameOf(flag));
  return [...flags.values()].sort().join(', ');
}

/** Flags and labels belong to source strings. */
async function bulkSources(context: TaskContext, ids: ReadonlySet<number>): Promise<number> {
  const { deps, addon, component } = context;
  const [addFlags, removeFlags] = [textOf(addon, 'add_flags'), textOf(addon, 'remove_flags')];
  const names = (key: string) =>
    Array.isArray(addon.configuration[key]) ? (addon.configuration[key] as string[]) : [];
  const [addLabels, removeLabels] = [names('add_labels'), names('remove_labels')];
  if (!addFlags && !removeFlags && addLabels.length + removeLabels.length === 0) return 0;
  const labels =
    addLabels.length + removeLabels.length > 0
      ? await deps.catalog.labels(component.project.id)
      : new Map<string, number>();
  const byName = (list: readonly string[]) =>
    list.flatMap((name) => labels.get(name) ?? (/^\d+$/.test(name) ? Number(name) : []));
  const [adding, removing] = [byName(addLabels), new Set(byName(removeLabels))];
  let count = 0;
  for (const id of ids) {
    const unit = await deps.translations.unit(id);
    if (!unit) continue;
    const extraFlags = changedFlags(unit.extraFlags, addFlags, removeFlags);
    const wanted = [...new Set([...unit.labelIds, ...adding])].filter((label) => !removing.has(label));
    const sameLabels = wanted.length === unit.labelIds.length && wanted.every((label) => unit.labelIds.includes(label));
    const change: UnitEdit = {
      ...(extraFlags === unit.extraFlags ? {} : { extraFlags }),
      ...(sameLabels ? {} : { labels: wanted }),
    };
    if (Object.keys(change).length > 0 && (await edit(context, unit, change, BULK_EDIT))) count++;
  }
  return count;
}

/** The language of a path project/component/language; null: the path names another object; '': all languages. */
function languageOfPath(path: string, { component: { settings } }: TaskContext): string | null {
  const whole = `${settings.projectSlug}/${settings.path}`;
  const trimmed = path.replace(/^\/|\/$/g, '');
  if (trimmed === '' || whole === trimmed || whole.startsWith(`${trimmed}/`)) return '';
  return trimmed.startsWith(`${whole}/`) ? trimmed.slice(whole.length + 1) : null;
}

export const bulkEdit: Effect = {
  async runTask(context) {
    const { deps, addon, component, log } = context;
    const language = languageOfPath(textOf(addon, 'path'), context);
    if (language === null) return;
    const state = numberOf(addon, 'state', -1);
    const sources = new Set<number>();
    let count = 0;
    for (const found of await deps.translations.list(component.settings.id)) {
      if (language !== '' && found.languageCode !== language) continue;
      for (const unit of await deps.translations.units(found.id, textOf(addon, 'q'))) {
        sources.add(unit.isSource ? unit.id : unit.sourceUnitId);
        if (state < 0 || unit.isSource || unit.state === state || unit.state === READ_ONLY || unit.state === EMPTY)
          continue;
        if (await edit(context, unit, { state }, BULK_EDIT)) count++;
      }
    }
    log(`${count + (await bulkSources(context, sources))} strings changed`);
  },
};

/** A text that looks foreign and longer but is readable. */
function pseudolocalize(text: string, addon: TaskContext['addon']): string {
  const times = Math.round(text.length * numberOf(addon, 'var_multiplier', 0.1));
  const around = (fixed: string, repeated: string) =>
    [textOf(addon, fixed), textOf(addon, repeated).repeat(times)] as const;
  const [prefix, varPrefix] = around('prefix', 'var_prefix');
  const [suffix, varSuffix] = around('suffix', 'var_suffix');
  return `${prefix}${varPrefix}${text}${varSuffix}${suffix}`;
}

export const pseudolocale: Effect = {
  async runTask(context) {
    const { deps, addon, component, log } = context;
    const list = await deps.translations.list(component.settings.id);
    const from = list.find((found) => found.id === numberOf(addon, 'source', 0));
    const to = list.find((found) => found.id === numberOf(addon, 'target', 0));
    if (!from || !to) return;
    const texts = new Map((await deps.translations.units(from.id, '')).map((unit) => [unit.sourceUnitId, unit.target]));
    let count = 0;
    for (const unit of await deps.translations.units(to.id, '')) {
      const text = texts.get(unit.sourceUnitId);
      if (!text || text.every((form) => form === '') || unit.isSource) continue;
      if (unit.state === READ_ONLY && !flagOf(addon, 'include_readonly')) continue;
      const forms = unit.source.length > 1 ? (to.language?.pluralNumber ?? 2) : 1;
      const target = Array.from({ length: forms }, (_, i) =>
        pseudolocalize(text[Math.min(i, text.length - 1)]!, addon),
      );
      if (target.join('\0') === unit.target.join('\0')) continue;
      const state = unit.state === READ_ONLY ? {} : { state: TRANSLATED };
      if (await edit(context, unit, { target, ...state }, AUTOMATIC)) count++;
    }
    log(`${count} strings created`);
  },
};

const DAY_MS = 86_400_000;

export const oldSuggestions: Effect = {
  async runTask({ deps, addon, component, log }) {
    const before = deps.committer().timeMs - numberOf(addon, 'age', 30) * DAY_MS;
    const votes = numberOf(addon, 'votes', 0);
    const removed = await deps.translations.removeOldSuggestions(component.settings.id, before, votes);
    log(`${removed} suggestions removed`);
  },
};

export const oldComments: Effect = {
  async runTask({ deps, addon, component, log }) {
    const before = deps.committer().timeMs - numberOf(addon, 'age', 30) * DAY_MS;
    log(`${await deps.translations.removeOldComments(component.settings.id, before)} comments removed`);
  },
};

export const automaticTranslation: Effect = {
  async runTask(context) {
    const { deps, addon, log } = context;
    const { engines } = addon.configuration;
    for (const found of await translationsOf(context)) {
      try {
        const details = await deps.translations.autotranslate(found.id, {
          mode: textOf(addon, 'mode'),
          q: textOf(addon, 'q'),
          autoSource: textOf(addon, 'auto_source'),
          component: textOf(addon, 'component'),
          engines: Array.isArray(engines) ? (engines as string[]) : [],
          threshold: numberOf(addon, 'threshold', 80),
        });
        log(`${found.languageCode}: ${details}`);
      } catch (error) {
        if (!isServiceError(error) || error.reason === 'UNAVAILABLE') throw error;
        log(`${found.languageCode}: ${error.problems[0]?.detail ?? error.message}`);
      }
    }
  },
};
