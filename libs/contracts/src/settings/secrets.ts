import type { Setting, SettingProblem, SettingsTable } from './types';

/** Stands for a stored secret in answers; sent back, it keeps that secret. */
export const SECRET_MASK = '********';

/** Names of the settings of a table that hold credentials. */
export const secretNames = (table: SettingsTable): string[] =>
  table.filter((setting) => setting.secret).map((setting) => setting.name);

/** The values with `SECRET_MASK` in place of each secret that is set. */
export function maskSecrets(table: SettingsTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const secrets = new Set(secretNames(table));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.has(name) && value !== '' ? SECRET_MASK : value]),
  );
}

/**
 * Puts the stored secrets in place of the masks that a caller sent back. A mask is refused when no secret is stored, or when a setting
 * that decides the secret's destination changes: otherwise whoever may change the destination could read the secret there.
 * @param given settings as they came in, before `readSettings`
 * @param stored settings in clear, secrets included
 * @returns the settings to go on with, and one problem for each refused mask, which names the secret
 */
export function restoreSecrets(
  table: SettingsTable,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): { given: Record<string, unknown>; problems: SettingProblem[] } {
  const restored: Record<string, unknown> = { ...given };
  const problems: SettingProblem[] = [];
  for (const { name, secret } of table) {
    if (!secret || !Object.hasOwn(given, name) || !isMask(given[name])) continue;
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (typeof value !== 'string' || value === '') {
      problems.push({ attr: name, code: 'invalid', detail: `No secret is stored for "${name}". Send its value.` });
      continue;
    }
    const moved = secret.sentTo.filter((other) => changes(table, other, given, stored));
    if (moved.length > 0) {
      const names = moved.map((other) => `"${other}"`).join(' and ');
      const detail = `"${name}" must be sent again in clear, because ${names} changes where it is sent.`;
      problems.push({ attr: name, code: 'invalid', detail });
    }
    restored[name] = value;
  }
  return { given: restored, problems };
}

const isMask = (value: unknown): boolean => typeof value === 'string' && value.trim() === SECRET_MASK;

function changes(
  table: SettingsTable,
  name: string,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  const setting = table.find((s) => s.name === name);
  if (!setting) throw new Error(`the table has no setting "${name}"`);
  return normalized(setting, given) !== normalized(setting, stored);
}

/** The effective value in a form that is equal for equal destinations: web addresses as URL parsers read them. */
function normalized(setting: Setting, values: Readonly<Record<string, unknown>>): string {
  const value = (Object.hasOwn(values, setting.name) ? values[setting.name] : undefined) ?? setting.default ?? '';
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = value.trim();
  return setting.shape === 'http-url' && URL.canParse(text) ? new URL(text).href : text;
}
