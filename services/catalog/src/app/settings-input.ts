import { objectProblem, settingField, type Setting, type SettingsTable } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';

/** Settings of a message: only fields that the caller sent. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** Required fields of POST and PUT that are missing. */
export function missingSettings(
  table: SettingsTable,
  given: SettingsInput,
  required?: readonly string[],
): FieldProblem[] {
  return table
    .filter(
      (s: Setting) =>
        (required ? required.includes(s.name) : s.required === true) && given[settingField(s)] === undefined,
    )
    .map((s) => ({ attr: s.name, code: 'required', detail: 'This field is required.' }));
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
function ownField(setting: Setting): string {
  return setting.type === 'object' ? settingField(setting).replace(/Json$/, '') : settingField(setting);
}

/** Default values of the table. */
export function defaultSettings(table: SettingsTable): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const setting of table as readonly Setting[]) {
    if (setting.default === undefined || setting.access === 'write-only' || setting.type === 'relation') continue;
    values[ownField(setting)] = setting.type === 'id' ? 0 : structuredClone(setting.default);
  }
  return values;
}

/** Fields of a message that are settings of the table. */
export function pickSettings(table: SettingsTable, message: SettingsInput): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const setting of table) {
    const field = settingField(setting);
    if (message[field] !== undefined && setting.type !== 'relation') values[field] = message[field];
  }
  return values;
}

/** Names of the table's settings that differ between two sets of values. */
export function changedSettings(table: SettingsTable, before: SettingsInput, after: SettingsInput): string[] {
  return table
    .filter((s) => {
      const field = ownField(s);
      return JSON.stringify(before[field]) !== JSON.stringify(after[field]);
    })
    .map((s) => s.name);
}
