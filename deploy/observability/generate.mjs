// Writes the rules, their tests and the dashboards: node deploy/observability/generate.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generated } from './generated.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
for (const [path, text] of generated()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
