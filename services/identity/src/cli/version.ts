import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the command. All packages have one version. */
export function readVersion(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
