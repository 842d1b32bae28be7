/** Value of a template variable. */
export type TemplateValue = string | number | boolean | TemplateScope | readonly TemplateScope[];
export interface TemplateScope {
  readonly [name: string]: TemplateValue;
}

/** An invalid template, or one whose output is too long. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  constructor(
    message: string,
    /** 0-based offset in the template. */
    readonly position: number,
  ) {
    super(message);
  }
}

type Filter = (text: string) => string;

/** `{{ value|filter }}`. */
export const templateFilters: Readonly<Record<string, Filter>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  /** Without the first folder. */
  parentdir: (text) => text.slice(text.indexOf('/') + 1),
  /** The folder. */
  dirname: (text) => (text.includes('/') ? text.slice(0, text.lastIndexOf('/')) : ''),
  /** Without folders. */
  basename: (text) => text.slice(text.lastIndexOf('/') + 1),
  /** Without the extension. */
  stripext: (text) => text.replace(/\.[^./]+$/, ''),
};

/** Variables of commit messages and similar templates. Loops add the variables of list items. */
export const messageVariables = [
  'language_code',
  'language_name',
  'project_name',
  'project_slug',
  'component_name',
  'component_slug',
  'component_remote_branch',
  'url',
  'filename',
  'stats.all',
  'stats.translated',
  'stats.translated_percent',
  'addon_name',
  'author',
  'site_title',
  'site_url',
  'widget_url',
  'component_linked_children',
] as const;

/** Variables of list items by list. */
const templateLists: Readonly<Record<string, readonly string[]>> = {
  component_linked_children: ['name', 'project_name', 'url'],
};

/** Variables of `repoweb`. */
export const repoWebVariables = ['branch', 'filename', 'line'] as const;

export const defaultMessages = {
  commit_message:
    'Translate {{ component_name }} into {{ language_name }}\n\nProject: {{ project_name }}\nTranslated at {{ url }}\n',
  add_message:
    'Start the translation of {{ component_name }} into {{ language_name }}\n\nProject: {{ project_name }}\nTranslated at {{ url }}\n',
  delete_message:
    'Remove the {{ language_name }} translation of {{ component_name }}\n\nProject: {{ project_name }}\n{{ url }}\n',
  merge_message: "Merge branch '{{ component_remote_branch }}' into the translations of {{ project_name }}\n",
  addon_message:
    'Update the translation files of {{ component_name }}\n\nMade by {{ addon_name }} at {{ site_title }}.\n\nProject: {{ project_name }}\n{{ url }}\n',
  pull_message:
    'Translations of {{ project_name }}/{{ component_name }} from {{ url }}\n{% if component_linked_children %}\nIt holds these components too:\n{% for child in component_linked_children %}\n- {{ child.project_name }}/{{ child.name }}: {{ child.url }}\n{% endfor %}{% endif %}\n',
} as const;

const MAX_DEPTH = 8;
/** Longest output of a template, in characters. */
const MAX_OUTPUT = 1_000_000;

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; path: string[]; filters: string[]; at: number }
  | { kind: 'if'; path: string[]; negate: boolean; then: Node[]; otherwise: Node[]; at: number }
  | { kind: 'for'; item: string; path: string[]; body: Node[]; at: number };

const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

function readPath(text: string, at: number): string[] {
  if (!PATH.test(text)) throw new TemplateError(`"${text.slice(0, 50)}" is not the name of a variable`, at);
  return text.split('.');
}

class Reader {
  private readonly tokens: { text: string; at: number }[];
  private next = 0;

  constructor(template: string) {
    let at = 0;
    this.tokens = template
      // eslint-disable-next-line regexp/no-super-linear-move -- templates are settings of some thousand characters
      .split(/(\{\{[^]*?\}\}|\{%[^]*?%\}|\{#[^]*?#\})/)
      .map((text) => {
        const token = { text, at };
        at += text.length;
        return token;
      })
      .filter((t) => t.text !== '');
  }

  /** Parses up to one of the tags in `until`. @returns the nodes and the words of that tag */
  read(until: readonly string[], depth: number, openedAt: number): { nodes: Node[]; tag: string[] } {
    if (depth > MAX_DEPTH) throw new TemplateError('tags are nested too deeply', openedAt);
    const nodes: Node[] = [];
    while (this.next < this.tokens.length) {
      const { text, at } = this.tokens[this.next++]!;
      if (text.startsWith('{#') && text.endsWith('#}') && text.length >= 4) continue;
      if (text.startsWith('{{') && text.endsWith('}}') && text.length >= 4) {
        nodes.push(this.value(text.slice(2, -2), at));
      } else if (text.startsWith('{%') && text.endsWith('%}') && text.length >= 4) {
        const words = text.slice(2, -2).trim().split(/\s+/);
        if (until.includes(words[0]!)) return { nodes, tag: words };
        nodes.push(this.tag(words, at, depth));
      } else {
        const stray = /\{\{|\{%/.exec(text);
        if (stray) throw new TemplateError(`${stray[0]} is not closed`, at + stray.index);
        nodes.push({ kind: 'text', text });
      }
    }
    if (until.length > 0) throw new TemplateError(`${until.at(-1)!} is missing`, openedAt);
    return { nodes, tag: [] };
  }

  private value(inner: string, at: number): Node {
    const [path, ...filters] = inner.split('|').map((part) => part.trim());
    for (const filter of filters) {
      if (!Object.hasOwn(templateFilters, filter))
        throw new TemplateError(`there is no filter "${filter.slice(0, 50)}"`, at);
    }
    return { kind: 'value', path: readPath(path!, at), filters, at };
  }

  private tag(words: string[], at: number, depth: number): Node {
    if (words[0] === 'if') {
      const negate = words[1] === 'not';
      const path = words.slice(negate ? 2 : 1);
      if (path.length !== 1) throw new TemplateError('if takes one variable', at);
      const then = this.read(['else', 'endif'], depth + 1, at);
      const otherwise = then.tag[0] === 'else' ? this.read(['endif'], depth + 1, at).nodes : [];
      return { kind: 'if', path: readPath(path[0]!, at), negate, then: then.nodes, otherwise, at };
    }
    if (words[0] === 'for') {
      if (words.length !== 4 || words[2] !== 'in' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(words[1]!)) {
        throw new TemplateError('for must have the form: for item in list', at);
      }
      const body = this.read(['endfor'], depth + 1, at).nodes;
      return { kind: 'for', item: words[1]!, path: readPath(words[3]!, at), body, at };
    }
    throw new TemplateError(`there is no tag "${(words[0] ?? '').slice(0, 50)}"`, at);
  }
}

function parse(template: string): Node[] {
  return new Reader(template).read([], 0, 0).nodes;
}

/**
 * Validates a template, which may use the given variables and, in loops, those of list items.
 * @param variables names such as `language_name` or `stats.all`
 */
export function templateProblem(template: string, variables: readonly string[]): string | null {
  try {
    check(parse(template), new Set(variables));
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return `${error.message} (at position ${error.position})`;
    throw error;
  }
}

function check(nodes: readonly Node[], known: ReadonlySet<string>): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue;
    const path = node.path.join('.');
    if (!known.has(path)) throw new TemplateError(`there is no variable "${path.slice(0, 50)}"`, node.at);
    const items = templateLists[path];
    if (node.kind === 'if') {
      check(node.then, known);
      check(node.otherwise, known);
    } else if (node.kind === 'for') {
      if (!items) throw new TemplateError(`"${path}" is not a list`, node.at);
      check(node.body, new Set([...known, ...items.map((i) => `${node.item}.${i}`)]));
    } else if (items) {
      throw new TemplateError(`"${path}" is a list; use a loop`, node.at);
    }
  }
}

/**
 * Renders a template. Missing values are empty.
 * @throws TemplateError when the template is invalid or its output exceeds a million characters
 */
export function renderTemplate(template: string, scope: TemplateScope): string {
  const out: string[] = [];
  let size = 0;
  const write = (text: string, at: number): void => {
    size += text.length;
    if (size > MAX_OUTPUT) throw new TemplateError(`the output is longer than ${MAX_OUTPUT} characters`, at);
    out.push(text);
  };
  const run = (nodes: readonly Node[], values: TemplateScope): void => {
    for (const node of nodes) {
      if (node.kind === 'text') write(node.text, 0);
      else if (node.kind === 'value') {
        const value = lookUp(values, node.path);
        const text = value === undefined || typeof value === 'object' ? '' : String(value);
        write(
          node.filters.reduce((t, filter) => templateFilters[filter]!(t), text),
          node.at,
        );
      } else if (node.kind === 'if') {
        run(truthy(lookUp(values, node.path)) !== node.negate ? node.then : node.otherwise, values);
      } else {
        const list = lookUp(values, node.path);
        if (Array.isArray(list))
          for (const item of list as readonly TemplateScope[]) run(node.body, { ...values, [node.item]: item });
      }
    }
  };
  run(parse(template), scope);
  return out.join('');
}

function truthy(value: TemplateValue | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function lookUp(scope: TemplateScope, path: readonly string[]): TemplateValue | undefined {
  let value: TemplateValue | undefined = scope;
  for (const name of path) {
    if (typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as TemplateScope)[name];
  }
  return value;
}
