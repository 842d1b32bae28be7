import type { Step } from '../core/nested-keys';
import { member, type Node } from './tree';

/** A string of a localization: the main text, or a variant by device or substitution. */
export interface CatalogText {
  /** '' for the main text; `:DEVICE` and `@SUBSTITUTION` for variants, concatenated if nested. */
  name: string;
  /** Path from the localization to the parent of the `stringUnit` or plural. */
  steps: readonly Step[];
  /** Path to the parent of the `stringUnit`, by plural category. */
  forms?: ReadonlyMap<string, readonly Step[]>;
  /** Device of a plural with categories by device. */
  device?: string;
}

function namesIn(object: Node | undefined): string[] {
  return object?.type === 'object'
    ? [...new Set((object.children ?? []).map((p) => p.children?.[0]?.value as string))]
    : [];
}

/** Devices with variants. The fallback comes first. */
function devicesOf(...values: (Node | undefined)[]): string[] {
  const names = [...new Set(values.flatMap((value) => namesIn(member(member(value, 'variations'), 'device'))))];
  const main = names.includes('other') ? 'other' : names[0];
  return main === undefined ? [] : [main, ...names.filter((name) => name !== main)];
}

function categoriesOf(value: Node | undefined): string[] {
  return namesIn(member(member(value, 'variations'), 'plural'));
}

/**
 * All strings of a localization. The first is the main text, even if it is missing.
 * @param base localization of the source language, which shows missing texts and variants
 */
export function textsOf(
  own: Node | undefined,
  base: Node | undefined,
  steps: readonly Step[] = [],
  name = '',
): CatalogText[] {
  const isPlain = member(own, 'stringUnit') !== undefined || categoriesOf(own).length > 0;
  const devices = isPlain ? [] : devicesOf(own, base);
  const found = devices.flatMap((device, i) => {
    const way = ['variations', 'device', device];
    return textsOf(nodeAt(own, way), nodeAt(base, way), [...steps, ...way], i === 0 ? name : `${name}:${device}`);
  });
  if (devices.length === 0) found.push(...plainTexts(isPlain ? own : base, steps, name));
  for (const one of new Set([own, base].flatMap((value) => namesIn(member(value, 'substitutions'))))) {
    const way = ['substitutions', one];
    found.push(...textsOf(nodeAt(own, way), nodeAt(base, way), [...steps, ...way], `${name}@${one}`));
  }
  return found;
}

/** A text, or a plural without variants by device. Its categories may have such variants. */
function plainTexts(value: Node | undefined, steps: readonly Step[], name: string): CatalogText[] {
  const plural = member(member(value, 'variations'), 'plural');
  const categories = categoriesOf(value);
  if (categories.length === 0) return [{ name, steps }];
  const forms = new Map<string, readonly Step[]>();
  const others = new Map<string, Map<string, readonly Step[]>>();
  for (const category of categories) {
    const at = [...steps, 'variations', 'plural', category];
    const [main, ...rest] = devicesOf(member(plural, category));
    forms.set(category, main === undefined ? at : [...at, 'variations', 'device', main]);
    for (const device of rest) {
      const of = others.get(device) ?? new Map<string, readonly Step[]>();
      others.set(device, of.set(category, [...at, 'variations', 'device', device]));
    }
  }
  return [
    { name, steps, forms },
    ...[...others].map(([device, of]) => ({ name: `${name}:${device}`, steps, forms: of, device })),
  ];
}

/** Path to a plural form, even if it is missing. */
export function placeOfForm({ steps, forms, device }: CatalogText, category: string): readonly Step[] {
  const known = forms?.get(category);
  if (known) return known;
  const at = [...steps, 'variations', 'plural', category];
  return device === undefined ? at : [...at, 'variations', 'device', device];
}

export function nodeAt(value: Node | undefined, steps: readonly Step[]): Node | undefined {
  let node = value;
  for (const step of steps) node = member(node, String(step));
  return node;
}

/** The text of a `stringUnit`. */
export function stringValue(unit: Node | undefined): Node | undefined {
  const node = member(unit, 'value');
  return node?.type === 'string' ? node : undefined;
}

/** The texts of a string: all plural forms or one; empty if it is missing. */
export function valuesOf(value: Node | undefined, { steps, forms }: CatalogText): string[] {
  return [...(forms?.values() ?? [steps])].flatMap((at) => {
    const node = stringValue(member(nodeAt(value, at), 'stringUnit'));
    return node ? [node.value as string] : [];
  });
}

/** The properties to remove for a variant: its substitution or device. */
export function ownersOf(value: Node | undefined, { name, steps, forms, device }: CatalogText): Node[] {
  const substitution = /@([^:@]*)$/.exec(name)?.[1];
  const isOwn = (step: Step, i: number): boolean => step === substitution && steps[i - 1] === 'substitutions';
  const end = substitution === undefined ? steps.length : steps.findLastIndex(isOwn) + 1;
  const places = device === undefined ? [steps.slice(0, end)] : [...(forms?.values() ?? [])];
  return places.flatMap((at) => {
    const object = nodeAt(value, at.slice(0, -1));
    const property = object?.children?.findLast((child) => child.children?.[0]?.value === at.at(-1));
    return property ? [property] : [];
  });
}
