import { fieldErrors, type FieldProblem } from '@parlance/errors';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

function codeOf(issue: Issue, missing: boolean): string {
  if (missing) return 'required';
  if (issue.code === 'custom') return String(issue.params?.['code'] ?? 'invalid');
  return 'invalid';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined), input);
}

/** Every problem of a value, named as the public API names fields. */
export function problemsOf(error: z.ZodError, input: unknown): FieldProblem[] {
  return error.issues.map((issue) => {
    const value = valueAt(input, issue.path);
    const missing = value === undefined && issue.path.length > 0;
    const code = codeOf(issue, missing);
    let detail = missing ? 'This field is required.' : issue.message;
    if (value === null && !missing) detail = 'This may not be null.';
    const listed = issue.code === 'invalid_type' && issue.expected === 'array' && !missing;
    return {
      attr: issue.path.length > 0 ? issue.path.map(String).join('.') : 'non_field_errors',
      code: value === null ? 'null' : listed ? 'not_a_list' : code,
      detail,
    };
  });
}

/** @throws INVALID with every problem of the fields */
export function validate<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw fieldErrors(problemsOf(result.error, input));
}
