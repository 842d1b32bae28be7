// Preloaded into worker threads of tests, which run outside of Jest. Transpiles TypeScript and resolves our packages to their source.
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const libs = join(__dirname, '..');
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const own = /^@parlance\/([\w-]+)(?:\/([\w-]+))?$/.exec(request);
  return resolveFilename.call(this, own ? join(libs, own[1], 'src', `${own[2] ?? 'index'}.ts`) : request, ...rest);
};
function compile(module, filename) {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
}

// Sources take precedence over data files of the same name: extensions are tried in order.
const others = Object.entries(Module._extensions);
for (const [extension] of others) delete Module._extensions[extension];
Object.assign(Module._extensions, { '.ts': compile }, Object.fromEntries(others));
