// Finds secrets in what processes write: their logs, and names, attributes, states and events of their spans.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tokens of users and projects, and the secrets that tests mark with this text. */
export const MARK = 'MarkedSecret';
const patterns = [/\bpl[up]_[A-Za-z0-9]{20,}/, new RegExp(MARK)];

/** Strings of a JSON document that are long enough to be secrets. */
function texts(value) {
  if (typeof value === 'string') return value.length >= 12 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Keys and passwords of an installation: those of its processes and engines, and the administrator's token. */
function secretsOf(dataDir) {
  const read = (name) => (existsSync(join(dataDir, name)) ? readFileSync(join(dataDir, name), 'utf8') : '');
  // Without it, the environment names the engines.
  const { passwords, s3 } = JSON.parse(read('engines.json') || '{}');
  return [...texts([JSON.parse(read('secrets.json')), passwords, s3]), read('admin-token').trim()].filter(Boolean);
}

/** Lines of the logs and spans of an installation that contain a secret, without the secret. */
export function leaksOf(dataDir) {
  const known = secretsOf(dataDir);
  const logs = join(dataDir, 'log');
  const files = [
    ...readdirSync(logs).map((name) => join(logs, name)),
    join(dataDir, 'spans'),
    join(dataDir, 'start.log'),
  ];
  return files.filter(existsSync).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => known.some((secret) => line.includes(secret)) || patterns.some((pattern) => pattern.test(line)))
      .map((line) => {
        const hidden = known.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
        return `${file}: ${patterns.reduce((text, pattern) => text.replace(pattern, '[secret]'), hidden).slice(0, 500)}`;
      }),
  );
}
