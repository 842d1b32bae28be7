import { fieldsOf, type RequestField } from '@parlance/contracts';
import { formFields, isItemwise, type BrowserForm } from '../../bodies/browser-form';
import type { ErrorBody } from '../../responses/errors';
import type { Endpoint } from '../../routing/endpoint';
import { exampleBody } from './commands';

/** Control of a form for a field of a request. */
export interface Control {
  name: string;
  id: string;
  kind: 'select' | 'line' | 'text' | 'json' | 'items' | 'file' | 'secret';
  /** Type of the field, as the documentation names it. */
  type: string;
  required: boolean;
  doc: string;
  choices: readonly string[];
  default: string;
  /** Present texts; several for a list. */
  values: readonly string[];
  /** Rows of a text area. */
  rows: number;
  numeric: boolean;
  /** Why the API rejected the value; '' if it did not. */
  problem: string;
}

export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value as string);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member by which a request names an object that responses contain as a whole. */
const members: Partial<Record<RequestField['type'], string>> = {
  language: 'code',
  relation: 'url',
  relations: 'url',
  integers: 'id',
  id: 'id',
};

/** A value of a response as a request contains it. */
function asRequested({ type }: RequestField, value: unknown): unknown {
  const member = members[type];
  const one = (item: unknown) => (member !== undefined && isObject(item) ? item[member] : item);
  return Array.isArray(value) ? value.map(one) : one(value);
}

/** Texts of a value in the controls of a field. */
function textsOf(field: RequestField, value: unknown): string[] {
  if (isItemwise(field)) return Array.isArray(value) ? value.map(textOf) : [];
  if (isObject(value) || Array.isArray(value)) return [JSON.stringify(value, null, 2)];
  return [textOf(value)];
}

function kindOf({ type, choices, secret }: RequestField): Control['kind'] {
  if (choices || type === 'boolean') return 'select';
  if (secret) return 'secret';
  switch (type) {
    case 'text':
      return 'text';
    case 'list':
    case 'relations':
      return 'items';
    case 'integers':
    case 'object':
    case 'objects':
      return 'json';
    default:
      return 'line';
  }
}

const booleans = ['true', 'false'];
const MAX_ROWS = 12;
const numbers: ReadonlySet<string> = new Set(['integer', 'number', 'id']);

/** The state of a page that its forms show. */
export interface FormState {
  /** The object that the page shows; undefined for lists and errors. */
  current: Record<string, unknown> | undefined;
  /** The form that the page answers. */
  sent: BrowserForm | undefined;
  /** Problems of that form. */
  problems: ErrorBody['errors'];
}

/** Messages about a field or a part of it. */
const problemOf = (problems: ErrorBody['errors'], name: string): string =>
  problems.flatMap(({ attr, detail }) => (attr?.split('.', 1)[0] === name ? [detail] : [])).join(' ');

function controlOf(method: string, field: RequestField, values: readonly string[], problem: string): Control {
  const { name, type, required, doc, choices } = field;
  const kind = kindOf(field);
  // A list has an empty control for a further item.
  const shown = kind === 'items' ? [...values, ''] : values;
  const lines = Math.max(...shown.map((text) => text.split('\n').length), kind === 'items' ? 1 : 2);
  return {
    name,
    id: `${method.toLowerCase()}-${name}`,
    kind,
    type,
    required: required && method !== 'PATCH',
    doc,
    choices: choices?.map(String) ?? (type === 'boolean' ? booleans : []),
    default: textOf(field.default),
    values: shown,
    rows: Math.min(lines, MAX_ROWS),
    numeric: numbers.has(type),
    problem,
  };
}

const fileControl = (method: string, name: string, problem: string): Control => ({
  name,
  id: `${method.toLowerCase()}-${name}`,
  kind: 'file',
  type: 'file',
  required: false,
  doc: 'A file.',
  choices: [],
  default: '',
  values: [],
  rows: 1,
  numeric: false,
  problem,
});

/** More optional fields are folded. */
const FEW_OPTIONAL = 6;

/** The form for a method other than GET. */
export function formOf(endpoint: Endpoint, { current, sent, problems }: FormState, base: string) {
  const { method, body } = endpoint;
  const answered = sent?.method === method ? sent : undefined;
  const found = answered ? problems : [];
  const fields = (body ? fieldsOf(body.fields) : []).filter(({ access }) => access !== 'read-only');
  const edits = method === 'PATCH' || method === 'PUT';
  const known = (field: RequestField): unknown => {
    if (!edits) return field.default;
    return current ? asRequested(field, current[field.name]) : undefined;
  };
  const initial = answered
    ? answered.initial
    : Object.fromEntries(
        edits
          ? fields.map((field) => {
              const texts = textsOf(field, known(field));
              return [field.name, isItemwise(field) ? texts : texts[0]!] as const;
            })
          : [],
      );
  const controls = [
    ...(body?.files ?? []).map((name) => fileControl(method, name, problemOf(found, name))),
    ...fields.map((field) => {
      const typed = answered?.content === undefined ? answered?.values[field.name] : undefined;
      const values = typed?.slice(0, isItemwise(field) ? typed.findLastIndex((text) => text !== '') + 1 : 1);
      return controlOf(method, field, values ?? textsOf(field, known(field)), problemOf(found, field.name));
    }),
  ];
  const names = new Set(controls.map(({ name }) => name));
  const optional = controls.filter(({ required, kind, problem }) => !required && kind !== 'file' && problem === '');
  const isFolded = method === 'POST' && optional.length > FEW_OPTIONAL;
  const present = Object.fromEntries(
    fields.flatMap((field) => {
      const value = known(field);
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
  const example = exampleBody(endpoint, base);
  // Unchanged JSON of the form must not overwrite the object with the example.
  const shown = Object.keys(example).map((name) => [name, present[name] ?? example[name]] as const);
  const raw = method === 'PUT' && current ? present : Object.fromEntries(shown);
  return {
    method,
    isOpen: answered !== undefined,
    multipart: (body?.files?.length ?? 0) > 0,
    controls: isFolded ? controls.filter((control) => !optional.includes(control)) : controls,
    folded: isFolded ? optional : [],
    initial: JSON.stringify(initial),
    hasInitial: edits,
    raw: fields.length > 0 ? (answered?.content ?? JSON.stringify(raw, null, 2)) : undefined,
    isRawSent: answered?.content !== undefined,
    confirmProblem: problemOf(found, formFields.confirm),
    isDelete: method === 'DELETE',
    problems: found.filter(({ attr }) => {
      const name = attr?.split('.', 1)[0];
      return name === undefined || (!names.has(name) && name !== formFields.confirm);
    }),
  };
}
