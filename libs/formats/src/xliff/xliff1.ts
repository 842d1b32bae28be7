import { printable, type Edit } from '../core/document';
import {
  FormatError,
  type AddChange,
  type CreateOptions,
  type FileFormat,
  type SetChange,
  type UnitState,
} from '../format';
import {
  appendChildren,
  layoutOf,
  newElement,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
  type XmlSlot,
} from '../xml/reader';
import { deeper, descendants, elements, firstElement, type Layout, type XmlElement, type XmlTree } from '../xml/tree';
import { encodePlain, encodeRich, isString, richText } from './inline';
import { byFile, fileLike, isMadeId, placeNew, prefixOf, type Placed } from './places';

/** Properties of the kinds of XLIFF 1.2. */
interface Variant {
  id: string;
  /** Inline elements are part of the text, as markup. */
  rich: boolean;
  /** Gettext's groups of plural forms. */
  gettext: boolean;
}

/** `restype` of the unit with the header of a gettext file. */
const GETTEXT_HEADER = 'x-gettext-domain-header';

/** States of a target that needs editing. */
const UNFINISHED = /^(?:new|needs-)/;
const FINAL = /^(?:final|signed-off)$/;

function textOf({ tree }: XmlContext, element: XmlElement | undefined, variant: Variant): string {
  if (!element) return '';
  return variant.rich ? richText(tree, element) : tree.textOf(element);
}

/** @param like elements that decide the encoding: markup only if one of them has inline elements */
function encode(tree: XmlTree, text: string, like: readonly XmlElement[], variant: Variant): string {
  return variant.rich ? encodeRich(tree, text, like) : encodePlain(tree, text, like);
}

function stateOf(unit: XmlElement, target: XmlElement | undefined, text: string): UnitState {
  if (unit.attributes['translate'] === 'no') return 'readonly';
  if (text === '') return 'empty';
  const state = target?.attributes['state'] ?? '';
  if (UNFINISHED.test(state)) return 'fuzzy';
  return unit.attributes['approved'] === 'yes' || FINAL.test(state) ? 'approved' : 'translated';
}

const isBlank = (texts: readonly string[]): boolean => texts.every((text) => text === '');

function mark({ tree }: XmlContext, unit: XmlElement, target: XmlElement | undefined, change: SetChange): Edit[] {
  const { state } = change;
  if (state === undefined || state === 'readonly') return [];
  const edits: Edit[] = [];
  const approved = unit.attributes['approved'];
  if (state === 'approved') edits.push(...tree.setAttribute(unit, 'approved', 'yes'));
  else if (approved === 'yes') edits.push(...tree.setAttribute(unit, 'approved', 'no'));
  // An empty self-closing target keeps its attributes.
  if (!target || (target.selfClosing && isBlank(change.target))) return edits;
  const old = target.attributes['state'];
  if (state === 'fuzzy' && !UNFINISHED.test(old ?? ''))
    edits.push(...tree.setAttribute(target, 'state', 'needs-translation'));
  if (state === 'translated' && old !== undefined && (UNFINISHED.test(old) || FINAL.test(old))) {
    edits.push(...tree.setAttribute(target, 'state', 'translated'));
  }
  if (state === 'approved' && old !== undefined && !FINAL.test(old))
    edits.push(...tree.setAttribute(target, 'state', 'final'));
  if (state === 'empty' && old !== undefined) edits.push(...tree.setAttribute(target, 'state', 'new'));
  return edits;
}

/** The state attribute of a new target. */
const stateAttribute = (state: UnitState | undefined): string =>
  state === 'fuzzy' ? ' state="needs-translation"' : '';

/** Adds a target after the source, in the layout of the source. */
function insertTarget(
  context: XmlContext,
  unit: XmlElement,
  text: string,
  state: UnitState | undefined,
  variant: Variant,
): Edit[] {
  const { tree, document } = context;
  const source = firstElement(unit, 'source') as XmlElement;
  const after = firstElement(unit, 'seg-source') ?? source;
  const indent = tree.indentOf(after.start);
  const prefix = unit.name.slice(0, unit.name.length - unit.local.length);
  const gap = indent === undefined ? '' : document.eol + indent;
  return [
    {
      start: after.end,
      end: after.end,
      text: `${gap}<${prefix}target${stateAttribute(state)}>${encode(tree, text, [source], variant)}</${prefix}target>`,
    },
  ];
}

function notes(context: XmlContext, unit: XmlElement): { note: string; comment: string } {
  const all = elements(unit, 'note');
  const join = (list: readonly XmlElement[]): string => list.map((note) => context.tree.textOf(note)).join('\n');
  const translators = all.filter((note) => /^translator/.test(note.attributes['from'] ?? ''));
  return { note: join(all.filter((note) => !translators.includes(note))), comment: join(translators) };
}

function location({ tree }: XmlContext, unit: XmlElement): string {
  const groups = elements(unit, 'context-group').filter((group) =>
    (group.attributes['purpose'] ?? '').includes('location'),
  );
  return groups
    .map((group) => {
      const part = (type: string): string => {
        const found = elements(group, 'context').find((element) => element.attributes['context-type'] === type);
        return found ? tree.textOf(found) : '';
      };
      return [part('sourcefile'), part('linenumber')].filter((text) => text !== '').join(':');
    })
    .filter((text) => text !== '')
    .join(', ');
}

function slotOf(
  { tree }: XmlContext,
  target: XmlElement | undefined,
  source: XmlElement,
  variant: Variant,
): XmlSlot | undefined {
  if (!target) return undefined;
  return { element: target, write: (text) => encode(tree, text, [target, source], variant) };
}

function readFile(context: XmlContext, file: XmlElement, prefix: string, variant: Variant): XmlParts[] {
  const { tree, options } = context;
  const found: XmlParts[] = [];
  const seen = new Set<XmlElement>();
  const offered = (source: XmlElement): boolean => isString(tree, source, options.monolingual);
  for (const unit of descendants(file, 'trans-unit')) {
    const source = firstElement(unit, 'source');
    if (!source || seen.has(unit) || unit.attributes['restype'] === GETTEXT_HEADER) continue;
    const group = unit.parent;
    if (variant.gettext && group?.attributes['restype'] === 'x-gettext-plurals') {
      const forms = elements(group, 'trans-unit').filter((form) => firstElement(form, 'source'));
      forms.forEach((form) => seen.add(form));
      if (forms.some((form) => offered(firstElement(form, 'source') as XmlElement)))
        found.push(pluralParts(context, group, forms, prefix, variant));
    } else if (offered(source)) found.push(unitParts(context, file, unit, source, prefix, variant));
  }
  return found;
}

function keyOf(unit: XmlElement): string {
  return unit.attributes['resname'] ?? unit.attributes['id'] ?? '';
}

function unitParts(
  context: XmlContext,
  file: XmlElement,
  unit: XmlElement,
  source: XmlElement,
  prefix: string,
  variant: Variant,
): XmlParts {
  const target = firstElement(unit, 'target');
  const sourceText = textOf(context, source, variant);
  const key = !context.options.monolingual && isMadeId(keyOf(unit), [sourceText]) ? '' : prefix + keyOf(unit);
  const own = target ?? (context.options.monolingual && isSourceFile(context, file) ? source : undefined);
  const text = textOf(context, own, variant);
  const previous = elements(unit, 'alt-trans').find((alt) => alt.attributes['alttranstype'] === 'previous-version');
  return {
    context: key,
    source: context.options.monolingual ? [key] : [sourceText],
    target: [text],
    offset: unit.start,
    state: stateOf(unit, target, text),
    ...notes(context, unit),
    location: location(context, unit),
    previousSource: textOf(context, firstElement(previous, 'source'), variant),
    slots: [slotOf(context, own, source, variant)],
    owners: [unit],
    grow: (missing, state) => insertTarget(context, unit, missing[0]?.[1] ?? '', state, variant),
    mark: (change) => mark(context, unit, target, change),
  };
}

/** The template of a monolingual pair stores its texts as sources. */
function isSourceFile({ options }: XmlContext, file: XmlElement): boolean {
  const source = file.attributes['source-language'];
  const target = file.attributes['target-language'];
  return (
    target === undefined ||
    target === source ||
    (options.language !== undefined && options.language === options.sourceLanguage)
  );
}

function pluralParts(
  context: XmlContext,
  group: XmlElement,
  forms: readonly XmlElement[],
  prefix: string,
  variant: Variant,
): XmlParts {
  const first = forms[0] as XmlElement;
  const targets = forms.map((form) => firstElement(form, 'target'));
  const texts = targets.map((target) => textOf(context, target, variant));
  const count = context.options.plural?.count ?? forms.length;
  while (texts.length < count) texts.push('');
  const sourceElements = forms.map((form) => firstElement(form, 'source') as XmlElement);
  const sources = sourceElements.slice(0, 2).map((source) => textOf(context, source, variant));
  const name = group.attributes['resname'] ?? group.attributes['id'] ?? keyOf(first).replace(/\[0\]$/, '');
  const key = !context.options.monolingual && isMadeId(name, sources) ? '' : prefix + name;
  return {
    context: key,
    source: context.options.monolingual ? [key] : sources,
    target: texts,
    plural: true,
    offset: group.start,
    state: stateOf(first, targets[0], texts.join('')),
    ...notes(context, first),
    location: location(context, first),
    slots: texts.map((_, i) =>
      slotOf(context, targets[i], sourceElements[i] ?? (sourceElements[0] as XmlElement), variant),
    ),
    owners: [group],
    grow: (missing, state) => missing.flatMap(([i, text]) => growForm(context, group, forms, i, text, state, variant)),
    mark: (change) => forms.flatMap((form, i) => mark(context, form, targets[i], change)),
  };
}

function growForm(
  context: XmlContext,
  group: XmlElement,
  forms: readonly XmlElement[],
  i: number,
  text: string,
  state: UnitState | undefined,
  variant: Variant,
): Edit[] {
  const form = forms[i];
  if (form) return insertTarget(context, form, text, state, variant);
  const last = forms.at(-1) as XmlElement;
  const { tree } = context;
  const id = tree.escapeAttribute(`${(last.attributes['id'] ?? '').replace(/\[\d+\]$/, '')}[${i}]`);
  const source = firstElement(last, 'source') as XmlElement;
  const target = encode(tree, text, [source], variant);
  const markup = `<trans-unit id="${id}"><source>${tree.inner(source)}</source><target${stateAttribute(state)}>${target}</target></trans-unit>`;
  return appendChildren(tree, group, () => [markup]);
}

function add(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined, variant: Variant): Edit[] {
  const { tree, document } = context;
  const placed = changes.map((change) => placeNew(tree.root, change, 'original', 'trans-unit'));
  return byFile(placed).flatMap((group) => {
    const [{ file, name }] = group as [Placed];
    if (!file)
      return appendChildren(tree, tree.root, (indent, step) => [
        newFile(context, name, group, base, layoutOf(context, indent, step), variant),
      ]);
    checkIds(file, group);
    const body = firstElement(file, 'body');
    if (!body) throw document.error('the file has no body for new strings', file.start, 'unsupported');
    return appendChildren(tree, body, (indent, step) =>
      entries(context, group, base, layoutOf(context, indent, step), variant),
    );
  });
}

/** Rejects ids that exist in the `<file>`, even with another source or in an element that is not a string. */
function checkIds(file: XmlElement, group: readonly Placed[]): void {
  const known = new Set([...descendants(file, 'trans-unit'), ...descendants(file, 'group')].map(keyOf));
  const twice = group.find(({ id }) => known.has(id));
  if (twice) throw new FormatError('duplicate', `the file already has the id ${printable(twice.id)}`);
}

/** Creates a missing `<file>` with the header of the base's, else of another one. */
function newFile(
  context: XmlContext,
  name: string,
  group: readonly Placed[],
  base: XmlBase | undefined,
  layout: Layout,
  variant: Variant,
): string {
  const { tree } = context;
  const outer = deeper(layout);
  const inner = deeper(outer);
  const units = entries(context, group, base, inner, variant).map((unit) => inner.line + unit);
  const body = `<body>${units.join('')}${outer.line}</body>`;
  const other = firstElement(tree.root, 'file');
  const like = fileLike(base, group);
  const old = firstElement(like, 'body');
  if (base && like && old) {
    const language = other?.attributes['target-language'];
    const edits = language === undefined ? [] : base.tree.setAttribute(like, 'target-language', language);
    return base.tree.copy(like, [...edits, { start: old.start, end: old.end, text: body }], layout);
  }
  const languages = ['source-language', 'target-language', 'datatype'].flatMap((key) => {
    const value = other?.attributes[key];
    return value === undefined ? [] : [` ${key}="${tree.escapeAttribute(value)}"`];
  });
  return `<file original="${tree.escapeAttribute(name)}"${languages.join('')}>${outer.line}${body}${layout.line}</file>`;
}

function entries(
  context: XmlContext,
  placed: readonly Placed[],
  base: XmlBase | undefined,
  layout: Layout,
  variant: Variant,
): string[] {
  return placed.map(
    ({ change, id }) => copied(change, base, layout, variant) ?? made(context, change, id, layout, variant),
  );
}

/** The base's entry with its notes, locations and ids, and the new targets. */
function copied(change: AddChange, base: XmlBase | undefined, layout: Layout, variant: Variant): string | undefined {
  const [owner] = base?.entryOf(change)?.owners ?? [];
  if (!base || owner?.kind !== 'element') return undefined;
  if (owner.local === 'trans-unit')
    return base.tree.copy(owner, targetEdits(base, owner, change, layout, variant), layout);
  const forms = elements(owner, 'trans-unit').filter((form) => firstElement(form, 'source'));
  const inner = deeper(layout);
  const written = change.target.map((text, i) => {
    const form = forms[Math.min(i, forms.length - 1)] as XmlElement;
    const id = (form.attributes['id'] ?? '').replace(/\[\d+\]$/, `[${i}]`);
    const edits = targetEdits(base, form, { ...change, target: [text] }, inner, variant);
    return base.tree.copy(form, [...base.tree.setAttribute(form, 'id', id), ...edits], inner);
  });
  const [first, last] = [forms[0], forms.at(-1)] as [XmlElement, XmlElement];
  return base.tree.copy(owner, [{ start: first.start, end: last.end, text: written.join(inner.line) }], layout);
}

/** Replacements in a copy of an entry that set its target and state. */
function targetEdits({ tree }: XmlBase, unit: XmlElement, change: AddChange, layout: Layout, variant: Variant): Edit[] {
  const old = firstElement(unit, 'target');
  const source = firstElement(unit, 'source') as XmlElement;
  const written = targetOf(tree, change, '', variant, old ? [old, source] : [source]);
  const after = firstElement(unit, 'seg-source') ?? source;
  const gap = written === '' ? '' : deeper(layout).line;
  const approved = change.state === 'approved' ? 'yes' : unit.attributes['approved'] === 'yes' ? 'no' : undefined;
  return [
    ...(approved === undefined ? [] : tree.setAttribute(unit, 'approved', approved)),
    old ? { start: old.start, end: old.end, text: written } : { start: after.end, end: after.end, text: gap + written },
  ];
}

function made(context: XmlContext, change: AddChange, id: string, layout: Layout, variant: Variant): string {
  const { tree, options } = context;
  const { line, step } = layout;
  const source = options.monolingual ? (change.source[1] ?? change.target[0] ?? '') : (change.source[0] ?? '');
  const plural = variant.gettext && (change.target.length > 1 || (!options.monolingual && change.source.length > 1));
  if (!plural) return transUnit(context, id, source, change, line, step, variant);
  const inner = deeper(layout).line;
  const forms = change.target.map((text, i) => {
    const from = change.source[Math.min(i, change.source.length - 1)] ?? '';
    return `${inner}${transUnit(context, `${id}[${i}]`, from, { ...change, target: [text] }, inner, step, variant)}`;
  });
  return `<group id="${tree.escapeAttribute(id)}" restype="x-gettext-plurals">${forms.join('')}${line}</group>`;
}

/** A new target after white space; empty for a blank text. */
function targetOf(
  tree: XmlTree,
  change: AddChange,
  gap: string,
  variant: Variant,
  like: readonly XmlElement[] = [],
): string {
  const text = change.target[0] ?? '';
  return text === ''
    ? ''
    : `${gap}<target${stateAttribute(change.state)}>${encode(tree, text, like, variant)}</target>`;
}

function transUnit(
  context: XmlContext,
  id: string,
  source: string,
  change: AddChange,
  gap: string,
  unit: string,
  variant: Variant,
): string {
  const { tree } = context;
  const inner = gap === '' ? '' : gap + unit;
  const approved = change.state === 'approved' ? ' approved="yes"' : '';
  const target = targetOf(tree, change, inner, variant);
  const note = change.note ? `${inner}<note>${tree.escape(change.note)}</note>` : '';
  return `<trans-unit id="${tree.escapeAttribute(id)}"${approved}>${inner}${newElement(context, 'source', '', encode(tree, source, [], variant))}${target}${note}${gap}</trans-unit>`;
}

function empty({ sourceLanguage, language }: CreateOptions): string {
  const source = (sourceLanguage ?? 'en').replaceAll('_', '-');
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="strings" source-language="${source}" target-language="${language.replaceAll('_', '-')}" datatype="plaintext">
    <body>
    </body>
  </file>
</xliff>
`;
}

function xliffFormat(variant: Variant): FileFormat {
  return xmlFormat({
    id: variant.id,
    monolingual: false,
    empty,
    read(context) {
      const { tree, document } = context;
      if (tree.root.local !== 'xliff') throw document.error('expected the element xliff', tree.root.start);
      if ((tree.root.attributes['version'] ?? '1.2').startsWith('2')) {
        throw document.error('this is XLIFF 2, which has its own format', tree.root.start);
      }
      const files = elements(tree.root, 'file');
      return files.flatMap((file) => readFile(context, file, prefixOf(files, file, 'original'), variant));
    },
    add: (context, changes, base) => add(context, changes, base, variant),
    language: ({ tree }, language) =>
      elements(tree.root, 'file').flatMap((file) =>
        tree.setAttribute(file, 'target-language', language.replaceAll('_', '-')),
      ),
    metadata({ tree }) {
      const file = firstElement(tree.root, 'file');
      const sourceLanguage = file?.attributes['source-language'];
      const targetLanguage = file?.attributes['target-language'];
      return { ...(sourceLanguage ? { sourceLanguage } : {}), ...(targetLanguage ? { targetLanguage } : {}) };
    },
  });
}

/** XLIFF 1.2 with plain texts. Inline elements are hidden and removed when the text changes. */
export const plainXliff = xliffFormat({ id: 'plainxliff', rich: false, gettext: false });

/** XLIFF 1.2 with inline elements as part of the text. */
export const xliff = xliffFormat({ id: 'xliff', rich: true, gettext: false });

/** XLIFF 1.2 as gettext's tools write it, with plurals as groups. */
export const poXliff = xliffFormat({ id: 'poxliff', rich: true, gettext: true });
