import { makeUnit, textFormat } from '../core/define';
import type { Edit } from '../core/document';
import { Literal, type NestedValue } from '../core/nested-keys';
import { CATEGORIES, formsToTarget, targetCategories } from '../core/plural-categories';
import {
  FormatError,
  type AddChange,
  type FileFormat,
  type FormatUnit,
  type ParseOptions,
  type SetChange,
} from '../format';
import type { BaseFile } from '../core/splice-file';
import type { YamlMap, YamlNode, YamlScalar } from './node';
import { writtenLike } from './scalar';
import { YamlItem, type YamlLeaf } from './items';
import { lineBreak } from './layout';
import { YamlTree } from './tree';

const ARROW = '->';

interface YamlUnit extends FormatUnit {
  leaves: readonly (YamlLeaf | undefined)[];
  /** Leaves to remove with the unit. */
  all: readonly YamlLeaf[];
}

interface Ruby {
  /** The pair of the language, which contains all strings. */
  root: YamlItem | undefined;
  key: YamlScalar | undefined;
}

function isText(node: YamlNode | undefined): boolean {
  return node?.kind === 'alias' || (node?.kind === 'scalar' && node.value !== null);
}

/** Rails: the outermost key is the language. */
function rubyRoot(tree: YamlTree): Ruby {
  const { root } = tree;
  const pair = root?.kind === 'map' && root.items.length === 1 ? root.items[0] : undefined;
  if (root?.kind !== 'map' || pair?.key?.kind !== 'scalar' || isText(pair.value))
    return { root: undefined, key: undefined };
  return { root: new YamlItem(root, 0, undefined), key: pair.key };
}

/** The leaves of a map of plural categories, given the first; undefined if it is not such a map. */
function pluralForms(leaves: readonly YamlLeaf[], at: number): YamlLeaf[] | undefined {
  const { container, index } = leaves[at] as YamlLeaf;
  const size = container.items.length;
  if (container.kind !== 'map' || index > 0 || size > CATEGORIES.length) return undefined;
  const group = leaves.slice(at, at + size);
  const forms = group.every((form) => form.container === container && CATEGORIES.includes(form.name));
  return forms && group.length === size && group.some(({ name }) => name === 'other') ? group : undefined;
}

function readUnits(tree: YamlTree, options: ParseOptions, ruby: Ruby | undefined): YamlUnit[] {
  const leaves = tree.leaves();
  const skip = ruby?.root ? 1 : 0;
  const units: YamlUnit[] = [];
  let shared: readonly string[] | undefined;
  /** Key prefix of the leaves of a container. */
  let prefix = '';
  for (let at = 0; at < leaves.length; at++) {
    const leaf = leaves[at] as YamlLeaf;
    const { path, name, start } = leaf;
    // The language key without content.
    if (path.length < skip) continue;
    if (path !== shared) {
      shared = path;
      prefix = path.length > skip ? path.slice(skip).join(ARROW) + ARROW : '';
    }
    const group = ruby && path.length > skip ? pluralForms(leaves, at) : undefined;
    if (!group) {
      const context = prefix + name;
      const own = [leaf];
      const parts = { context, target: [leaf.text], offset: start };
      units.push(makeUnit(tree.document, units.length, parts, { leaves: own, all: own }));
      continue;
    }
    const forms = group.map((form) => ({ category: form.name, text: form.text, form }));
    const names = options.plural?.names;
    const slots = names ? names.map((category) => forms.find((f) => f.category === category)?.form) : group;
    const target = formsToTarget(forms, options.plural);
    const parts = { context: path.slice(skip).join(ARROW), target, plural: true, offset: start };
    units.push(makeUnit(tree.document, units.length, parts, { leaves: slots, all: group }));
    at += group.length - 1;
  }
  return units;
}

function setUnit(tree: YamlTree, options: ParseOptions, unit: YamlUnit, change: SetChange): Edit[] {
  const edits: Edit[] = [];
  const missing = new Map<string, NestedValue>();
  const forms = unit.all.map(({ name }) => ({ category: name }));
  const categories = targetCategories(change.target.length, forms, options.plural);
  change.target.forEach((text, i) => {
    const leaf = unit.leaves[i];
    if (leaf) edits.push(...tree.setLeaf(leaf, text));
    else if (text !== '') missing.set(categories[i] as string, text);
  });
  const first = unit.all[0] as YamlLeaf;
  if (missing.size > 0) edits.push(...tree.insert(first.container as YamlMap, missing));
  return edits;
}

function addUnits(
  tree: YamlTree,
  options: ParseOptions,
  changes: readonly AddChange[],
  units: readonly YamlUnit[],
  ruby: Ruby | undefined,
  base: BaseFile<YamlUnit> | undefined,
): Edit[] {
  const known = new Set(units.map((unit) => unit.context));
  // A file without the Rails structure has no language key.
  const language = ruby && (ruby.key?.source ?? (tree.isBlank ? options.language : undefined));
  const prefix = language === undefined ? '' : language + ARROW;
  return tree.add(
    changes.map((change) => {
      const { context } = change;
      if (context === '') throw new FormatError('invalid-change', 'a new string requires a key');
      if (known.has(context)) throw new FormatError('duplicate', 'the file already has this key');
      known.add(context);
      return [prefix + context, valueOf(change, options, ruby !== undefined, base?.entryOf(change))];
    }),
  );
}

function valueOf(change: AddChange, options: ParseOptions, plurals: boolean, base: YamlUnit | undefined): NestedValue {
  if (change.target.length === 1 && (!plurals || change.source.length < 2) && !base?.plural)
    return asLeaf(base?.all[0], change.target[0] as string);
  if (!plurals) throw new FormatError('invalid-change', 'the string has no plural forms');
  const categories = targetCategories(change.target.length, [], options.plural);
  const forms = new Map(
    change.target.map((text, i) => [categories[i] as string, asLeaf(base?.leaves[i] ?? base?.all[0], text)]),
  );
  // Rails requires `other` in every language, even if no integer uses it.
  return forms.has('other') ? forms : forms.set('other', [...forms.values()].at(-1) as NestedValue);
}

/** A text in the quote style of the base, or its number or boolean. */
function asLeaf(leaf: YamlLeaf | undefined, text: string): NestedValue {
  const written = writtenLike(leaf?.node, text);
  return written === undefined ? text : new Literal(written);
}

function yamlFormat(id: string, rails: boolean): FileFormat {
  return textFormat<YamlUnit>({
    id,
    monolingual: true,
    empty: ({ language, params }) => {
      const plain = /^[\w-]+$/.test(language) && !/^(?:no|on|off|y|n|yes)$/i.test(language);
      const map = rails ? `${plain ? language : JSON.stringify(language)}: {}` : '{}';
      return map + lineBreak(params);
    },
    // A blank is not a number or boolean, so the value is removed. In a list it stays, because removal shifts later keys.
    dropOnCreate: ({ all }) =>
      all.some(({ node }) => node !== undefined && typeof node.value !== 'string') &&
      all.every(({ container }) => container.kind === 'map'),
    layoutNew: ({ text, fileEol }, _, { params }) => {
      const wanted = lineBreak(params);
      if (params?.yaml_line_break === undefined || wanted === fileEol) return [];
      return [{ start: 0, end: text.length, text: text.replace(/\r\n|\r|\n/g, wanted) }];
    },
    read(document, options) {
      const tree = new YamlTree(document, options.params);
      const ruby = rails ? rubyRoot(tree) : undefined;
      const units = readUnits(tree, options, ruby);
      return {
        units,
        metadata: ruby?.key ? { targetLanguage: String(ruby.key.value) } : {},
        editor: {
          set: (unit, change) => setUnit(tree, options, unit, change),
          remove: (removed) =>
            tree.remove(
              removed.flatMap((unit) => unit.all),
              ruby?.root,
            ),
          add: (changes, base) => addUnits(tree, options, changes, units, ruby, base),
          header({ fields }) {
            const language = fields['Language'];
            return language !== undefined && ruby?.key ? tree.renameKey(ruby.key, language) : [];
          },
        },
      };
    },
  });
}

/** Nested maps and lists. Keys are joined by `->`. */
export const yaml = yamlFormat('yaml', false);

/** Rails: the language is the outermost key, maps of plural categories are plurals. */
export const rubyYaml = yamlFormat('ruby-yaml', true);
