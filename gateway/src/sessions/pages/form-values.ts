import type { FieldProblem } from '@parlance/errors';
import type { Call } from '../../routing/call';

/** Texts of a submitted form. */
export interface FormValues {
  /** The text of a field; '' if it is absent or repeated. */
  text(name: string): string;
}

export async function readForm(call: Call): Promise<FormValues> {
  const { values } = await call.body();
  return {
    text: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : '';
    },
  };
}

/** A control of a form. */
export interface FormField {
  name: string;
  label: string;
  type: 'text' | 'password' | 'email' | 'date' | 'select';
  /** Of a select. */
  choices?: readonly { value: string; text: string }[];
  autocomplete?: string;
  inputmode?: string;
  value?: string;
  hint?: string;
  problem?: string;
  required?: boolean;
  focus?: boolean;
  maxlength?: number;
}

/** A form as `@fields` renders it. */
export interface PageForm {
  /** Prefix of the ids of its controls. */
  id: string;
  action?: string;
  hidden: Readonly<Record<string, string>>;
  fields: readonly FormField[];
  button: string;
}

/** A form with which the browser sends the response of a security key. */
export interface SecurityKeyForm {
  id: string;
  action: string;
  hidden: Readonly<Record<string, string>>;
  button: string;
  use: 'create' | 'get';
  /** JSON for `navigator.credentials`. */
  options: string;
}

/** Puts problems beside their fields. @returns also those without a field here */
export function withProblems(
  fields: readonly FormField[],
  problems: readonly FieldProblem[],
): { fields: FormField[]; others: string[] } {
  const names = new Set(fields.map(({ name }) => name));
  return {
    fields: fields.map((field) => {
      const problem = problems.find(({ attr }) => attr === field.name);
      return problem ? { ...field, problem: problem.detail } : field;
    }),
    others: problems.filter(({ attr }) => attr === null || !names.has(attr)).map(({ detail }) => detail),
  };
}

export const mismatch: FieldProblem = { attr: 'repeated', code: 'invalid', detail: 'The two passwords differ.' };

/** Makes a form of the page with the problems of its last sending. @param more further hidden fields */
export type FormMaker = (
  id: string,
  fields: readonly FormField[],
  button: string,
  more?: Readonly<Record<string, string>>,
) => { form: PageForm; others: string[] };
