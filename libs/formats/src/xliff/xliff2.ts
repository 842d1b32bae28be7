import { printable, type Edit } from '../core/document';
import type { AddChange, SetChange, UnitState } from '../format';
import { FormatError } from '../format';
import {
  appendChildren,
  layoutOf,
  newElement,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
} from '../xml/reader';
import { deeper, descendants, elements, firstElement, type Layout, type XmlElement } from '../xml/tree';
import { encodeRich, isString, richText } from './inline';
import { byFile, fileOfBase, isGeneratedId, toNewString, prefixOf, type NewString } from './file-elements';

function stateOf(unit: XmlElement, segment: XmlElement, text: string): UnitState {
  if (unit.attributes['translate'] === 'no') return 'readonly';
  if (text === '') return 'empty';
  const state = segment.attributes['state'];
  if (state === 'initial') return 'fuzzy';
  return state === 'final' || state === 'reviewed' ? 'approved' : 'translated';
}

const STATES: Readonly<Record<UnitState, string | undefined>> = {
  empty: 'initial',
  fuzzy: 'initial',
  translated: 'translated',
  approved: 'final',
  readonly: undefined,
};

function mark({ tree }: XmlContext, segment: XmlElement, change: SetChange): Edit[] {
  const state = change.state === undefined ? undefined : STATES[change.state];
  const old = segment.attributes['state'];
  if (state === undefined || (old === undefined && (state === 'translated' || change.state === 'empty'))) return [];
  if (state === 'final' && old === 'reviewed') return [];
  return tree.setAttribute(segment, 'state', state);
}

/** The unit's notes, shared by all of its segments. */
function notesOf({ tree }: XmlContext, unit: XmlElement): Pick<XmlParts, 'note' | 'location'> {
  const texts: Record<'note' | 'location', string[]> = { note: [], location: [] };
  for (const note of elements(firstElement(unit, 'notes'), 'note'))
    texts[note.attributes['category'] === 'location' ? 'location' : 'note'].push(tree.textOf(note));
  return { note: texts.note.join('\n'), location: texts.location.join(', ') };
}

function segmentParts(
  context: XmlContext,
  unit: XmlElement,
  segment: XmlElement,
  key: string,
  shared: Pick<XmlParts, 'group' | 'note' | 'location'>,
): XmlParts {
  const { tree, document, options } = context;
  const source = firstElement(segment, 'source') as XmlElement;
  const target = firstElement(segment, 'target');
  const text = richText(tree, target);
  return {
    ...shared,
    context: key,
    source: options.monolingual ? [key] : [richText(tree, source)],
    target: [text],
    offset: segment.start,
    state: stateOf(unit, segment, text),
    slots: [target ? { element: target, write: (value) => encodeRich(tree, value, [target, source]) } : undefined],
    owners: [segment],
    grow: (missing) => {
      const indent = tree.indentOf(source.start);
      const gap = indent === undefined ? '' : document.eol + indent;
      return [
        {
          start: source.end,
          end: source.end,
          text: `${gap}<target>${encodeRich(tree, missing[0]?.[1] ?? '', [source])}</target>`,
        },
      ];
    },
    mark: (change) => mark(context, segment, change),
  };
}

/** Segments that are strings. */
function segmentsOf(unit: XmlElement): XmlElement[] {
  return elements(unit, 'segment').filter((segment) => firstElement(segment, 'source'));
}

/** Key suffix of a segment, in units with several. */
function nameOf(segment: XmlElement, place: number): string {
  return segment.attributes['id'] ?? String(place);
}

function add(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined): Edit[] {
  const { tree } = context;
  const added = changes.map((change) => toNewString(tree.root, change, 'id', 'unit'));
  return byFile(added).flatMap((group) => {
    const [{ file, name }] = group as [NewString];
    const { inside, units } = sortByKind(context, file, group, base);
    const render = (layout: Layout): string[] =>
      units.map((unit) =>
        'baseUnit' in unit ? copyUnit(unit, base as XmlBase, layout) : newUnit(context, unit, layout),
      );
    if (units.length === 0) return inside;
    if (file)
      return [...inside, ...appendChildren(tree, file, (indent, step) => render(layoutOf(context, indent, step)))];
    return appendChildren(tree, tree.root, (indent, step) => {
      const layout = layoutOf(context, indent, step);
      const inner = deeper(layout);
      const written = render(inner).map((unit) => inner.line + unit);
      return [`${headOf(context, name, group, base)}${written.join('')}${layout.line}</file>`];
    });
  });
}

/** A unit of the base with its strings to add. */
interface UnitCopy {
  baseUnit: XmlElement;
  /** By segment. */
  texts: Map<XmlElement, AddChange>;
}

/** New strings by kind: segments of existing units, copies of base units, or new units. */
function sortByKind(
  context: XmlContext,
  file: XmlElement | undefined,
  group: readonly NewString[],
  base: XmlBase | undefined,
): { inside: Edit[]; units: (UnitCopy | NewString)[] } {
  const known = new Map(file ? [...descendants(file, 'unit')].map((unit) => [unit.attributes['id'] ?? '', unit]) : []);
  const copies = new Map<XmlElement, UnitCopy>();
  const inside: Edit[] = [];
  const units: (UnitCopy | NewString)[] = [];
  for (const one of group) {
    const [segment] = base?.entryOf(one.change)?.owners ?? [];
    const baseUnit = segment?.kind === 'element' ? segment.parent : undefined;
    const colon = one.id.lastIndexOf(':');
    const unit = known.get(baseUnit ? (baseUnit.attributes['id'] ?? '') : one.id.slice(0, Math.max(colon, 0)));
    if (unit && (baseUnit || segmentsOf(unit).length > 1)) {
      inside.push(...newSegment(context, unit, one, base, baseUnit && (segment as XmlElement)));
      continue;
    }
    if (!baseUnit) {
      if (known.has(one.id)) throw new FormatError('duplicate', `the file already has the id ${printable(one.id)}`);
      units.push(one);
      continue;
    }
    let copy = copies.get(baseUnit);
    if (!copy) {
      copies.set(baseUnit, (copy = { baseUnit, texts: new Map() }));
      units.push(copy);
    }
    copy.texts.set(segment as XmlElement, one.change);
  }
  return { inside, units };
}

/** Adds a segment to an existing unit, in the order of the base. */
function newSegment(
  context: XmlContext,
  unit: XmlElement,
  { change, id }: NewString,
  base: XmlBase | undefined,
  baseSegment: XmlElement | undefined,
): Edit[] {
  const { tree, document } = context;
  const present = segmentsOf(unit);
  const siblings = baseSegment?.parent ? segmentsOf(baseSegment.parent) : [];
  const own = baseSegment ? nameOf(baseSegment, siblings.indexOf(baseSegment)) : id.slice(id.lastIndexOf(':') + 1);
  const isPlace = baseSegment
    ? baseSegment.attributes['id'] === undefined
    : present.every(({ attributes }) => attributes['id'] === undefined);
  // A single segment has the id of its unit as key, and a second segment would change that.
  if (present.length < 2 || (isPlace && own !== String(present.length)))
    throw new FormatError('unsupported', 'the new segment would change the keys of the other segments');
  const before = siblings
    .slice(0, baseSegment ? siblings.indexOf(baseSegment) : 0)
    .map((segment, i) => nameOf(segment, i));
  const after =
    present.findLast((segment, i) => before.includes(nameOf(segment, i))) ?? (baseSegment ? undefined : present.at(-1));
  const next = present[0] as XmlElement;
  const indent = tree.indentOf((after ?? next).start);
  const outer = tree.indentOf(unit.start);
  const line = indent === undefined ? '' : document.eol + indent;
  const step = outer !== undefined && indent?.startsWith(outer) ? indent.slice(outer.length) : '';
  const layout = { line, step, eol: document.eol };
  const named = isPlace ? '' : ` id="${tree.escapeAttribute(own)}"`;
  const text =
    base && baseSegment
      ? base.tree.copy(baseSegment, segmentEdits(base, baseSegment, change, layout), layout)
      : segment(context, change, named, layout);
  return after
    ? [{ start: after.end, end: after.end, text: line + text }]
    : [{ start: next.start, end: next.start, text: text + line }];
}

/** Replacements in a copy of a segment that set or remove its target. */
function segmentEdits({ tree }: XmlBase, element: XmlElement, change: AddChange | undefined, layout: Layout): Edit[] {
  const source = firstElement(element, 'source') as XmlElement;
  const old = firstElement(element, 'target');
  const text = change?.target[0] ?? '';
  const written = text === '' ? '' : `<target>${encodeRich(tree, text, old ? [old, source] : [source])}</target>`;
  const gap = written === '' ? '' : deeper(layout).line;
  const state = STATES[text === '' ? 'empty' : (change?.state ?? 'translated')];
  const marked = element.attributes['state'] !== undefined || change?.state === 'fuzzy' || change?.state === 'approved';
  return [
    ...(marked ? tree.setAttribute(element, 'state', state) : []),
    old
      ? { start: written === '' ? source.end : old.start, end: old.end, text: written }
      : { start: source.end, end: source.end, text: gap + written },
  ];
}

/** The base's unit with its notes and data, and targets for the added segments. */
function copyUnit({ baseUnit, texts }: UnitCopy, base: XmlBase, layout: Layout): string {
  const inner = deeper(layout);
  const edits = segmentsOf(baseUnit).flatMap((element) => segmentEdits(base, element, texts.get(element), inner));
  return base.tree.copy(baseUnit, edits, layout);
}

function segment(context: XmlContext, change: AddChange, id: string, layout: Layout): string {
  const inner = deeper(layout).line;
  const state = change.state === 'fuzzy' ? ' state="initial"' : change.state === 'approved' ? ' state="final"' : '';
  const text = change.target[0] ?? '';
  const target = text === '' ? '' : `${inner}<target>${encodeRich(context.tree, text, [])}</target>`;
  const source = encodeRich(context.tree, context.options.monolingual ? text : (change.source[0] ?? ''), []);
  return `<segment${id}${state}>${inner}${newElement(context, 'source', '', source)}${target}${layout.line}</segment>`;
}

function newUnit(context: XmlContext, { change, id }: NewString, layout: Layout): string {
  const { tree } = context;
  const inner = deeper(layout);
  const { line } = inner;
  const note = change.note
    ? `${line}<notes>${deeper(inner).line}<note>${tree.escape(change.note)}</note>${line}</notes>`
    : '';
  return `<unit id="${tree.escapeAttribute(id)}">${note}${line}${segment(context, change, '', inner)}${layout.line}</unit>`;
}

/** The opening tag of a missing `<file>`. */
function headOf({ tree }: XmlContext, name: string, group: readonly NewString[], base: XmlBase | undefined): string {
  const baseFile = fileOfBase(base, group);
  if (!base || !baseFile) return `<file id="${tree.escapeAttribute(name)}">`;
  return base.tree.document.text.slice(baseFile.start, baseFile.openEnd).replace(/\r\n?|\n/g, tree.document.eol);
}

/** XLIFF 2: one string per segment. */
export const xliff2 = xmlFormat({
  id: 'xliff2',
  monolingual: false,
  empty: ({ sourceLanguage, language }) => `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="${(sourceLanguage ?? 'en').replaceAll('_', '-')}" trgLang="${language.replaceAll('_', '-')}">
  <file id="strings">
  </file>
</xliff>
`,
  read(context) {
    const { tree, document } = context;
    if (tree.root.local !== 'xliff') throw document.error('expected the element xliff', tree.root.start);
    if ((tree.root.attributes['version'] ?? '2').startsWith('1'))
      throw document.error('this is XLIFF 1, which has its own formats', tree.root.start);
    const files = elements(tree.root, 'file');
    return files.flatMap((file) => {
      const prefix = prefixOf(files, file, 'id');
      return [...descendants(file, 'unit')].flatMap((unit) => {
        const segments = segmentsOf(unit);
        const isOffered = (segment: XmlElement): boolean =>
          isString(tree, firstElement(segment, 'source') as XmlElement, context.options.monolingual);
        const id = unit.attributes['id'] ?? '';
        const shared = {
          ...notesOf(context, unit),
          group: { size: segments.filter(isOffered).length, owners: [unit] },
        };
        const keyOf = (element: XmlElement, i: number): string => {
          if (segments.length > 1) return `${prefix}${id}:${nameOf(element, i)}`;
          const source = [richText(tree, firstElement(element, 'source'))];
          return !context.options.monolingual && isGeneratedId(id, source) ? '' : prefix + id;
        };
        return segments.flatMap((element, i) =>
          isOffered(element) ? [segmentParts(context, unit, element, keyOf(element, i), shared)] : [],
        );
      });
    });
  },
  add,
  language: ({ tree }, language) => tree.setAttribute(tree.root, 'trgLang', language.replaceAll('_', '-')),
  metadata({ tree }) {
    const { srcLang, trgLang } = tree.root.attributes;
    return { ...(srcLang ? { sourceLanguage: srcLang } : {}), ...(trgLang ? { targetLanguage: trgLang } : {}) };
  },
});
