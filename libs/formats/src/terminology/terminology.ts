import { FormatError, type AddChange, type CreateOptions, type FileFormat } from '../format';
import {
  appendChildren,
  layoutOf,
  textSlot,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
} from '../xml/reader';
import { deeper, descendants, elements, firstElement, type Layout as Lines, type XmlElement } from '../xml/tree';
import { pickLanguage, sameLanguage } from './languages';

/** Element names of formats with one element per language in an entry. */
interface Layout {
  root: string;
  entry: string;
  /** Element of one language in an entry. */
  language: string;
  /** Element of the text in it. */
  text: string;
  /** Parent element of new entries. */
  body: string;
  sourceLanguage(context: XmlContext): string | undefined;
  key(element: XmlElement, texts: XmlTexts): string;
  render(context: XmlContext, change: AddChange, languages: Languages, line: (depth: number) => string): string;
  renderLanguage(context: XmlContext, language: string, text: string): string;
  empty?(options: CreateOptions): string;
}

interface Languages {
  source: string;
  target: string;
  /** Neither the caller nor the file declares the source language. */
  isGuessed: boolean;
}

type XmlTexts = (element: XmlElement) => string;

function languageOf(element: XmlElement): string {
  return element.attributes['xml:lang'] ?? element.attributes['lang'] ?? '';
}

/** Source and target language of a file. The target is requested, or the first other language. */
function languages(context: XmlContext, layout: Layout, entries: readonly XmlElement[]): Languages {
  const codes: string[] = [];
  for (const entry of entries) {
    for (const element of elements(entry, layout.language)) {
      const code = languageOf(element);
      if (!codes.some((known) => sameLanguage(known, code))) codes.push(code);
    }
  }
  const { options } = context;
  const declared = options.sourceLanguage ?? layout.sourceLanguage(context);
  const target = pickLanguage(codes, options.language);
  const source = pickLanguage(codes, declared) ?? codes.find((code) => code !== target) ?? declared ?? 'en';
  return {
    source,
    target: target ?? options.language ?? codes.find((code) => !sameLanguage(code, source)) ?? source,
    isGuessed: declared === undefined,
  };
}

/**
 * The source language of an entry: files mix `en` and `en-US`. Without a declared source, entries without the file's first language
 * use another. The target is the same for all entries, because `pt` and `pt-BR` differ.
 */
function sourceOf(codes: readonly string[], { source, target, isGuessed }: Languages): string {
  const isOne = sameLanguage(source, target);
  const others = codes.filter((code) => isOne || !sameLanguage(code, target));
  return pickLanguage(others, source) ?? (isGuessed ? others[0] : undefined) ?? source;
}

function read(context: XmlContext, layout: Layout): XmlParts[] {
  const { tree } = context;
  const entries = [...descendants(tree.root, layout.entry)];
  const chosen = languages(context, layout, entries);
  return entries.flatMap((entry): XmlParts[] => {
    const sections = elements(entry, layout.language);
    const sourceCode = sourceOf(sections.map(languageOf), chosen);
    const texts = (code: string): XmlElement[] =>
      sections.filter((e) => sameLanguage(languageOf(e), code)).flatMap((e) => [...descendants(e, layout.text)]);
    const source = texts(sourceCode)[0];
    if (!source) return [];
    const target = sameLanguage(chosen.source, chosen.target) ? source : texts(chosen.target)[0];
    const notes = [
      ...descendants(entry, 'note'),
      ...[...descendants(entry, 'descrip')].filter((d) => d.attributes['type'] === 'definition'),
      ...descendants(entry, 'definition'),
    ];
    return [
      {
        context: layout.key(entry, (element) => tree.textOf(element)),
        source: [tree.textOf(source)],
        target: [target ? tree.textOf(target) : ''],
        offset: entry.start,
        note: notes.map((note) => tree.textOf(note)).join('\n'),
        slots: [target && textSlot(tree, target)],
        owners: [entry],
        grow: (missing) =>
          appendChildren(tree, entry, () => [layout.renderLanguage(context, chosen.target, missing[0]?.[1] ?? '')]),
      },
    ];
  });
}

/** The base's entry with its descriptions and the new text. */
function copied(
  context: XmlContext,
  layout: Layout,
  change: AddChange,
  base: XmlBase | undefined,
  language: string,
  lines: Lines,
): string | undefined {
  const unit = base?.entryOf(change);
  const [owner] = unit?.owners ?? [];
  if (!base || owner?.kind !== 'element') return undefined;
  const text = change.target[0] ?? '';
  const slot = unit?.slots[0];
  if (slot) return base.tree.copy(owner, base.tree.setInner(slot.element, slot.write(text)), lines);
  const at = elements(owner).at(-1)?.end ?? owner.openEnd;
  const written = text === '' ? '' : deeper(lines).line + layout.renderLanguage(context, language, text);
  return base.tree.copy(owner, [{ start: at, end: at, text: written }], lines);
}

/** A format with a layout per version, detected by the root element or the entries. */
function terminologyFormat(id: string, layouts: readonly [Layout, ...Layout[]]): FileFormat {
  const layoutFor = ({ tree, document }: XmlContext): Layout => {
    const possible = layouts.filter(({ root }) => root === tree.root.local);
    const found = possible.find(({ entry }) => !descendants(tree.root, entry).next().done) ?? possible[0];
    if (found) return found;
    throw document.error(`expected the element ${layouts.map(({ root }) => root).join(' or ')}`, tree.root.start);
  };
  const [{ empty }] = layouts;
  return xmlFormat({
    id,
    monolingual: false,
    ...(empty ? { empty } : {}),
    read: (context) => read(context, layoutFor(context)),
    add(context, changes, base) {
      const { tree, document } = context;
      const layout = layoutFor(context);
      const body = descendants(tree.root, layout.body).next().value;
      if (!body) throw document.error('the file has no body for new entries', tree.root.start, 'unsupported');
      const chosen = languages(context, layout, [...descendants(tree.root, layout.entry)]);
      if (sameLanguage(chosen.source, chosen.target)) {
        throw new FormatError('invalid-change', 'a new string requires a language');
      }
      return appendChildren(tree, body, (indent, step) =>
        changes.map((change) => {
          const lines = layoutOf(context, indent, step);
          return (
            copied(context, layout, change, base, chosen.target, lines) ??
            layout.render(context, change, chosen, (depth) => (step === '' ? '' : lines.line + step.repeat(depth)))
          );
        }),
      );
    },
    metadata(context) {
      const layout = layoutFor(context);
      const { source, target } = languages(context, layout, [...descendants(context.tree.root, layout.entry)]);
      return { sourceLanguage: source, targetLanguage: target };
    },
  });
}

/** The layout of a TBX version. Versions differ in element names. */
function termBase(root: string, entry: string, language: string, section: string): Layout {
  const termOf = ({ tree }: XmlContext, code: string, text: string, line: (depth: number) => string): string =>
    `<${language} xml:lang="${tree.escapeAttribute(code)}">${line(2)}<${section}>` +
    `${line(3)}<term>${tree.escape(text)}</term>${line(2)}</${section}>${line(1)}</${language}>`;
  return {
    ...{ root, entry, language, text: 'term', body: 'body' },
    sourceLanguage: ({ tree }) => tree.root.attributes['xml:lang'],
    key: (element) => element.attributes['id'] ?? '',
    render(context, change, { source, target }, line) {
      const id = change.context === '' ? '' : ` id="${context.tree.escapeAttribute(change.context)}"`;
      const set = (code: string, text: string): string => line(1) + termOf(context, code, text, line);
      const text = change.target[0] ?? '';
      return `<${entry}${id}>${set(source, change.source[0] ?? '')}${text === '' ? '' : set(target, text)}${line(0)}</${entry}>`;
    },
    renderLanguage: (context, code, text) => termOf(context, code, text, () => ''),
  };
}

/** Term bases, in the spellings of 2008 (`termEntry`) and 2019 (`conceptEntry`). */
export const tbx = terminologyFormat('tbx', [
  {
    ...termBase('martif', 'termEntry', 'langSet', 'tig'),
    empty: ({ sourceLanguage }) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif PUBLIC "ISO 12200:1999A//DTD MARTIF core (DXFcdV04)//EN" "TBXcdv04.dtd">
<martif type="TBX" xml:lang="${sourceLanguage ?? 'en'}">
  <text>
    <body>
    </body>
  </text>
</martif>
`,
  },
  termBase('tbx', 'conceptEntry', 'langSec', 'termSec'),
  // Entries of the older version are accepted in the newer root.
  termBase('tbx', 'termEntry', 'langSet', 'tig'),
]);

/** Translation memories. A file may have more languages than the two that are read. */
export const tmx = terminologyFormat('tmx', [
  {
    root: 'tmx',
    entry: 'tu',
    language: 'tuv',
    text: 'seg',
    body: 'body',
    sourceLanguage({ tree }) {
      const language = firstElement(tree.root, 'header')?.attributes['srclang'];
      return language === '*all*' ? undefined : language;
    },
    key: (element, textOf) => {
      const named = elements(element, 'prop').find((prop) => prop.attributes['type'] === 'context');
      return named ? textOf(named) : (element.attributes['tuid'] ?? '');
    },
    render({ tree }, change, { source, target }, line) {
      const id = change.context === '' ? '' : ` tuid="${tree.escapeAttribute(change.context)}"`;
      const variant = (language: string, text: string): string =>
        `${line(1)}<tuv xml:lang="${tree.escapeAttribute(language)}">${line(2)}<seg>${tree.escape(text)}</seg>${line(1)}</tuv>`;
      const text = change.target[0] ?? '';
      return `<tu${id}>${variant(source, change.source[0] ?? '')}${text === '' ? '' : variant(target, text)}${line(0)}</tu>`;
    },
    renderLanguage: ({ tree }, language, text) =>
      `<tuv xml:lang="${tree.escapeAttribute(language)}"><seg>${tree.escape(text)}</seg></tuv>`,
  },
]);
