import { execFileSync } from 'node:child_process';
import { archiveOf, databaseUri } from './engines.mjs';
import { canListen } from './ready.mjs';

describe('the address of a database', () => {
  it.each([
    ['mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/x'],
    ['mongodb://127.0.0.1:27017/?journal=true', 'mongodb://127.0.0.1:27017/x?journal=true'],
    ['mongodb://u:p%40@a:1,b:2/admin?replicaSet=r&tls=true', 'mongodb://u:p%40@a:1,b:2/x?replicaSet=r&tls=true'],
    ['mongodb+srv://u:p@example.org/other', 'mongodb+srv://u:p@example.org/x'],
    ['mongodb://127.0.0.1?journal=true', 'mongodb://127.0.0.1/x?journal=true'],
    [
      'mongodb://parlance:pw@h:1/?journal=true&authSource=admin',
      'mongodb://parlance:pw@h:1/x?journal=true&authSource=admin',
    ],
  ])('the database address of the server %s has its credentials and options', (server, expected) => {
    expect(databaseUri(server, 'x')).toBe(expected);
  });
});

test.each(['', 'requirepass "x"\n', 'ä'.repeat(512)])('a file of %j is copied into a container unchanged', (text) => {
  const input = archiveOf({ path: 'etc/x.conf', text });
  expect(input.length % 512).toBe(0);
  const list = execFileSync('tar', ['--list', '--verbose', '--numeric-owner'], { input, encoding: 'utf8' });
  expect(list).toMatch(/^-rw-r--r-- 0\/0 .* etc\/x\.conf\n$/);
  expect(execFileSync('tar', ['--extract', '--to-stdout'], { input, encoding: 'utf8' })).toBe(text);
});

test('an address of another machine is not recognized as an address of this machine', async () => {
  expect(await canListen(0)).toBe(true);
  // Reserved for documentation (RFC 5737).
  expect(await canListen(0, '203.0.113.7')).toBe(false);
});
