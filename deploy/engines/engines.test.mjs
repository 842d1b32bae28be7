import { databaseUri } from './engines.mjs';

describe('the address of a database', () => {
  it.each([
    ['mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/x'],
    ['mongodb://127.0.0.1:27017/?journal=true', 'mongodb://127.0.0.1:27017/x?journal=true'],
    ['mongodb://u:p%40@a:1,b:2/admin?replicaSet=r&tls=true', 'mongodb://u:p%40@a:1,b:2/x?replicaSet=r&tls=true'],
    ['mongodb+srv://u:p@example.org/other', 'mongodb+srv://u:p@example.org/x'],
    ['mongodb://127.0.0.1?journal=true', 'mongodb://127.0.0.1/x?journal=true'],
  ])('%s', (server, expected) => {
    expect(databaseUri(server, 'x')).toBe(expected);
  });
});
