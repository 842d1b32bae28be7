import { targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import { Literal, type Step } from '../core/nested-keys';
import { FormatError, type SetChange, type UnitState } from '../format';
import { pickLanguage, sameLanguage } from '../terminology/languages';
import { isPlural } from './go';
import { Insertions } from './nested';
import { jsonFormat, rootOf, type JsonContext, type JsonParts, type PlacedValue } from './reader';
import { member, memberText, type JsonValue, type Node } from './tree';
import { nodeAt, ownersOf, placeOfForm, stringValue, textsOf, valuesOf, type CatalogText } from './xcstrings-texts';

interface Languages {
  source: string;
  /** Language code as spelled in the file. */
  target: string;
}

function languages(context: JsonContext): Languages {
  const root = rootOf(context, 'object');
  const source = memberText(root, 'sourceLanguage') ?? 'en';
  const codes = new Set<string>();
  for (const property of member(root, 'strings')?.children ?? []) {
    for (const language of member(property.children?.[1], 'localizations')?.children ?? [])
      codes.add(language.children?.[0]?.value as string);
  }
  const wanted = context.options.language;
  const target =
    pickLanguage([...codes, source], wanted) ?? wanted ?? [...codes].find((code) => code !== source) ?? source;
  return { source, target };
}

const STATES: Readonly<Record<string, UnitState>> = {
  new: 'fuzzy',
  needs_review: 'fuzzy',
  stale: 'fuzzy',
  translated: 'translated',
};

function stateOf(entry: Node, units: readonly Node[], target: readonly string[]): UnitState {
  if (member(entry, 'shouldTranslate')?.value === false) return 'readonly';
  if (target.every((text) => text === '')) return 'empty';
  return STATES[memberText(units[0], 'state') ?? 'translated'] ?? 'translated';
}

function stringUnit(text: string): Map<string, JsonValue> {
  return new Map([['stringUnit', unitOf(text)]]);
}

function unitOf(text: string): Map<string, JsonValue> {
  return new Map<string, JsonValue>([
    ['state', 'translated'],
    ['value', text],
  ]);
}

function mark(context: JsonContext, units: readonly Node[], change: SetChange): Edit[] {
  if (change.state === undefined || change.state === 'readonly') return [];
  const wanted = change.state === 'fuzzy' ? 'needs_review' : change.state === 'empty' ? 'new' : 'translated';
  return units.flatMap((unit) => {
    const state = member(unit, 'state');
    return state ? context.tree.setScalar(state, wanted) : [];
  });
}

/** The strings of a key in this language, including those that only the source language has. */
function parts(
  context: JsonContext,
  owner: Node,
  { source, target }: Languages,
  keys: ReadonlySet<string>,
): JsonParts[] {
  const [keyNode, entry] = owner.children as [Node, Node];
  const key = keyNode.value as string;
  const localizations = member(entry, 'localizations');
  const base = member(localizations, source);
  const own = member(localizations, sameLanguage(source, target) ? source : target);
  const baseTexts = textsOf(base, undefined);
  return textsOf(own, base).map((text): JsonParts => {
    const baseText = baseTexts.find(({ name }) => name === text.name);
    const sourceTexts = baseText
      ? valuesOf(base, baseText)
      : text.name.includes('@')
        ? []
        : valuesOf(base, baseTexts[0] as CatalogText);
    const categories = text.forms && (context.options.plural?.names ?? [...text.forms.keys()]);
    const holders = categories
      ? categories.map((category) => nodeAt(own, placeOfForm(text, category)))
      : [nodeAt(own, text.steps)];
    const units = holders.map((holder) => member(holder, 'stringUnit'));
    const slots = units.map((unit) => stringValue(unit));
    const forms = slots.map((node) => (node?.value as string | undefined) ?? '');
    const present = units.filter((unit) => unit !== undefined);
    return {
      context: nameIn(keys, key, text.name),
      source: sourceTexts.length > 0 ? sourceTexts : [key],
      target: forms,
      plural: text.forms !== undefined,
      state: stateOf(entry, present, forms),
      note: memberText(entry, 'comment') ?? '',
      offset: owner.offset,
      slots,
      owners: text.name === '' ? [owner] : [base, own].flatMap((value) => ownersOf(value, text)),
      placed: (missing) => placed(context, ['strings', key, 'localizations', target], text, { own, base }, missing),
      mark: (change) => mark(context, present, change),
      family: { entry: owner, name: text.name },
    };
  });
}

/** Generates a unique name for a string without one. */
function nameIn(keys: ReadonlySet<string>, key: string, name: string): string {
  let found = key + name;
  while (name !== '' && keys.has(found)) found += name;
  return found;
}

/** Adds the missing texts of the language. */
function placed(
  { options }: JsonContext,
  root: readonly Step[],
  text: CatalogText,
  { own, base }: { own: Node | undefined; base: Node | undefined },
  missing: readonly [number, string][],
): PlacedValue[] {
  const count = Math.max(...missing.map(([i]) => i)) + 1;
  const names = targetCategories(Math.max(count, options.plural?.count ?? 0), [], options.plural);
  const found = substitutionHead(root, text, own, base);
  for (const [i, value] of missing) {
    const steps = text.forms ? placeOfForm(text, names[i] as string) : text.steps;
    const unit = member(nodeAt(own, steps), 'stringUnit');
    const at = [...root, ...steps, 'stringUnit'];
    found.push(unit ? { steps: [...at, 'value'], value } : { steps: at, value: unitOf(value) });
  }
  return found;
}

/** Properties of a substitution in the source language besides its texts: argument and format. */
function substitutionHead(
  root: readonly Step[],
  { steps }: CatalogText,
  own: Node | undefined,
  base: Node | undefined,
): PlacedValue[] {
  const end = steps.lastIndexOf('substitutions') + 2;
  if (end < 2 || nodeAt(own, steps.slice(0, end))) return [];
  const baseNode = nodeAt(base, steps.slice(0, end));
  return ['argNum', 'formatSpecifier'].flatMap((name) => {
    const value = member(baseNode, name);
    if (value?.type !== 'string' && value?.type !== 'number') return [];
    const written = value.type === 'string' ? (value.value as string) : new Literal(String(value.value));
    return [{ steps: [...root, ...steps.slice(0, end), name], value: written }];
  });
}

/** Apple's string catalogs. One of several languages is read. */
export const xcstrings = jsonFormat({
  id: 'xcstrings',
  monolingual: false,
  read(context) {
    const chosen = languages(context);
    const strings = member(rootOf(context, 'object'), 'strings')?.children ?? [];
    const keys = new Set(strings.map(({ children }) => children?.[0]?.value as string));
    // Xcode stores an entry for empty texts of the program.
    return strings
      .filter(({ children }) => children?.[0]?.value !== '')
      .flatMap((owner) => parts(context, owner, chosen, keys));
  },
  add(context, changes) {
    const strings = member(context.tree.root, 'strings');
    if (strings?.type !== 'object') throw context.document.error('the file has no strings', 0, 'unsupported');
    const { source, target } = languages(context);
    const insertions = new Insertions(context.tree);
    for (const change of changes) {
      const key = change.context === '' ? (change.source[0] ?? '') : change.context;
      if (key === '') throw new FormatError('invalid-change', 'a new string requires a key');
      const categories = targetCategories(change.target.length, [], context.options.plural);
      const value = isPlural(change)
        ? new Map([
            [
              'variations',
              new Map([
                ['plural', new Map(change.target.map((text, i) => [categories[i] as string, stringUnit(text)]))],
              ]),
            ],
          ])
        : stringUnit(change.target[0] as string);
      const entry = new Map<string, JsonValue>();
      if (change.note) entry.set('comment', change.note);
      const own = !sameLanguage(source, target) && change.source[0] !== undefined && change.source[0] !== key;
      const localizations = new Map<string, JsonValue>(own ? [[source, stringUnit(change.source[0] as string)]] : []);
      entry.set('localizations', localizations.set(target, value));
      insertions.addTo(strings, key, entry);
    }
    return insertions.edits();
  },
  metadata(context) {
    const { source, target } = languages(context);
    return { sourceLanguage: source, targetLanguage: target };
  },
});
