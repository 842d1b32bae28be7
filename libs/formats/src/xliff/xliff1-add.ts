import { printable, type Edit } from '../core/document';
import { FormatError, type AddChange } from '../format';
import { appendChildren, layoutOf, newElement, type XmlBase, type XmlContext } from '../xml/reader';
import { deeper, descendants, elements, firstElement, type Layout, type XmlElement } from '../xml/tree';
import { byFile, fileOfBase, toNewString, type NewString } from './file-elements';
import { encode, targetOf, type Variant } from './xliff1-target';

export function keyOf(unit: XmlElement): string {
  return unit.attributes['resname'] ?? unit.attributes['id'] ?? '';
}

export function add(
  context: XmlContext,
  changes: readonly AddChange[],
  base: XmlBase | undefined,
  variant: Variant,
): Edit[] {
  const { tree, document } = context;
  const added = changes.map((change) => toNewString(tree.root, change, 'original', 'trans-unit'));
  return byFile(added).flatMap((group) => {
    const [{ file, name }] = group as [NewString];
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
function checkIds(file: XmlElement, group: readonly NewString[]): void {
  const known = new Set([...descendants(file, 'trans-unit'), ...descendants(file, 'group')].map(keyOf));
  const duplicate = group.find(({ id }) => known.has(id));
  if (duplicate) throw new FormatError('duplicate', `the file already has the id ${printable(duplicate.id)}`);
}

/** Creates a missing `<file>` with the header of the base's, else of another one. */
function newFile(
  context: XmlContext,
  name: string,
  group: readonly NewString[],
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
  const baseFile = fileOfBase(base, group);
  const old = firstElement(baseFile, 'body');
  if (base && baseFile && old) {
    const language = other?.attributes['target-language'];
    const edits = language === undefined ? [] : base.tree.setAttribute(baseFile, 'target-language', language);
    return base.tree.copy(baseFile, [...edits, { start: old.start, end: old.end, text: body }], layout);
  }
  const languages = ['source-language', 'target-language', 'datatype'].flatMap((key) => {
    const value = other?.attributes[key];
    return value === undefined ? [] : [` ${key}="${tree.escapeAttribute(value)}"`];
  });
  return `<file original="${tree.escapeAttribute(name)}"${languages.join('')}>${outer.line}${body}${layout.line}</file>`;
}

function entries(
  context: XmlContext,
  added: readonly NewString[],
  base: XmlBase | undefined,
  layout: Layout,
  variant: Variant,
): string[] {
  return added.map(
    ({ change, id }) => copied(change, base, layout, variant) ?? newUnit(context, change, id, layout, variant),
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

function newUnit(context: XmlContext, change: AddChange, id: string, layout: Layout, variant: Variant): string {
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
