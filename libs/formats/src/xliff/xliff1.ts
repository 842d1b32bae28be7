import type { Edit } from '../core/document';
import type { CreateOptions, FileFormat, UnitState } from '../format';
import { appendChildren, xmlFormat, type XmlContext, type XmlParts, type XmlSlot } from '../xml/reader';
import { descendants, elements, firstElement, type XmlElement } from '../xml/tree';
import { isString } from './inline';
import { isGeneratedId, prefixOf } from './file-elements';
import { add, keyOf } from './xliff1-add';
import { encode, insertTarget, mark, stateAttribute, stateOf, textOf, type Variant } from './xliff1-target';

/** `restype` of the unit with the header of a gettext file. */
const GETTEXT_HEADER = 'x-gettext-domain-header';

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
  const key = !context.options.monolingual && isGeneratedId(keyOf(unit), [sourceText]) ? '' : prefix + keyOf(unit);
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
  const key = !context.options.monolingual && isGeneratedId(name, sources) ? '' : prefix + name;
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
