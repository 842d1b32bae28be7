import { targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import { FormatError, type SetChange, type UnitState } from '../format';
import { pickLanguage, sameLanguage } from '../terminology/languages';
import { isPlural } from './go';
import { Insertions } from './nested';
import { jsonFormat, rootOf, type JsonContext, type JsonParts } from './reader';
import { member, memberText, type JsonValue, type Node } from './tree';

interface Languages {
  source: string;
  /** Code of the language as the file writes it. */
  target: string;
}

/** Strings of one key: its `stringUnit`, or the forms of its plural. */
interface Found {
  text: Node | undefined;
  forms: { category: string; node: Node; unit: Node }[];
  unit: Node | undefined;
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

/** Where a text varies by device, the variation for all others, or the first one. */
function anyDevice(value: Node | undefined): Node | undefined {
  const devices = member(member(value, 'variations'), 'device');
  return member(devices, 'other') ?? devices?.children?.[0]?.children?.[1] ?? value;
}

function find(language: Node | undefined): Found {
  const localization = anyDevice(language);
  const unit = member(localization, 'stringUnit');
  const plural = member(member(localization, 'variations'), 'plural');
  const forms = (plural?.children ?? []).flatMap((property) => {
    const [key, value] = property.children as [Node, Node];
    const inner = member(anyDevice(value), 'stringUnit');
    const node = member(inner, 'value');
    return inner && node?.type === 'string' ? [{ category: key.value as string, node, unit: inner }] : [];
  });
  return { text: member(unit, 'value'), forms, unit };
}

const STATES: Readonly<Record<string, UnitState>> = {
  new: 'fuzzy',
  needs_review: 'fuzzy',
  stale: 'fuzzy',
  translated: 'translated',
};

function stateOf(entry: Node, found: Found, target: readonly string[]): UnitState {
  if (member(entry, 'shouldTranslate')?.value === false) return 'readonly';
  if (target.every((text) => text === '')) return 'empty';
  const state = memberText(found.unit ?? found.forms[0]?.unit, 'state') ?? 'translated';
  return STATES[state] ?? 'translated';
}

function stringUnit(text: string): Map<string, JsonValue> {
  return new Map([
    [
      'stringUnit',
      new Map<string, JsonValue>([
        ['state', 'translated'],
        ['value', text],
      ]),
    ],
  ]);
}

function mark(context: JsonContext, found: Found, change: SetChange): Edit[] {
  if (change.state === undefined || change.state === 'readonly') return [];
  const wanted = change.state === 'fuzzy' ? 'needs_review' : change.state === 'empty' ? 'new' : 'translated';
  const units = found.unit ? [found.unit] : found.forms.map((form) => form.unit);
  return units.flatMap((unit) => {
    const state = member(unit, 'state');
    return state ? context.tree.setScalar(state, wanted) : [];
  });
}

/** Writes a language of a key that has none yet, or only parts of it. */
function grow(
  context: JsonContext,
  entry: Node,
  language: string,
  plural: boolean,
  missing: readonly [number, string][],
): Edit[] {
  const { tree, options } = context;
  const count = Math.max(...missing.map(([i]) => i)) + 1;
  const categories = targetCategories(Math.max(count, options.plural?.count ?? 0), [], options.plural);
  const forms = new Map(missing.map(([i, text]) => [categories[i] as string, stringUnit(text)]));
  const localizations = member(entry, 'localizations');
  const localization = anyDevice(member(localizations, language));
  const present = member(member(localization, 'variations'), 'plural');
  if (plural && present) return tree.insert(present, forms);
  const value = plural ? new Map([['variations', new Map([['plural', forms]])]]) : stringUnit(missing[0]?.[1] ?? '');
  if (localization) return tree.insert(localization, value);
  if (localizations) return tree.insert(localizations, new Map([[language, value]]));
  return tree.insert(entry, new Map([['localizations', new Map([[language, value]])]]));
}

function parts(context: JsonContext, owner: Node, { source, target }: Languages): JsonParts {
  const { plural } = context.options;
  const [keyNode, entry] = owner.children as [Node, Node];
  const key = keyNode.value as string;
  const at = (language: string): Found => find(member(member(entry, 'localizations'), language));
  const base = at(source);
  const found = sameLanguage(source, target) ? base : at(target);
  const isForms = found.forms.length > 0 || (found.text === undefined && base.forms.length > 0);
  const sourceText =
    base.forms.length > 0
      ? base.forms.map((form) => form.node.value as string)
      : [(base.text?.value as string | undefined) ?? key];
  const names = plural?.names;
  const slots = !isForms
    ? [found.text]
    : names
      ? names.map((name) => found.forms.find((form) => form.category === name)?.node)
      : found.forms.length > 0
        ? found.forms.map((form) => form.node)
        : base.forms.map(() => undefined);
  const texts = slots.map((node) => (node?.value as string | undefined) ?? '');
  return {
    context: key,
    source: sourceText,
    target: texts,
    plural: isForms,
    state: stateOf(entry, found, texts),
    note: memberText(entry, 'comment') ?? '',
    offset: owner.offset,
    slots,
    owners: [owner],
    grow: (missing) => grow(context, entry, target, isForms, missing),
    mark: (change) => mark(context, found, change),
  };
}

/** Apple's string catalogs: all languages in one file, of which one is read. */
export const xcstrings = jsonFormat({
  id: 'xcstrings',
  monolingual: false,
  read(context) {
    const chosen = languages(context);
    const strings = member(rootOf(context, 'object'), 'strings')?.children ?? [];
    // Xcode keeps an entry for blank texts of the program.
    return strings.filter(({ children }) => children?.[0]?.value !== '').map((owner) => parts(context, owner, chosen));
  },
  add(context, changes) {
    const strings = member(context.tree.root, 'strings');
    if (strings?.type !== 'object') throw context.document.error('the file has no strings', 0, 'unsupported');
    const { source, target } = languages(context);
    const insertions = new Insertions(context.tree);
    for (const change of changes) {
      const key = change.context === '' ? (change.source[0] ?? '') : change.context;
      if (key === '') throw new FormatError('invalid-change', 'a new string needs a key');
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
