import { fieldsOf, objectProblem, type RequestField, type RequestSchema } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';

/** Settings of a message: only fields that the caller sent. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** Required fields of POST and PUT that are missing. */
export function missingSettings(schema: RequestSchema, given: SettingsInput): FieldProblem[] {
  return fieldsOf(schema)
    .filter(({ required, key }) => required && given[key] === undefined)
    .map(({ name }) => ({ attr: name, code: 'required', detail: 'This field is required.' }));
}

/** A JSON object that a message carries as text; adds a problem if it is invalid. */
export function parseJsonObject(
  json: string,
  attr: string,
): { value: Record<string, unknown> } | { problem: FieldProblem } {
  try {
    const value: unknown = json === '' ? {} : JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const problem = objectProblem(value, attr);
      return problem ? { problem } : { value: value as Record<string, unknown> };
    }
  } catch {
    // Reported below.
  }
  return { problem: { attr, code: 'invalid', detail: 'A JSON object is required.' } };
}

/** JSON settings are sent as text and stored as objects. */
function ownField({ type, key }: RequestField): string {
  return type === 'object' ? key.replace(/Json$/, '') : key;
}

/** Default values of a schema. */
export function defaultSettings(schema: RequestSchema): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const setting of fieldsOf(schema)) {
    if (setting.default === undefined || setting.access === 'write-only' || setting.type === 'relation') continue;
    values[ownField(setting)] = setting.type === 'id' ? 0 : structuredClone(setting.default);
  }
  return values;
}

/** Fields of a message that are settings of a schema. */
export function pickSettings(schema: RequestSchema, message: SettingsInput): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key, type } of fieldsOf(schema))
    if (message[key] !== undefined && type !== 'relation') values[key] = message[key];
  return values;
}

/** Names of a schema's settings that differ between two sets of values. */
export function changedSettings(schema: RequestSchema, before: SettingsInput, after: SettingsInput): string[] {
  return fieldsOf(schema)
    .filter((s) => {
      const field = ownField(s);
      return JSON.stringify(before[field]) !== JSON.stringify(after[field]);
    })
    .map((s) => s.name);
}
