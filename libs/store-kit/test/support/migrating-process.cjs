// A process that migrates a database, for migrations.itest.ts: its address, database and `stall` are arguments. With `stall`, it stops
// in the middle of its second batch and says so.
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

// Sources as jest reads them: transformed on the fly, packages of the repository by their sources.
const libs = join(__dirname, '../../..');
require.extensions['.ts'] = (module, file) => {
  const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } };
  module._compile(transformSync(readFileSync(file, 'utf8'), options).code, file);
};
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) =>
  resolve(request.replace(/^@parlance\/([\w-]+)$/, `${libs}/$1/src/index.ts`), ...rest);

const { connectMongo, MigrationRunner } = require('@parlance/store-kit');
const { renameThings } = require('./rename-things.ts');

const [uri, stall] = process.argv.slice(2);
const stopped = () => new Promise(() => process.send('stalled'));

async function main() {
  const { connection } = await connectMongo(uri);
  const migration = renameThings(process.pid, stall ? stopped : undefined);
  const runner = new MigrationRunner(connection, [migration], { settleMs: 0, pollMs: 100 });
  runner.start();
  process.send('started');
  const { wanted } = await runner.state();
  while ((await runner.state()).version < wanted) await new Promise((done) => setTimeout(done, 50));
  await runner.stop();
  await connection.close();
  process.disconnect();
}
void main();
