import { makeUnit, textFormat, type UnitParts } from '../core/define';
import type { Edit, TextDocument } from '../core/document';
import { checkNew, type BaseFile, type Editor } from '../core/splice-file';
import {
  FormatError,
  type AddChange,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatUnit,
  type ParseOptions,
  type SetChange,
  type UnitState,
} from '../format';
import { markupWithReferences } from './references';
import { xmlCharset, XmlTree, type Layout, type XmlElement, type XmlNode } from './tree';

/** Slot for one item of a target. */
export interface XmlSlot {
  element: XmlElement;
  write(text: string): string;
}

export interface XmlUnit extends FormatUnit {
  slots: readonly (XmlSlot | undefined)[];
  /** Nodes that are removed with the unit. */
  owners: readonly XmlNode[];
  /** Node that is removed instead of the owners if all units of a group are removed. */
  group?: { size: number; owners: readonly XmlNode[] };
  /** Adds elements for forms that have none. @param state of the string, if the change sets it */
  grow?: (missing: readonly [number, string][], state?: UnitState) => Edit[];
  /** Removes the forms from an index on. Without it, they are kept. */
  shrink?: (count: number) => Edit[];
  mark?: (change: SetChange) => Edit[];
}

export type XmlParts = UnitParts & Pick<XmlUnit, 'slots' | 'owners' | 'group' | 'grow' | 'shrink' | 'mark'>;

export interface XmlContext {
  tree: XmlTree;
  document: TextDocument;
  options: ParseOptions & { monolingual: boolean };
}

/** Another file whose entries new strings copy. */
export interface XmlBase {
  tree: XmlTree;
  entryOf(change: AddChange): XmlUnit | undefined;
}

/** Definition of an XML format. */
export interface XmlDialect {
  id: string;
  monolingual: boolean;
  empty?(options: CreateOptions): string;
  read(context: XmlContext): XmlParts[];
  add?(context: XmlContext, changes: readonly AddChange[], base: XmlBase | undefined): Edit[];
  language?(context: XmlContext, language: string): Edit[];
  addsImplicitly?: Editor<XmlUnit>['addsImplicitly'];
  metadata?(context: XmlContext): Partial<FileMetadata>;
  /** Units are removed, not blanked, in a new language's file. */
  dropOnCreate?: boolean;
  /** As in `TextFormat`. */
  countedForms?: boolean;
  keepOnCreate?(unit: XmlUnit): boolean;
}

/** The tree of a parsed document, such as a base. */
const trees = new WeakMap<TextDocument, XmlTree>();

export function xmlFormat(dialect: XmlDialect): FileFormat {
  return textFormat<XmlUnit>({
    id: dialect.id,
    monolingual: dialect.monolingual,
    charset: xmlCharset,
    dropOnCreate: dialect.dropOnCreate ?? false,
    countedForms: dialect.countedForms ?? false,
    ...(dialect.keepOnCreate ? { keepOnCreate: dialect.keepOnCreate.bind(dialect) } : {}),
    ...(dialect.empty ? { empty: dialect.empty.bind(dialect) } : {}),
    layoutNew: (document, units, { params }) => layoutNew(document, units, params?.xml_closing_tags),
    read(document, options) {
      const tree = new XmlTree(document);
      trees.set(document, tree);
      const context: XmlContext = { tree, document, options };
      const units = dialect.read(context).map((parts, index): XmlUnit => {
        const { slots, owners, group, grow, shrink, mark } = parts;
        return makeUnit(document, index, parts, { slots, owners, group, grow, shrink, mark });
      });
      const add = dialect.add?.bind(dialect);
      const writable = (edits: Edit[]): Edit[] =>
        edits.map((edit) => ({ ...edit, text: markupWithReferences(document, edit.text) }));
      return {
        units,
        metadata: dialect.metadata?.(context),
        editor: {
          set: (unit, change) => writable(setUnit(context, unit, change)),
          remove: (removed) => removeNodes(tree, ownersOf(removed)),
          ...(add
            ? {
                add: (changes: readonly AddChange[], from?: BaseFile<XmlUnit>) => {
                  const base = from && { tree: trees.get(from.document) as XmlTree, entryOf: from.entryOf };
                  checkNew(changes, units, options.monolingual);
                  const edits = add(context, changes, base);
                  return writable(base ? [...namespaces(tree, base.tree, edits), ...edits] : edits);
                },
              }
            : {}),
          ...(dialect.addsImplicitly ? { addsImplicitly: dialect.addsImplicitly.bind(dialect) } : {}),
          header: ({ fields }) => {
            const language = fields['Language'];
            return language === undefined ? [] : writable(dialect.language?.(context, language) ?? []);
          },
        },
      };
    },
  });
}

/** Namespace declarations for prefixes that are copied from a base. */
function namespaces(tree: XmlTree, base: XmlTree, edits: readonly Edit[]): Edit[] {
  return Object.entries(base.root.attributes).flatMap(([name, uri]) => {
    const prefix = name.startsWith('xmlns:') ? `${name.slice(6)}:` : undefined;
    if (prefix === undefined || tree.root.attributes[name] !== undefined) return [];
    return edits.some(({ text }) => text.includes(prefix)) ? tree.setAttribute(tree.root, name, uri) : [];
  });
}

/** Layout of the lines inside an element, for `appendChildren`. */
export function layoutOf({ document: { eol } }: XmlContext, indent: string, step: string): Layout {
  return { line: step === '' ? '' : eol + indent, step, eol };
}

/** Expands blank elements of a new file with `xml_closing_tags`. */
function layoutNew(document: TextDocument, units: readonly XmlUnit[], closingTags: boolean | undefined): Edit[] {
  if (closingTags !== true) return [];
  const blank = units.flatMap(({ slots }) => slots.map((slot) => slot?.element));
  return blank.flatMap((element): Edit[] => {
    if (!element?.selfClosing) return [];
    const tag = document.text.slice(element.start, element.end - 2).trimEnd();
    return [{ start: element.start, end: element.end, text: `${tag}></${element.name}>` }];
  });
}

/** A new element with markup. `xml_closing_tags` decides the form of a blank one. */
export function newElement({ options }: XmlContext, name: string, attributes: string, markup: string): string {
  const closed = markup === '' && options.params?.xml_closing_tags === false;
  return closed ? `<${name}${attributes}/>` : `<${name}${attributes}>${markup}</${name}>`;
}

function setUnit({ tree, options }: XmlContext, unit: XmlUnit, change: SetChange): Edit[] {
  const closingTags = options.params?.xml_closing_tags ?? true;
  const edits: Edit[] = [];
  const missing: [number, string][] = [];
  change.target.forEach((text, i) => {
    const slot = unit.slots[i];
    if (slot) {
      if (text !== unit.target[i]) edits.push(...tree.setInner(slot.element, slot.write(text), closingTags));
    } else if (text !== '') missing.push([i, text]);
  });
  if (missing.length > 0) {
    if (!unit.grow) throw new FormatError('invalid-change', 'the string has no such form', unit.line, unit.column);
    edits.push(...unit.grow(missing, change.state));
  }
  if (change.target.length < unit.slots.length) edits.push(...(unit.shrink?.(change.target.length) ?? []));
  return [...edits, ...(unit.mark?.(change) ?? [])];
}

function ownersOf(units: readonly XmlUnit[]): XmlNode[] {
  const counts = new Map<object, number>();
  for (const { group } of units) if (group) counts.set(group, (counts.get(group) ?? 0) + 1);
  return units.flatMap((unit) => [
    ...(unit.group && counts.get(unit.group) === unit.group.size ? unit.group.owners : unit.owners),
  ]);
}

/** Removes nodes with their lines. */
function removeNodes(tree: XmlTree, nodes: readonly XmlNode[]): Edit[] {
  const spans = new Map<number, Edit>();
  for (const node of nodes) {
    const edit = tree.wholeLines(node.start, node.end);
    spans.set(edit.start, edit);
  }
  return [...spans.values()];
}

/** Appends rendered children to an element in the layout of the file. */
export function appendChildren(
  tree: XmlTree,
  parent: XmlElement,
  render: (indent: string, unit: string) => string[],
): Edit[] {
  const { eol, text } = tree.document;
  const outer = tree.indentOf(parent.start) ?? '';
  const last = parent.children.findLast((child) => child.kind === 'element') ?? parent.children.at(-1);
  const sibling = last ? tree.indentOf(last.start) : undefined;
  if (last && sibling === undefined) {
    return [{ start: last.end, end: last.end, text: render('', '').join('') }];
  }
  const indent = sibling ?? outer + indentUnit(tree);
  const unit = indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : indentUnit(tree);
  const lines = render(indent, unit).map((item) => indent + item);
  if (last) {
    const at = tree.document.lineEnd(last.end);
    if (text.slice(last.end, at).trim() === '')
      return [{ start: at, end: at, text: lines.map((line) => line + eol).join('') }];
    return [{ start: last.end, end: last.end, text: lines.map((line) => eol + line).join('') }];
  }
  const body = eol + lines.join(eol) + eol + outer;
  return parent.selfClosing
    ? tree.setInner(parent, body)
    : [{ start: parent.openEnd, end: parent.closeStart, text: body }];
}

/** One level of the file's indentation. */
export function indentUnit(tree: XmlTree): string {
  const first = tree.root.children.find((child) => tree.indentOf(child.start) !== undefined);
  return (first && tree.indentOf(first.start)) || '    ';
}

/** A slot for plain text. */
export function textSlot(tree: XmlTree, element: XmlElement): XmlSlot {
  return { element, write: (text) => tree.escapeInto(element, text) };
}
