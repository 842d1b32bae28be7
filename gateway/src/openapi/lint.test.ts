import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../endpoints';
import { render } from '../responses/render';
import { openApiDocument } from './document';

const root = join(__dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'parlance-openapi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Problems that Redocly finds in a file, by the rules of redocly.yaml. */
function problemsOf(file: string): string[] {
  const program = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const options = ['--config', join(root, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'lint', file, ...options], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (stdout === '') throw new Error(stderr);
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('the linter of OpenAPI documents', () => {
  const document = openApiDocument(endpoints, 'https://parlance.test', 'Parlance');

  it.each(['json', 'yaml'] as const)('Redocly finds no problem in the document as %s', async (renderer) => {
    const file = join(folder, `openapi.${renderer}`);
    writeFileSync(file, await render(document, { renderer, indent: 0 }));
    expect(problemsOf(file)).toEqual([]);
  });

  it('Redocly finds a parameter without description, a wrong example and content without schema', () => {
    const broken = structuredClone(document) as { paths: Record<string, Record<string, { parameters: object[] }>> };
    const operation = broken.paths['/api/units/{unit}/']!['get']!;
    Object.assign(operation.parameters[0]!, { description: undefined, example: 'text' });
    Object.assign(operation, { responses: { 200: { description: 'Success.', content: { 'text/csv': {} } } } });
    const file = join(folder, 'broken.json');
    writeFileSync(file, JSON.stringify(broken));
    const found = problemsOf(file).map((problem) => problem.split(':')[0]);
    expect(new Set(found)).toEqual(
      new Set([
        'parameter-description',
        'no-invalid-parameter-examples',
        'rule/response-content-has-schema',
        'operation-4xx-response',
      ]),
    );
  });
});
