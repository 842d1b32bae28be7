import { CATEGORIES, formsToTarget, targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import { FormatError, type AddChange } from '../format';
import { appendChildren, textSlot, xmlFormat, type XmlBase, type XmlContext, type XmlParts } from '../xml/reader';
import { elements, firstElement, type XmlElement } from '../xml/tree';

const FORMAT_KEY = 'NSStringLocalizedFormatKey';
const WIDTHS = 'NSStringVariableWidthRuleType';
const DEVICES = 'NSStringDeviceSpecificRuleType';

/** A key of a property list's dictionary with its value. */
interface Entry {
  name: string;
  key: XmlElement;
  value: XmlElement;
}

function entries({ tree }: Pick<XmlContext, 'tree'>, dict: XmlElement | undefined): Entry[] {
  const children = elements(dict);
  return children.flatMap((key, i): Entry[] => {
    const value = children[i + 1];
    return key.name === 'key' && value && value.name !== 'key' ? [{ name: tree.textOf(key), key, value }] : [];
  });
}

function variableParts(context: XmlContext, key: string, { key: start, value }: Entry): XmlParts {
  const { tree, document, options } = context;
  const forms = entries(context, value)
    .filter(({ name, value: text }) => CATEGORIES.includes(name) && text.name === 'string')
    .map(({ name, value: text }) => ({ category: name, text: tree.textOf(text), slot: textSlot(tree, text) }));
  const names = options.plural?.names;
  return {
    context: key,
    target: formsToTarget(forms, options.plural),
    plural: true,
    offset: start.start,
    slots: names
      ? names.map((name) => forms.find((form) => form.category === name)?.slot)
      : forms.map((form) => form.slot),
    owners: [start, value],
    grow(missing): Edit[] {
      const count = Math.max(...missing.map(([i]) => i)) + 1;
      const categories = targetCategories(Math.max(count, names?.length ?? forms.length), forms, options.plural);
      return appendChildren(tree, value, (indent, step) => {
        const gap = step === '' ? '' : document.eol + indent;
        return missing.map(
          ([i, text]) => `<key>${categories[i] as string}</key>${gap}<string>${tree.escape(text)}</string>`,
        );
      });
    },
  };
}

/** A rule that selects a variant: by width or device. */
function isChoice({ name, value }: Entry): boolean {
  return (name === WIDTHS || name === DEVICES) && value.name === 'dict';
}

function read(context: XmlContext): XmlParts[] {
  const { tree, document } = context;
  const dict = tree.root.local === 'plist' ? firstElement(tree.root, 'dict') : undefined;
  if (!dict) throw document.error('expected a property list with a dictionary', tree.root.start);
  return entries(context, dict).flatMap((entry): XmlParts[] => {
    const { name, key, value } = entry;
    const common = { offset: key.start, owners: [key, value] };
    if (value.name === 'string')
      return [{ ...common, context: name, target: [tree.textOf(value)], slots: [textSlot(tree, value)] }];
    if (value.name !== 'dict') return [];
    const inner = entries(context, value);
    const choices = inner
      .filter(isChoice)
      .flatMap((item) => entries(context, item.value))
      .filter((item) => item.value.name === 'string')
      .map((item): XmlParts => ({
        context: `${name}:${item.name}`,
        target: [tree.textOf(item.value)],
        offset: item.key.start,
        slots: [textSlot(tree, item.value)],
        owners: [item.key, item.value],
      }));
    const format = inner.find((item) => item.name === FORMAT_KEY && item.value.name === 'string');
    const variables = inner
      .filter((item) => item.value.name === 'dict' && !isChoice(item))
      .map((item) => variableParts(context, `${name}:${item.name}`, item));
    const text = format && {
      ...common,
      context: name,
      target: [tree.textOf(format.value)],
      slots: [textSlot(tree, format.value)],
    };
    const units = [...(text ? [{ ...text, owners: [format.key, format.value] }] : []), ...variables, ...choices];
    const group = { size: units.length, owners: [key, value] };
    return units.map((unit) => ({ ...unit, group }));
  });
}

/** Additions to one key of the dictionary. */
interface NewEntry {
  /** The key's format, or its only text. */
  format: string | undefined;
  variables: Map<string, Variable>;
  /** Variants by rule and width or device. */
  choices: Map<string, [string, string][]>;
}

interface Variable {
  forms: readonly string[];
  /** Properties besides the forms; default: the usual ones. */
  types: readonly (readonly [string, string])[];
}

/** Format specifier of the number, from the forms. */
function valueType(forms: readonly string[]): string {
  const spec = /%(?:\d+\$)?[-+ #0']*(?:[1-9]\d*)?(?:\.\d+)?((?:hh|h|ll|l|q|z|t|j|L)?[diouxXeEfgGaA])/;
  return forms.map((form) => spec.exec(form.replaceAll('%%', ''))?.[1]).find((type) => type !== undefined) ?? 'd';
}

/** Properties of the base's variable besides its forms. */
function typesOf(base: XmlBase | undefined, change: AddChange): [string, string][] {
  const value = base?.entryOf(change)?.owners.at(-1);
  if (!base || value?.kind !== 'element') return [];
  return entries(base, value)
    .filter(({ name, value: { name: kind } }) => kind === 'string' && !CATEGORIES.includes(name))
    .map(({ name, value: inner }) => [name, base.tree.textOf(inner)]);
}

/** The format of a key in the base. */
function formatOf(base: XmlBase | undefined, name: string): string | undefined {
  return base?.entryOf({ op: 'add', context: name, source: [name], target: [''] })?.target[0];
}

/** Key, rule and name of a variant, if the file or the base has a rule for the key. */
function choiceOf({ context }: AddChange, files: readonly Dictionary[]): [string, string, string] | undefined {
  const colon = context.lastIndexOf(':');
  if (colon <= 0) return undefined;
  const [key, name] = [context.slice(0, colon), context.slice(colon + 1)];
  const rule = /^\d+$/.test(name) ? WIDTHS : DEVICES;
  return files.some((file) => file.choice(key, rule)) ? [key, rule, name] : undefined;
}

/** The outermost dictionary of a file. */
class Dictionary {
  readonly values: ReadonlyMap<string, XmlElement>;

  constructor(private readonly file: Pick<XmlContext, 'tree'>) {
    const all = entries(file, firstElement(file.tree.root, 'dict'));
    this.values = new Map(all.map(({ name, value }) => [name, value]));
  }

  /** Variants of a key by rule. */
  choice(key: string, rule: string): XmlElement | undefined {
    const value = this.values.get(key);
    if (value?.name !== 'dict') return undefined;
    return entries(this.file, value).find((entry) => entry.name === rule && isChoice(entry))?.value;
  }
}

/** Groups new strings by the key of their entry. */
function newEntries(
  context: XmlContext,
  changes: readonly AddChange[],
  own: Dictionary,
  base: XmlBase | undefined,
): Map<string, NewEntry> {
  const files = base ? [own, new Dictionary(base)] : [own];
  const wanted = new Map<string, NewEntry>();
  const entryFor = (name: string): NewEntry => {
    const entry = wanted.get(name) ?? { format: undefined, variables: new Map(), choices: new Map() };
    wanted.set(name, entry);
    return entry;
  };
  for (const change of changes) {
    const { context: key, target, source } = change;
    const choice = target.length === 1 && source.length < 2 ? choiceOf(change, files) : undefined;
    if (choice) {
      const [name, rule, label] = choice;
      const { choices } = entryFor(name);
      choices.set(rule, [...(choices.get(rule) ?? []), [label, target[0] as string]]);
      continue;
    }
    const colon = key.indexOf(':');
    const plural =
      target.length > 1 || source.length > 1 || (colon > 0 && isRule(context, own.values.get(key.slice(0, colon))));
    const [name, variable] = plural && colon > 0 ? [key.slice(0, colon), key.slice(colon + 1)] : [key, 'value'];
    const entry = entryFor(name);
    if (plural) entry.variables.set(variable, { forms: target, types: typesOf(base, change) });
    else entry.format = target[0];
  }
  return wanted;
}

/** Renders new entries. A `gap` is the white space between members, `step` one level of indentation. */
class EntryWriter {
  constructor(private readonly context: XmlContext) {}

  /** White space between the members of a dictionary whose lines have this indentation. */
  gap(indent: string, step: string): string {
    return step === '' ? '' : this.context.document.eol + indent;
  }

  pair(gap: string, label: string, value: string): string {
    const { tree } = this.context;
    return `<key>${tree.escape(label)}</key>${gap}<string>${tree.escape(value)}</string>`;
  }

  private dict(gap: string, step: string, name: string, pairs: readonly (readonly [string, string])[]): string {
    const inner = gap + step;
    const body = pairs.map(([label, value]) => inner + this.pair(inner, label, value)).join('');
    return `<key>${this.context.tree.escape(name)}</key>${gap}<dict>${body}${gap}</dict>`;
  }

  private variable(gap: string, step: string, name: string, { forms, types }: Variable): string {
    const categories = targetCategories(forms.length, [], this.context.options.plural);
    const usual = [
      ['NSStringFormatSpecTypeKey', 'NSStringPluralRuleType'],
      ['NSStringFormatValueTypeKey', valueType(forms)],
    ] as const;
    const texts = forms.map((text, i) => [categories[i] as string, text] as const);
    return this.dict(gap, step, name, [...(types.length > 0 ? types : usual), ...texts]);
  }

  members({ format, variables, choices }: NewEntry, gap: string, step: string): string[] {
    return [
      ...(format === undefined ? [] : [this.pair(gap, FORMAT_KEY, format)]),
      ...[...variables].map(([name, variable]) => this.variable(gap, step, name, variable)),
      ...[...choices].map(([name, texts]) => this.dict(gap, step, name, texts)),
    ];
  }

  entry(name: string, entry: NewEntry, indent: string, step: string): string {
    const { tree } = this.context;
    const gap = this.gap(indent, step);
    const key = `<key>${tree.escape(name)}</key>${gap}`;
    const { format, variables, choices } = entry;
    if (format !== undefined && variables.size + choices.size === 0 && !format.includes('%#@'))
      return `${key}<string>${tree.escape(format)}</string>`;
    const inner = step === '' ? '' : gap + step;
    const body = this.members(entry, inner, step).map((member) => inner + member);
    return `${key}<dict>${body.join('')}${gap}</dict>`;
  }
}

/** Adds members to the dictionary of an existing key. */
function extendEntry(
  { tree }: XmlContext,
  own: Dictionary,
  name: string,
  entry: NewEntry,
  writer: EntryWriter,
): Edit[] {
  const value = own.values.get(name) as XmlElement;
  if (value.name !== 'dict')
    throw new FormatError(
      'duplicate',
      `the file uses a part of "${[name, ...entry.variables.keys()].slice(0, 2).join(':')}" for something else`,
    );
  const edits: Edit[] = [];
  const choices = new Map(entry.choices);
  for (const [rule, texts] of entry.choices) {
    const present = own.choice(name, rule);
    if (!present) continue;
    choices.delete(rule);
    const render = (indent: string, step: string): string[] =>
      texts.map(([label, text]) => writer.pair(writer.gap(indent, step), label, text));
    edits.push(...appendChildren(tree, present, render));
  }
  const rest = { ...entry, choices };
  if (entry.format !== undefined || entry.variables.size + choices.size > 0)
    edits.push(...appendChildren(tree, value, (indent, step) => writer.members(rest, writer.gap(indent, step), step)));
  return edits;
}

function add(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined): Edit[] {
  const { tree } = context;
  const own = new Dictionary(context);
  const writer = new EntryWriter(context);
  const edits: Edit[] = [];
  const fresh: [string, NewEntry][] = [];
  for (const [name, entry] of newEntries(context, changes, own, base)) {
    if (own.values.has(name)) {
      edits.push(...extendEntry(context, own, name, entry, writer));
      continue;
    }
    // Applications show nothing for a key without a format.
    const shown = [...entry.variables.keys()].map((variable) => `%#@${variable}@`).join(' ');
    fresh.push([name, { ...entry, format: entry.format ?? formatOf(base, name) ?? (shown || undefined) }]);
  }
  if (fresh.length === 0) return edits;
  const dict = firstElement(tree.root, 'dict') as XmlElement;
  const render = (indent: string, step: string): string[] =>
    fresh.map(([name, entry]) => writer.entry(name, entry, indent, step));
  return [...edits, ...appendChildren(tree, dict, render)];
}

/** Whether a key's value is a dictionary, to which variables belong. */
function isRule(context: XmlContext, value: XmlElement | undefined): boolean {
  return value?.name === 'dict' && entries(context, value).some(({ name }) => name === FORMAT_KEY);
}

/** Apple's dictionary of plural rules: the format of a key is one string, each of its variables a plural. */
export const stringsdict = xmlFormat({
  id: 'stringsdict',
  monolingual: true,
  empty: () => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
</dict>
</plist>
`,
  read,
  add,
  // A format of only variables is not translatable, and a blank one would hide them.
  keepOnCreate: ({ plural, target }) => !plural && /^\s*(?:%(?:\d+\$)?#@[^@]+@\s*)+$/.test(target[0] ?? ''),
  // The format of a plural is a string of its own.
  addsImplicitly: (unit, { context }) => context.startsWith(`${unit.context}:`),
});
