import { createHash } from 'node:crypto';
import type { Edit } from '../core/document';
import type { AddChange, SetChange, UnitState } from '../format';
import { appendChildren, newElement, xmlFormat, type XmlContext, type XmlParts } from '../xml/reader';
import { descendants, elements, firstElement, isMarkup, type XmlElement } from '../xml/tree';

function textOf({ tree }: XmlContext, element: XmlElement | undefined): string {
  if (!element) return '';
  const inline = element.children.some((child) => child.kind !== 'comment');
  return inline ? tree.inner(element).replaceAll('\r\n', '\n') : tree.textOf(element);
}

function encode({ tree }: XmlContext, text: string, like: string): string {
  return isMarkup(text, tree.entities) ? text.replaceAll('\n', tree.document.eol) : tree.escape(text, like);
}

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

function segmentParts(
  context: XmlContext,
  unit: XmlElement,
  segment: XmlElement,
  key: string,
  group: XmlParts['group'],
): XmlParts {
  const { tree, document, options } = context;
  const source = firstElement(segment, 'source') as XmlElement;
  const target = firstElement(segment, 'target');
  const text = textOf(context, target);
  const noteElements = elements(firstElement(unit, 'notes'), 'note');
  const located = noteElements.filter((note) => note.attributes['category'] === 'location');
  const join = (list: readonly XmlElement[], separator: string): string =>
    list.map((note) => tree.textOf(note)).join(separator);
  return {
    context: key,
    source: options.monolingual ? [key] : [textOf(context, source)],
    target: [text],
    offset: segment.start,
    state: stateOf(unit, segment, text),
    note: join(
      noteElements.filter((note) => !located.includes(note)),
      '\n',
    ),
    location: join(located, ', '),
    slots: [target ? { element: target, write: (value) => encode(context, value, tree.inner(target)) } : undefined],
    owners: [segment],
    group,
    grow: (missing) => {
      const indent = tree.indentOf(source.start);
      const gap = indent === undefined ? '' : document.eol + indent;
      return [
        {
          start: source.end,
          end: source.end,
          text: `${gap}<target>${encode(context, missing[0]?.[1] ?? '', '')}</target>`,
        },
      ];
    },
    mark: (change) => mark(context, segment, change),
  };
}

function add(context: XmlContext, changes: readonly AddChange[]): Edit[] {
  const { tree, document } = context;
  const file = elements(tree.root, 'file').at(-1);
  if (!file) throw document.error('the document has no file that could take strings', tree.root.start, 'unsupported');
  return appendChildren(tree, file, (indent, step) =>
    changes.map((change) => {
      const line = (depth: number): string => (step === '' ? '' : document.eol + indent + step.repeat(depth));
      const id =
        change.context === ''
          ? createHash('sha256').update(change.source.join('\0')).digest('hex').slice(0, 16)
          : change.context;
      const note = change.note
        ? `${line(1)}<notes>${line(2)}<note>${tree.escape(change.note)}</note>${line(1)}</notes>`
        : '';
      const state = change.state === 'fuzzy' ? ' state="initial"' : change.state === 'approved' ? ' state="final"' : '';
      const text = change.target[0] ?? '';
      const target = text === '' ? '' : `${line(2)}<target>${encode(context, text, '')}</target>`;
      const source = encode(context, context.options.monolingual ? text : (change.source[0] ?? ''), '');
      return `<unit id="${tree.escapeAttribute(id)}">${note}${line(1)}<segment${state}>${line(2)}${newElement(context, 'source', '', source)}${target}${line(1)}</segment>${line(0)}</unit>`;
    }),
  );
}

/** XLIFF 2: one string a segment. */
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
      const prefix = files.length > 1 ? `${file.attributes['id'] ?? ''}///` : '';
      return [...descendants(file, 'unit')].flatMap((unit) => {
        const segments = elements(unit, 'segment').filter((segment) => firstElement(segment, 'source'));
        const id = prefix + (unit.attributes['id'] ?? '');
        const group = { size: segments.length, owners: [unit] };
        const keyOf = (segment: XmlElement, i: number): string =>
          segments.length === 1 ? id : `${id}:${segment.attributes['id'] ?? i}`;
        return segments.map((segment, i) => segmentParts(context, unit, segment, keyOf(segment, i), group));
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
