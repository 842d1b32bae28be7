import { fieldsOf, type RequestField } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { Endpoint } from '../routing/endpoint';
import { parseJsonText, type Body } from './body';
import type { UploadedFile } from './uploaded-file';

/** Hidden fields and buttons of the forms on pages; fields of requests do not begin with an underscore. */
export const formFields = {
  /** Method of the request that the form stands for. */
  method: '_method',
  /** The body as JSON, instead of fields. */
  content: '_content',
  /** Values that the page showed, as JSON: those that the user left unchanged are no part of a PATCH. */
  initial: '_initial',
  /** Token of the caller, for this request only. */
  token: '_token',
  /** Confirms a deletion. */
  confirm: '_confirm',
} as const;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A form of a page, which stands for a request of the API. */
export interface BrowserForm {
  method: (typeof methods)[number];
  /** Texts of the fields by name. */
  values: Record<string, string[]>;
  files: Map<string, UploadedFile>;
  content: string | undefined;
  initial: Readonly<Record<string, unknown>>;
  token: string;
  confirmed: boolean;
}

/** Browsers send line breaks as CR LF. */
const textsOf = (value: unknown): string[] =>
  [value].flat().map((text) => String(text as string).replaceAll('\r\n', '\n'));

function parsedObject(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The form that a body contains; undefined for the body of another client. */
export function readBrowserForm({ values, files }: Body): BrowserForm | undefined {
  const hidden = (name: string): string | undefined =>
    values[name] === undefined ? undefined : textsOf(values[name])[0];
  const method = methods.find((known) => known === hidden(formFields.method));
  if (!method) return undefined;
  const own = Object.entries(values).filter(([name]) => !name.startsWith('_'));
  return {
    method,
    values: Object.fromEntries(own.map(([name, value]) => [name, textsOf(value)])),
    // Browsers send a part without name for a file that the user did not choose.
    files: new Map([...files].filter(([, { filename, size }]) => filename !== '' || size > 0)),
    content: hidden(formFields.content),
    initial: parsedObject(hidden(formFields.initial)),
    token: (hidden(formFields.token) ?? '').trim(),
    confirmed: hidden(formFields.confirm) === 'yes',
  };
}

const lists: ReadonlySet<RequestField['type']> = new Set(['list', 'relations']);

/** Whether the form has one control for each item of the field. */
export const isItemwise = ({ type }: RequestField): boolean => lists.has(type);

/** The items of a list without empty ones after the last item that the page showed. */
function itemsOf(texts: readonly string[], initial: unknown): string[] {
  const shown = Array.isArray(initial) ? initial.length : 0;
  return texts.slice(0, Math.max(shown, texts.findLastIndex((text) => text !== '') + 1));
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The body of the request that a form stands for. @throws PARSE_ERROR, INVALID */
export async function bodyOfForm(form: BrowserForm, { method, body }: Endpoint): Promise<Body> {
  const { files, content, initial } = form;
  if (content !== undefined) return { values: await parseJsonText(content), form: false, files };
  const values: Record<string, unknown> = {};
  const fields = new Map((body ? fieldsOf(body.fields) : []).map((field) => [field.name, field]));
  for (const [name, texts] of Object.entries(form.values)) {
    const field = fields.get(name);
    const value = field && isItemwise(field) ? itemsOf(texts, initial[name]) : texts[0];
    const before = initial[name];
    // An empty field that was not emptied means that the caller says nothing about it.
    const isUnchanged = JSON.stringify(value) === JSON.stringify(before) || (isBlank(value) && isBlank(before));
    if (isUnchanged && (method === 'PATCH' || isBlank(value))) continue;
    values[name] = value;
  }
  return { values, form: true, files };
}

/** @throws INVALID for a deletion that the user did not confirm */
export function throwIfUnconfirmed(form: BrowserForm): void {
  if (form.method !== 'DELETE' || form.confirmed) return;
  throw fieldErrors([{ attr: formFields.confirm, code: 'required', detail: 'Confirm the deletion.' }]);
}
