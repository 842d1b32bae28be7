import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'parlance-apt-'));
const path = process.env.PATH;
const log = join(folder, 'log');

/** Puts an apt-get on the path that writes its command to a log and then runs a line of shell. */
function provideAptGet(line) {
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$1" >> '${log}'\n${line}\n`);
  chmodSync(join(folder, 'apt-get'), 0o755);
  writeFileSync(log, '');
  process.env.PATH = `${folder}:${path}`;
}
const commands = () => readFileSync(log, 'utf8').trim().split('\n');

afterAll(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

describe('installing packages', () => {
  it('an update of the package lists that fails is repeated', async () => {
    provideAptGet(
      `[ "$1" = install ] || [ $(wc -l < '${log}') -ge 3 ] || { echo 'mirror sync in progress' >&2; exit 100; }`,
    );
    await installPackages(['example'], 'a test', { pauseMs: 1 });
    expect(commands()).toEqual(['update', 'update', 'update', 'install']);
  });

  it('the installation goes on with the lists that could be fetched', async () => {
    provideAptGet('[ "$1" = install ]');
    await installPackages(['example'], 'a test', { pauseMs: 1 });
    expect(commands()).toEqual(['update', 'update', 'update', 'update', 'install']);
  });

  it('a failure shows the errors of the installation and of the update', async () => {
    provideAptGet('echo "E: no $1 today" >&2; exit 100');
    const failure = installPackages(['example'], 'a test', { pauseMs: 1 });
    await expect(failure).rejects.toThrow(/E: no install today[^]*Before that[^]*E: no update today/);
  });
});
