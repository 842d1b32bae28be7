import type { Edit } from '../core/document';
import { FormatError, type AddChange, type SetChange, type UnitState } from '../format';
import {
  appendChildren,
  newElement,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
  type XmlSlot,
} from '../xml/reader';
import { elements, deeper, firstElement, type Layout, type XmlElement } from '../xml/tree';

const OBSOLETE_TYPES = new Set(['vanished', 'obsolete']);

function isObsolete(message: XmlElement): boolean {
  return OBSOLETE_TYPES.has(firstElement(message, 'translation')?.attributes['type'] ?? '');
}

/** Text of an element with control characters as `<byte value="x1b"/>`. */
function textOf({ tree }: Pick<XmlContext, 'tree'>, element: XmlElement | undefined): string {
  if (!element) return '';
  const { document } = tree;
  const bytes = elements(element, 'byte');
  if (bytes.length === 0) return tree.textOf(element);
  let text = '';
  let at = element.openEnd;
  for (const byte of bytes) {
    const value = byte.attributes['value'] ?? '';
    const code = value.startsWith('x') ? parseInt(value.slice(1), 16) : Number(value);
    text +=
      tree.decode(document.text.slice(at, byte.start)) + (code > 0 && code < 256 ? String.fromCharCode(code) : '');
    at = byte.end;
  }
  return text + tree.decode(document.text.slice(at, element.closeStart));
}

/** Qt escapes quotes and apostrophes in texts. Files with another style keep it. */
function escaped({ tree }: XmlContext, element: XmlElement | undefined, text: string): string {
  return tree.escape(text, element && /["']/.test(tree.inner(element)) ? '' : '&quot;&apos;');
}

/** The longest of several length variants, or the only text. */
function longest(context: XmlContext, holder: XmlElement | undefined): XmlElement | undefined {
  if (holder?.attributes['variants'] !== 'yes') return holder;
  const variants = elements(holder, 'lengthvariant');
  return variants.find((variant) => textOf(context, variant) !== '') ?? variants[0];
}

function slot(context: XmlContext, element: XmlElement): XmlSlot {
  const text = longest(context, element);
  if (text === element) return { element, write: (value) => escaped(context, element, value) };
  const { tree, document } = context;
  const write = (value: string): string => {
    if (value === '') return '';
    const markup = escaped(context, text, value);
    if (!text) return `<lengthvariant>${markup}</lengthvariant>`;
    return document.piece(element.openEnd, element.closeStart, tree.setInner(text, markup));
  };
  return { element, write };
}

function mark({ tree }: XmlContext, translation: XmlElement | undefined, change: SetChange): Edit[] {
  if (!translation || change.state === undefined || change.state === 'readonly') return [];
  // A self-closing element is replaced as a whole, so it cannot take a second edit.
  if (translation.selfClosing && change.target.join('') !== '') return [];
  const unfinished = change.state === 'fuzzy' || change.state === 'empty';
  return tree.setAttribute(translation, 'type', unfinished ? 'unfinished' : undefined);
}

function messageParts(context: XmlContext, message: XmlElement, name: string): XmlParts[] {
  const { tree, document, options } = context;
  if (isObsolete(message)) return [];
  const translation = firstElement(message, 'translation');
  const source = textOf(context, firstElement(message, 'source'));
  const id = message.attributes['id'] ?? '';
  if (source === '' && id === '') return [];
  const key = [name, textOf(context, firstElement(message, 'comment')), id].filter((part) => part !== '').join('\n');
  const numerus = message.attributes['numerus'] === 'yes';
  const forms = numerus ? elements(translation, 'numerusform') : [];
  const holders: (XmlElement | undefined)[] = numerus ? [...forms] : [translation];
  const count = numerus ? Math.max(options.plural?.count ?? 1, forms.length) : 1;
  while (holders.length < count) holders.push(undefined);
  const target = holders.map((holder) => textOf(context, longest(context, holder)));
  const unfinished = translation?.attributes['type'] === 'unfinished';
  const state: UnitState = target.join('') === '' ? 'empty' : unfinished ? 'fuzzy' : 'translated';
  const insert = (missing: readonly [number, string][]): Edit[] => {
    const markup = missing.map(([, text]) =>
      numerus ? `<numerusform>${tree.escape(text, '&quot;&apos;')}</numerusform>` : tree.escape(text, '&quot;&apos;'),
    );
    if (translation && numerus && forms.length === 0) return tree.setInner(translation, markup.join(''));
    if (translation) return appendChildren(tree, translation, () => markup);
    return appendChildren(tree, message, () => [`<translation>${markup.join('')}</translation>`]);
  };
  const places = elements(message, 'location').map((place) =>
    [place.attributes['filename'], place.attributes['line']].filter(Boolean).join(':'),
  );
  return [
    {
      context: key,
      source: options.monolingual ? [id === '' ? source : id] : numerus ? [source, source] : [source],
      target,
      plural: numerus,
      state,
      offset: message.start,
      note: textOf(context, firstElement(message, 'extracomment')),
      comment: textOf(context, firstElement(message, 'translatorcomment')),
      location: places.join(', '),
      previousSource: textOf(context, firstElement(message, 'oldsource')),
      slots: holders.map((holder) => holder && slot(context, holder)),
      owners: [message],
      grow: insert,
      shrink: (kept) => forms.slice(kept).map(({ start, end }) => tree.wholeLines(start, end)),
      mark: (change) => mark({ tree, document, options }, translation, change),
    },
  ];
}

/** The base's message, with its comments and places, and the new translation. */
function copyFromBase(
  context: XmlContext,
  change: AddChange,
  base: XmlBase | undefined,
  layout: Layout,
): string | undefined {
  const [owner] = base?.entryOf(change)?.owners ?? [];
  if (!base || owner?.kind !== 'element') return undefined;
  const translation = translationOf(context, change, owner.attributes['numerus'] === 'yes');
  const old = firstElement(owner, 'translation');
  if (old) return base.tree.copy(owner, [{ start: old.start, end: old.end, text: translation }], layout);
  const at = elements(owner).at(-1)?.end ?? owner.openEnd;
  return base.tree.copy(owner, [{ start: at, end: at, text: deeper(layout).line + translation }], layout);
}

function translationOf(context: XmlContext, change: AddChange, numerus: boolean): string {
  const escape = (text: string): string => context.tree.escape(text, '&quot;&apos;');
  const texts = numerus
    ? change.target.map((text) => newElement(context, 'numerusform', '', escape(text))).join('')
    : escape(change.target[0] as string);
  const unfinished = change.target.join('') === '' || change.state === 'fuzzy' ? ' type="unfinished"' : '';
  return newElement(context, 'translation', unfinished, texts);
}

interface Group {
  /** '' where it has none. */
  name: string;
  element: XmlElement;
}

function contextsOf(file: Pick<XmlContext, 'tree'>): Group[] {
  return elements(file.tree.root, 'context').map((element) => ({
    name: textOf(file, firstElement(element, 'name')),
    element,
  }));
}

/** Whether messages are identified by id: those of `qtTrId()`, in contexts without a name. */
function identifiedById(messages: readonly XmlElement[], contexts: readonly Group[]): boolean {
  if (contexts.some(({ name }) => name !== '')) return false;
  return messages.length === 0 ? contexts.length > 0 : messages.some(({ attributes }) => attributes['id']);
}

function add(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined): Edit[] {
  const { tree, document } = context;
  const contexts = contextsOf(context);
  const direct = elements(tree.root, 'message');
  const messages = [...direct, ...contexts.flatMap(({ element }) => elements(element, 'message'))];
  const byId = identifiedById(messages, contexts);
  if (byId) checkIds(changes, messages);
  const baseContexts = base ? contextsOf(base) : [];
  /** Name of the context for a new message; undefined for none at all. */
  const nameOf = (change: AddChange): string | undefined => {
    const [owner] = base?.entryOf(change)?.owners ?? [];
    if (owner) return baseContexts.find(({ element }) => element.start < owner.start && owner.end < element.end)?.name;
    if (byId) return direct.length > 0 ? undefined : '';
    return change.context.split('\n', 1)[0];
  };
  const groups = new Map<string | undefined, AddChange[]>();
  for (const change of changes) {
    const name = nameOf(change);
    const group = groups.get(name);
    if (group) group.push(change);
    else groups.set(name, [change]);
  }
  const message = (change: AddChange, line: string, step: string): string => {
    const copy = copyFromBase(context, change, base, { line, step, eol: document.eol });
    if (copy !== undefined) return copy;
    const numerus = change.target.length > 1 || change.source.length > 1;
    const escape = (text: string): string => tree.escape(text, '&quot;&apos;');
    const parts = change.context.split('\n');
    const id = byId ? (parts.pop() as string) : '';
    const comment = (byId ? parts : parts.slice(1)).join('\n');
    return (
      `<message${id === '' ? '' : ` id="${tree.escapeAttribute(id)}"`}${numerus ? ' numerus="yes"' : ''}>` +
      `${line}${step}<source>${escape(change.source[0] ?? '')}</source>` +
      (comment === '' ? '' : `${line}${step}<comment>${escape(comment)}</comment>`) +
      `${line}${step}${translationOf(context, change, numerus)}${line}</message>`
    );
  };
  return [...groups].flatMap(([name, group]) => {
    const element = name === undefined ? tree.root : contexts.find((known) => known.name === name)?.element;
    if (element) {
      return appendChildren(tree, element, (indent, step) =>
        group.map((change) => message(change, step === '' ? '' : document.eol + indent, step)),
      );
    }
    return appendChildren(tree, tree.root, (indent, step) => {
      const line = step === '' ? '' : document.eol + indent;
      const inner = step === '' ? '' : line + step;
      const messages = group.map((change) => inner + message(change, inner, step)).join('');
      return [`<context>${inner}<name>${tree.escape(name as string)}</name>${messages}${line}</context>`];
    });
  });
}

/** An id identifies one message regardless of its source. */
function checkIds(changes: readonly AddChange[], messages: readonly XmlElement[]): void {
  const known = new Set(messages.filter((message) => !isObsolete(message)).map(({ attributes }) => attributes['id']));
  for (const { context } of changes) {
    const id = context.slice(context.lastIndexOf('\n') + 1);
    if (id !== '' && known.has(id)) throw new FormatError('duplicate', 'the file already has this string');
    known.add(id);
  }
}

/** Qt Linguist. Vanished and obsolete messages are kept but are not units. */
export const ts = xmlFormat({
  id: 'ts',
  monolingual: false,
  countedForms: true,
  read(context) {
    const { tree, document } = context;
    if (tree.root.local !== 'TS') throw document.error('expected the element TS', tree.root.start);
    const direct = elements(tree.root, 'message').flatMap((message) => messageParts(context, message, ''));
    const inContexts = elements(tree.root, 'context').flatMap((group) => {
      const name = textOf(context, firstElement(group, 'name'));
      return elements(group, 'message').flatMap((message) => messageParts(context, message, name));
    });
    return [...direct, ...inContexts];
  },
  add,
  language: ({ tree }, language) => tree.setAttribute(tree.root, 'language', language),
  metadata({ tree }) {
    const { language, sourcelanguage } = tree.root.attributes;
    return {
      ...(language ? { targetLanguage: language } : {}),
      ...(sourcelanguage ? { sourceLanguage: sourcelanguage } : {}),
    };
  },
});
