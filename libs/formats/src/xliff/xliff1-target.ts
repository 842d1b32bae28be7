import type { Edit } from '../core/document';
import type { AddChange, SetChange, UnitState } from '../format';
import type { XmlContext } from '../xml/reader';
import { firstElement, type XmlElement, type XmlTree } from '../xml/tree';
import { encodePlain, encodeRich, richText } from './inline';

/** Properties of the kinds of XLIFF 1.2. */
export interface Variant {
  id: string;
  /** Inline elements are part of the text, as markup. */
  rich: boolean;
  /** Gettext's groups of plural forms. */
  gettext: boolean;
}

/** States of a target that needs editing. */
const UNFINISHED = /^(?:new|needs-)/;
const FINAL = /^(?:final|signed-off)$/;

export function textOf({ tree }: XmlContext, element: XmlElement | undefined, variant: Variant): string {
  if (!element) return '';
  return variant.rich ? richText(tree, element) : tree.textOf(element);
}

/** @param models elements that decide the encoding: markup only if one of them has inline elements */
export function encode(tree: XmlTree, text: string, models: readonly XmlElement[], variant: Variant): string {
  return variant.rich ? encodeRich(tree, text, models) : encodePlain(tree, text, models);
}

export function stateOf(unit: XmlElement, target: XmlElement | undefined, text: string): UnitState {
  if (unit.attributes['translate'] === 'no') return 'readonly';
  if (text === '') return 'empty';
  const state = target?.attributes['state'] ?? '';
  if (UNFINISHED.test(state)) return 'fuzzy';
  return unit.attributes['approved'] === 'yes' || FINAL.test(state) ? 'approved' : 'translated';
}

const isBlank = (texts: readonly string[]): boolean => texts.every((text) => text === '');

export function mark(
  { tree }: XmlContext,
  unit: XmlElement,
  target: XmlElement | undefined,
  change: SetChange,
): Edit[] {
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
export const stateAttribute = (state: UnitState | undefined): string =>
  state === 'fuzzy' ? ' state="needs-translation"' : '';

/** Adds a target after the source, in the layout of the source. */
export function insertTarget(
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

/** A new target after white space; empty for a blank text. */
export function targetOf(
  tree: XmlTree,
  change: AddChange,
  gap: string,
  variant: Variant,
  models: readonly XmlElement[] = [],
): string {
  const text = change.target[0] ?? '';
  return text === ''
    ? ''
    : `${gap}<target${stateAttribute(change.state)}>${encode(tree, text, models, variant)}</target>`;
}
