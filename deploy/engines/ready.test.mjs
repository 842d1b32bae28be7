import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-ready-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a program of its own prints that imports `freePort`. */
async function print(expression) {
  const module = fileURLToPath(new URL('ready.mjs', import.meta.url));
  const program = `import { freePort, reservePort } from ${JSON.stringify(module)}; console.log(JSON.stringify(await (${expression})()))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: folder },
  });
  return JSON.parse(stdout);
}

describe('freePort', () => {
  it('programs that choose ports at the same time get different ones', async () => {
    const many =
      'async () => { const ports = []; while (ports.length < 300) ports.push(await freePort()); return ports; }';
    const ports = (await Promise.all([print(many), print(many)])).flat();
    expect(new Set(ports).size).toBe(600);
  });

  it('a port that another program reserved is not chosen', async () => {
    const choose =
      'async () => { for (let port = 20000; port < 29900; port++) reservePort(port); return [await freePort()]; }';
    expect((await print(choose))[0]).toBeGreaterThanOrEqual(29_900);
  });

  it('the preferred port is chosen while nothing listens on it, also again', async () => {
    const [preferred] = await print('async () => [await freePort()]');
    const choose = `async () => [await freePort(${preferred}), await freePort(${preferred})]`;
    expect(await print(choose)).toEqual([preferred, preferred]);
    const server = createServer().listen(preferred, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const others = await print(choose);
    server.close();
    expect(others).not.toContain(preferred);
  });
});
