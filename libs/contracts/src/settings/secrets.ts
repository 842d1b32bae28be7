import { fieldOf, fieldsOf, type RequestField, type RequestSchema } from './request';
import type { SettingProblem } from './text-rules';

/** Placeholder for a stored secret in responses. A client that sends it back keeps the secret. */
export const SECRET_MASK = '********';

/** Names of settings that hold credentials. */
export const secretNames = (schema: RequestSchema): string[] =>
  fieldsOf(schema).flatMap(({ name, secret }) => (secret ? [name] : []));

/** Replaces each secret that is set with `SECRET_MASK`. */
export function maskSecrets(schema: RequestSchema, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const secrets = new Set(secretNames(schema));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.has(name) && value !== '' ? SECRET_MASK : value]),
  );
}

/**
 * Replaces masks that a client sent back with the stored secrets. A mask is rejected if no secret is stored, or if a setting with the
 * secret's destination changes. Otherwise a client could redirect the stored secret to its own server.
 * @param given settings of the request, before `readRequest`
 * @param stored settings in clear text, secrets included
 * @returns the settings with secrets, and a problem for each rejected mask
 */
export function restoreSecrets(
  schema: RequestSchema,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): { given: Record<string, unknown>; problems: SettingProblem[] } {
  const restored: Record<string, unknown> = { ...given };
  const problems: SettingProblem[] = [];
  for (const { name, secret } of fieldsOf(schema)) {
    if (!secret || !Object.hasOwn(given, name) || !isMask(given[name])) continue;
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (typeof value !== 'string' || value === '') {
      problems.push({ attr: name, code: 'invalid', detail: `No secret is stored for "${name}". Send its value.` });
      continue;
    }
    const moved = secret.sentTo.filter((other) => changes(schema, other, given, stored));
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
  schema: RequestSchema,
  name: string,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  const field = fieldOf(schema, name);
  if (!field) throw new Error(`the schema has no field "${name}"`);
  return normalized(field, given) !== normalized(field, stored);
}

/** The effective value in a normal form: URLs as a URL parser formats them. */
function normalized(field: RequestField, values: Readonly<Record<string, unknown>>): string {
  const value = (Object.hasOwn(values, field.name) ? values[field.name] : undefined) ?? field.default ?? '';
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = value.trim();
  return field.shape === 'http-url' && URL.canParse(text) ? new URL(text).href : text;
}
