import { fieldsOf } from '@parlance/contracts';
import { execFileSync } from 'node:child_process';
import type { Endpoint } from '../../routing/endpoint';
import { endpoints } from '../../endpoints';
import { curlForm, curlLine, exampleBody, wlcLine } from './commands';

/** Arguments that a shell passes to the program of a command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; wlc() { printf '%s\\0' "$@"; }; ${command}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, TOKEN: 'secret' } });
  return printed.split('\0').slice(0, -1);
}

const base = 'https://parlance.example';

describe('the commands on pages', () => {
  it('a shell passes address and body of the curl command unchanged', () => {
    const url = `${base}/api/units/?q=it's "$HOME" \`id\` \\`;
    const body = { target: ["it's", '$(id)', '"\n'] };
    expect(argumentsOf(curlLine('PATCH', url, body))).toEqual([
      '-H',
      'Authorization: Token secret',
      '-X',
      'PATCH',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body),
      url,
    ]);
    expect(argumentsOf(curlLine('GET', url))).toEqual(['-H', 'Authorization: Token secret', url]);
  });

  it('the curl command of an upload sends files and fields as a form', () => {
    expect(argumentsOf(curlForm('POST', base, ['file'], { method: "it's" })).slice(4)).toEqual([
      '-F',
      'file=@FILE',
      '-F',
      "method=it's",
      base,
    ]);
  });

  it.each([
    ['GET', '/api/projects/', [], ['list-projects']],
    ['GET', '/api/projects/:project/', ['app'], ['show', 'app']],
    ['GET', '/api/components/:project/:component/changes/', ['app', 'web'], ['changes', 'app/web']],
    ['POST', '/api/translations/:project/:component/:language/file/', ['a', 'b', "c'"], ['upload', "a/b/c'"]],
  ])('%s %s has a wlc command', (method, path, names, expected) => {
    const line = wlcLine({ method: method as Endpoint['method'], path }, names, base)!;
    const passed = argumentsOf(line);
    expect(passed.slice(0, 4)).toEqual(['--url', `${base}/api/`, '--key', 'secret']);
    expect(passed.slice(4, 4 + expected.length)).toEqual(expected);
  });

  it('endpoints that wlc does not know have no command', () => {
    expect(wlcLine({ method: 'GET', path: '/api/users/' }, [], base)).toBeUndefined();
    expect(
      wlcLine({ method: 'GET', path: '/api/components/:project/:component/units/' }, ['a', 'b'], base),
    ).toBeUndefined();
  });

  it.each(endpoints.filter(({ body }) => body).map((e) => [`${e.method} ${e.path}`, e] as const))(
    'the example of %s has the required fields and no read-only field',
    (_, endpoint) => {
      const example = exampleBody(endpoint, base);
      const fields = fieldsOf(endpoint.body!.fields);
      for (const { name, required, access } of fields) {
        if (access === 'read-only') expect(example).not.toHaveProperty([name]);
        else if (required && endpoint.method !== 'PATCH') expect(example).toHaveProperty([name]);
      }
      if (fields.length > 0) expect(Object.keys(example).length).toBeGreaterThan(0);
    },
  );
});
