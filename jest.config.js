// One configuration for all packages. Sources are transformed on the fly, so unit and integration tests need the generated
// contracts (npm run generate) but no build. End-to-end tests build and start the system.
const esmPackages = [
  'jose',
  'nodemailer',
  'parse5',
  'entities',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'mdast-util-from-markdown',
  'mdast-util-to-string',
  'micromark.*',
  'decode-named-character-reference',
  'character-entities',
  'unist-util-stringify-position',
  'gettext-parser',
  'eta',
  'feed',
  '@fluent',
  '@formatjs',
  'iso-639-3',
  'make-plural',
  'content-type',
  'smol-toml',
  'grpc-health-check',
];
const common = {
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    '^@parlance/contracts/text-rules$': '<rootDir>/libs/contracts/src/text-rules',
    '^@parlance/(contracts|config|telemetry|grpc-kit|errors|events|access|formats|checks|search|plurals|object-store|redis|git|outgoing|secrets|store-kit|testing|tls|patterns|workload)$':
      '<rootDir>/libs/$1/src',
  },
  rootDir: __dirname,
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['/dist/'],
};
/** Tests that run against systems, of which each worker of jest has its own. */
const onSystems = (displayName, files) => ({
  ...common,
  displayName,
  testMatch: [`<rootDir>/e2e/${files}`],
  globalSetup: '<rootDir>/e2e/global-setup.mjs',
  globalTeardown: '<rootDir>/e2e/global-teardown.mjs',
});
module.exports = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{libs,services}/*/src/**/*.test.ts',
        '<rootDir>/gateway/src/**/*.test.ts',
        '<rootDir>/deploy/**/*.test.mjs',
        '<rootDir>/e2e/bench/**/*.test.mjs',
      ],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['<rootDir>/{libs,services}/*/test/**/*.itest.ts', '<rootDir>/gateway/test/**/*.itest.ts'],
      ...(require('node:fs').existsSync(`${__dirname}/libs/testing/global-setup.js`) && {
        globalSetup: '<rootDir>/libs/testing/global-setup.js',
        globalTeardown: '<rootDir>/libs/testing/global-teardown.js',
      }),
    },
    onSystems('e2e', 'tests/!(installations|resilience)/**/*.e2e.ts'),
    onSystems('resilience', 'tests/resilience/**/*.e2e.ts'),
    onSystems('installations', 'tests/installations/*.e2e.ts'),
    onSystems('upgrade', 'upgrade/*.e2e.ts'),
    {
      ...common,
      displayName: 'browser',
      testMatch: ['<rootDir>/e2e/browser/*.browser.ts'],
      globalSetup: '<rootDir>/e2e/browser/global-setup.mjs',
      globalTeardown: '<rootDir>/e2e/global-teardown.mjs',
    },
  ],
  // Only ends tests that hang: tests wait for events, and a busy machine may take several times as long as an idle one.
  testTimeout: 180_000,
};
