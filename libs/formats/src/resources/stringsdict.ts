import { CATEGORIES, formsToTarget, targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import type { AddChange } from '../format';
import { appendChildren, textSlot, xmlFormat, type XmlContext, type XmlParts } from '../xml/reader';
import { elements, firstElement, type XmlElement } from '../xml/tree';

/** A key of a property list's dictionary with its value. */
interface Entry {
  name: string;
  key: XmlElement;
  value: XmlElement;
}

function entries({ tree }: XmlContext, dict: XmlElement | undefined): Entry[] {
  const children = elements(dict);
  return children.flatMap((key, i): Entry[] => {
    const value = children[i + 1];
    return key.name === 'key' && value && value.name !== 'key' ? [{ name: tree.textOf(key), key, value }] : [];
  });
}

function variableParts(context: XmlContext, key: string, { key: start, value }: Entry): XmlParts {
  const { tree, document, options } = context;
  const forms = entries(context, value)
    .filter(({ name, value: text }) => CATEGORIES.includes(name) && text.name === 'string')
    .map(({ name, value: text }) => ({ category: name, text: tree.textOf(text), slot: textSlot(tree, text) }));
  const names = options.plural?.names;
  return {
    context: key,
    target: formsToTarget(forms, options.plural),
    plural: true,
    offset: start.start,
    slots: names
      ? names.map((name) => forms.find((form) => form.category === name)?.slot)
      : forms.map((form) => form.slot),
    owners: [start, value],
    grow(missing): Edit[] {
      const count = Math.max(...missing.map(([i]) => i)) + 1;
      const categories = targetCategories(Math.max(count, names?.length ?? forms.length), forms, options.plural);
      return appendChildren(tree, value, (indent, step) => {
        const gap = step === '' ? '' : document.eol + indent;
        return missing.map(
          ([i, text]) => `<key>${categories[i] as string}</key>${gap}<string>${tree.escape(text)}</string>`,
        );
      });
    },
  };
}

function read(context: XmlContext): XmlParts[] {
  const { tree, document } = context;
  const dict = tree.root.local === 'plist' ? firstElement(tree.root, 'dict') : undefined;
  if (!dict) throw document.error('expected a property list with a dictionary', tree.root.start);
  return entries(context, dict).flatMap((entry): XmlParts[] => {
    const { name, key, value } = entry;
    const common = { offset: key.start, owners: [key, value] };
    if (value.name === 'string')
      return [{ ...common, context: name, target: [tree.textOf(value)], slots: [textSlot(tree, value)] }];
    if (value.name !== 'dict') return [];
    const inner = entries(context, value);
    const format = inner.find((item) => item.name === 'NSStringLocalizedFormatKey' && item.value.name === 'string');
    const variables = inner
      .filter((item) => item.value.name === 'dict')
      .map((item) => variableParts(context, `${name}:${item.name}`, item));
    const text = format && {
      ...common,
      context: name,
      target: [tree.textOf(format.value)],
      slots: [textSlot(tree, format.value)],
    };
    const units = text ? [{ ...text, owners: [format.key, format.value] }, ...variables] : variables;
    const group = { size: units.length, owners: [key, value] };
    return units.map((unit) => ({ ...unit, group }));
  });
}

function add(context: XmlContext, changes: readonly AddChange[]): Edit[] {
  const { tree, document, options } = context;
  const dict = firstElement(tree.root, 'dict') as XmlElement;
  return appendChildren(tree, dict, (indent, step) =>
    changes.map((change) => {
      const line = (depth: number): string => (step === '' ? '' : document.eol + indent + step.repeat(depth));
      const [name, variable] = change.context.split(':', 2) as [string, string | undefined];
      const key = `<key>${tree.escape(variable === undefined ? change.context : name)}</key>`;
      if (change.target.length === 1 && variable === undefined)
        return `${key}${line(0)}<string>${tree.escape(change.target[0] as string)}</string>`;
      const categories = targetCategories(change.target.length, [], options.plural);
      const pair = (depth: number, label: string, value: string): string =>
        `${line(depth)}<key>${tree.escape(label)}</key>${line(depth)}<string>${tree.escape(value)}</string>`;
      const forms = change.target.map((text, i) => pair(2, categories[i] as string, text)).join('');
      const rule =
        pair(2, 'NSStringFormatSpecTypeKey', 'NSStringPluralRuleType') + pair(2, 'NSStringFormatValueTypeKey', 'd');
      const inner = `${line(1)}<key>${tree.escape(variable ?? 'value')}</key>${line(1)}<dict>${rule}${forms}${line(1)}</dict>`;
      return `${key}${line(0)}<dict>${pair(1, 'NSStringLocalizedFormatKey', `%#@${variable ?? 'value'}@`)}${inner}${line(0)}</dict>`;
    }),
  );
}

/** Apple's dictionary of plural rules: the format of a key is one string, each of its variables a plural. */
export const stringsdict = xmlFormat({
  id: 'stringsdict',
  monolingual: true,
  empty: () => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
</dict>
</plist>
`,
  read,
  add,
});
