import type { AddChange, CreateOptions, FileFormat } from '../format';
import { FormatError } from '../format';
import {
  appendChildren,
  layoutOf,
  newElement,
  textSlot,
  xmlFormat,
  type XmlBase,
  type XmlContext,
  type XmlParts,
} from '../xml/reader';
import { descendants, elements, firstElement, type Layout, type XmlElement } from '../xml/tree';

/** One element per key. The text is in it or in a child element. */
interface KeyedLayout {
  id: string;
  empty(options: CreateOptions): string;
  find(context: XmlContext): XmlElement[];
  key(element: XmlElement): string | undefined;
  /** Element with the text; undefined if it does not exist yet. */
  value(element: XmlElement): XmlElement | undefined;
  note?(context: XmlContext, element: XmlElement): string;
  render(context: XmlContext, key: string, text: string, line: string, step: string, note: string | undefined): string;
  grow?(context: XmlContext, element: XmlElement, text: string): ReturnType<typeof appendChildren>;
}

function keyedFormat(layout: KeyedLayout): FileFormat {
  return xmlFormat({
    id: layout.id,
    monolingual: true,
    empty: layout.empty.bind(layout),
    read: (context) =>
      layout.find(context).flatMap((element): XmlParts[] => {
        const key = layout.key(element);
        if (key === undefined) return [];
        const value = layout.value(element);
        return [
          {
            context: key,
            target: [value ? context.tree.textOf(value) : ''],
            offset: element.start,
            note: layout.note?.(context, element) ?? '',
            slots: [value && textSlot(context.tree, value)],
            owners: [element],
            grow: (missing) => layout.grow?.(context, element, missing[0]?.[1] ?? '') ?? [],
          },
        ];
      }),
    add: (context, changes, base) =>
      appendChildren(context.tree, context.tree.root, (indent, step) =>
        changes.map((change) => {
          if (change.target.length > 1) throw new FormatError('invalid-change', 'the string has no plural forms');
          const copy = copied(base, change, layoutOf(context, indent, step));
          if (copy !== undefined) return copy;
          const line = step === '' ? '' : context.document.eol + indent;
          const key = context.tree.escapeAttribute(change.context);
          return layout.render(context, key, context.tree.escape(change.target[0] as string), line, step, change.note);
        }),
      ),
  });
}

/** The base's element with its attributes and children, and the new text. */
function copied(base: XmlBase | undefined, change: AddChange, layout: Layout): string | undefined {
  const unit = base?.entryOf(change);
  const [slot] = unit?.slots ?? [];
  const [owner] = unit?.owners ?? [];
  if (!base || !slot || owner?.kind !== 'element') return undefined;
  return base.tree.copy(owner, base.tree.setInner(slot.element, slot.write(change.target[0] as string)), layout);
}

/** Types of `data` that hold text. */
const TEXT_TYPE = /^System\.String\b/;

/** .NET resources. Images and other objects are not units. */
export const resx = keyedFormat({
  id: 'resx',
  empty: () => `<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="resmimetype">
    <value>text/microsoft-resx</value>
  </resheader>
  <resheader name="version">
    <value>2.0</value>
  </resheader>
  <resheader name="reader">
    <value>System.Resources.ResXResourceReader, System.Windows.Forms, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089</value>
  </resheader>
  <resheader name="writer">
    <value>System.Resources.ResXResourceWriter, System.Windows.Forms, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089</value>
  </resheader>
</root>
`,
  find({ tree, document }) {
    if (tree.root.local !== 'root') throw document.error('expected the element root', tree.root.start);
    return elements(tree.root, 'data');
  },
  key({ attributes }) {
    const { type, mimetype, name } = attributes;
    return mimetype !== undefined || (type !== undefined && !TEXT_TYPE.test(type)) ? undefined : name;
  },
  value: (element) => firstElement(element, 'value'),
  note({ tree }, element) {
    const comment = firstElement(element, 'comment');
    return comment ? tree.textOf(comment) : '';
  },
  render(context, key, text, line, step, note) {
    const { tree } = context;
    const value = newElement(context, 'value', '', text);
    const comment = note ? `${line}${step}<comment>${tree.escape(note)}</comment>` : '';
    return `<data name="${key}" xml:space="preserve">${line}${step}${value}${comment}${line}</data>`;
  },
  grow: ({ tree }, element, text) => appendChildren(tree, element, () => [`<value>${tree.escape(text)}</value>`]),
});

/** XAML resource dictionaries: elements `String` with `x:Key`. */
export const resourceDictionary = keyedFormat({
  id: 'resourcedictionary',
  empty: () => `<?xml version="1.0" encoding="utf-8"?>
<ResourceDictionary xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:system="clr-namespace:System;assembly=mscorlib">
</ResourceDictionary>
`,
  find({ tree, document }) {
    if (tree.root.local !== 'ResourceDictionary')
      throw document.error('expected the element ResourceDictionary', tree.root.start);
    return [...descendants(tree.root, 'String')];
  },
  key: ({ attributes }) => attributes['x:Key'],
  value: (element) => element,
  render({ tree }, key, text) {
    const first = descendants(tree.root, 'String').next().value;
    const prefix = Object.entries(tree.root.attributes).find(
      ([name, uri]) => name.startsWith('xmlns:') && uri.startsWith('clr-namespace:System'),
    )?.[0];
    const name = first ? first.name : prefix ? `${prefix.slice(6)}:String` : 'x:String';
    return `<${name} x:Key="${key}">${text}</${name}>`;
  },
});

/** Names of elements and attribute from the parameters. */
function flatNames({ options }: XmlContext): { root: string; value: string; key: string } {
  const { flatxml_root_name: root, flatxml_value_name: value, flatxml_key_name: key } = options.params ?? {};
  return { root: root ?? 'root', value: value ?? 'str', key: key ?? 'key' };
}

/** A root with one element per string. Parameters set the names. */
export const flatXml: FileFormat = xmlFormat({
  id: 'flatxml',
  monolingual: true,
  empty: ({ params }) => {
    const root = params?.flatxml_root_name ?? 'root';
    return `<?xml version="1.0" encoding="utf-8"?>\n<${root}>\n</${root}>\n`;
  },
  read(context) {
    const { tree, document } = context;
    const names = flatNames(context);
    if (tree.root.name !== names.root) throw document.error(`expected the element ${names.root}`, tree.root.start);
    return elements(tree.root).flatMap((element): XmlParts[] => {
      const key = element.attributes[names.key];
      if (element.name !== names.value || key === undefined) return [];
      const target = [tree.textOf(element)];
      return [{ context: key, target, offset: element.start, slots: [textSlot(tree, element)], owners: [element] }];
    });
  },
  add(context, changes, base) {
    const { tree } = context;
    const names = flatNames(context);
    return appendChildren(tree, tree.root, (indent, step) =>
      changes.map((change) => {
        const copy = copied(base, change, layoutOf(context, indent, step));
        if (copy !== undefined) return copy;
        const { context: key, target } = change;
        const text = tree.escape(target[0] as string);
        return `<${names.value} ${names.key}="${tree.escapeAttribute(key)}">${text}</${names.value}>`;
      }),
    );
  },
});
