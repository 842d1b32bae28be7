import { CATEGORIES, targetCategories } from '../core/plural-categories';
import type { Edit } from '../core/document';
import type { FileFormat } from '../format';
import { Insertions, leafText, leaves, type Leaf } from './nested';
import { jsonFormat, type JsonContext, type JsonParts } from './reader';
import { stepsTo, textLike, type Node } from './tree';

/** Parsed name of a plural form: base name and form. */
interface FormName {
  base: string;
  /** Version 4: CLDR category. Version 3: `0`, `1`... or ''/`plural`. */
  form: string;
}

/** Names of the forms of a plural, by number of forms or categories. */
interface Scheme {
  parse(leaf: Leaf, names: ReadonlySet<string>): FormName | undefined;
  /** Order of the items of a target; undefined: file order. */
  order(forms: readonly string[], context: JsonContext): readonly string[] | undefined;
  /** Names of the forms of a new plural of that many forms. */
  create(count: number, context: JsonContext): readonly string[];
  join(base: string, form: string): string;
}

const v4: Scheme = {
  parse({ name }) {
    const match = /^(.+)_(zero|one|two|few|many|other)$/s.exec(name);
    return match ? { base: match[1] as string, form: match[2] as string } : undefined;
  },
  order: (_, { options }) => options.plural?.names,
  create: (count, { options }) => targetCategories(count, [], options.plural),
  join: (base, form) => `${base}_${form}`,
};

const v3: Scheme = {
  parse({ name, parent }, names) {
    const path = (base: string): string => (parent === '' ? base : `${parent}.${base}`);
    const numbered = /^(.+)_(\d{1,2})$/s.exec(name);
    if (numbered && names.has(path(`${numbered[1] as string}_0`)))
      return { base: numbered[1] as string, form: numbered[2] as string };
    const plural = /^(.+)_plural$/s.exec(name);
    if (plural && names.has(path(plural[1] as string))) return { base: plural[1] as string, form: 'plural' };
    return names.has(path(`${name}_plural`)) ? { base: name, form: '' } : undefined;
  },
  order(forms, { options }) {
    const count = options.plural?.count;
    if (count === undefined) return undefined;
    return forms.includes('')
      ? ['', 'plural', ...numbers(count).slice(2)].slice(0, Math.max(count, 1))
      : numbers(count);
  },
  create: (count) => (count === 2 ? ['', 'plural'] : numbers(count)),
  join: (base, form) => (form === '' ? base : `${base}_${form}`),
};

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}

function read(context: JsonContext, scheme: Scheme): JsonParts[] {
  const all = leaves(context.tree.root);
  const names = new Set(all.map((leaf) => leaf.path));
  const groups = new Map<string, { leaf: Leaf; form: string }[]>();
  const order: (Leaf | string)[] = [];
  for (const leaf of all) {
    const found = leaf.name === '' ? undefined : scheme.parse(leaf, names);
    if (!found) {
      order.push(leaf);
      continue;
    }
    const path = leaf.parent === '' ? found.base : `${leaf.parent}.${found.base}`;
    const group = groups.get(path);
    if (group) group.push({ leaf, form: found.form });
    else {
      groups.set(path, [{ leaf, form: found.form }]);
      order.push(path);
    }
  }
  return order.map((item) =>
    typeof item === 'string' ? plural(context, scheme, item, groups.get(item) ?? []) : single(context, item),
  );
}

function single({ document }: JsonContext, leaf: Leaf): JsonParts {
  const target = [leafText(leaf, document.text)];
  return { context: leaf.path, target, offset: leaf.owner.offset, slots: [leaf.node], owners: [leaf.owner] };
}

function plural(
  context: JsonContext,
  scheme: Scheme,
  path: string,
  members: readonly { leaf: Leaf; form: string }[],
): JsonParts {
  const present = members.map(({ form }) => form);
  const order = scheme.order(present, context) ?? present;
  const found = order.map((form, i) => (order.indexOf(form) === i ? members.find((m) => m.form === form) : members[i]));
  const first = (members[0] as { leaf: Leaf }).leaf;
  const base = path.slice(first.parent === '' ? 0 : first.parent.length + 1);
  return {
    context: path,
    target: found.map((m) => (m ? leafText(m.leaf, context.document.text) : '')),
    plural: true,
    offset: first.owner.offset,
    slots: found.map((m) => m?.leaf.node),
    owners: members.map(({ leaf }) => leaf.owner),
    grow: (missing): Edit[] => {
      const object = first.owner.parent as Node;
      const wanted = order.length > 0 ? order : scheme.create(missing.length, context);
      const extra = scheme.create(Math.max(...missing.map(([i]) => i)) + 1, context);
      const values = missing.map(
        ([i, text]) => [scheme.join(base, wanted[i] ?? extra[i] ?? CATEGORIES[i] ?? String(i)), text] as const,
      );
      return [...renamed(context, base, order, members), ...context.tree.insert(object, new Map(values))];
    },
  };
}

/** `key` and `key_plural` become `key_0` and `key_1` if a third form is added, because with three forms only numbers are read. */
function renamed(
  { tree }: JsonContext,
  base: string,
  order: readonly string[],
  members: readonly { leaf: Leaf; form: string }[],
): Edit[] {
  if (order.length < 3 || order[0] !== '') return [];
  return members.flatMap(({ leaf, form }): Edit[] => {
    const key = leaf.owner.children?.[0];
    const number = order.indexOf(form);
    if (!key || number < 0) return [];
    return [{ start: key.offset, end: key.offset + key.length, text: tree.quote(`${base}_${number}`) }];
  });
}

function i18nextFormat(id: string, scheme: Scheme): FileFormat {
  return jsonFormat({
    id,
    empty: () => new Map(),
    read: (context) => read(context, scheme),
    add(context, changes, entryOf) {
      const insertions = new Insertions(context.tree);
      for (const change of changes) {
        if (change.target.length === 1 && change.source.length < 2) {
          const { slots, owners } = entryOf(change)?.unit ?? { slots: [], owners: [] };
          const way = owners[0] && stepsTo(owners[0]);
          insertions.addNested(change.context, textLike(slots[0], change.target[0] as string), way);
          continue;
        }
        const forms = scheme.create(change.target.length, context);
        change.target.forEach((text, i) => insertions.addNested(scheme.join(change.context, forms[i] as string), text));
      }
      return insertions.edits();
    },
  });
}

/** i18next JSON 3: `key` and `key_plural`, or `key_0`, `key_1`... in languages without exactly two forms. */
export const i18next = i18nextFormat('i18next', v3);

/** i18next JSON 4: `key_one`, `key_other`... by CLDR category. */
export const i18nextV4 = i18nextFormat('i18nextv4', v4);
