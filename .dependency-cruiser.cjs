// The import rules of the packages. README.md has a diagram of the packages.
const only = (name, owner, packages) => ({
  name,
  severity: 'error',
  comment: `Only ${owner} imports ${packages}.`,
  from: { path: '^(libs|services|gateway|e2e)/', pathNot: owner },
  to: { path: `node_modules/(${packages})(/|$)` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Merge modules that import each other, or extract a third module. Type imports count.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-are-apart',
      severity: 'error',
      comment: 'A service imports itself and libs, never another service or the gateway.',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^(services|gateway)/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-know-no-services',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|gateway|e2e)/' },
    },
    {
      name: 'gateway-is-apart',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^services/' },
    },
    {
      name: 'gateway-stores-nothing',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: 'node_modules/(mongoose|mongodb|minio|simple-git)(/|$)' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Rules without I/O: domain imports its own folder and pure libs.',
      from: { path: '^services/([^/]+)/src/domain/' },
      to: { path: '^services/[^/]+/src/(app|grpc|store|consumers)/' },
    },
    {
      name: 'app-knows-no-edges',
      severity: 'error',
      from: { path: '^services/[^/]+/src/app/', pathNot: '[.]test[.]ts$' },
      to: { path: '^services/[^/]+/src/(grpc|store|consumers)/' },
    },
    {
      name: 'clients-are-adapters',
      severity: 'error',
      comment: 'Adapters to other services implement ports of the domain.',
      from: { path: '^services/translation/src/clients/' },
      to: { path: '^services/[^/]+/src/', pathNot: '^services/translation/src/(clients|domain|proto)/' },
    },
    {
      name: 'clients-are-injected',
      severity: 'error',
      comment: 'Only the composition root creates clients.',
      from: { path: '^services/translation/src/', pathNot: '^services/translation/src/(clients/|compose[^/]*[.]ts)' },
      to: { path: '^services/translation/src/clients/' },
    },
    {
      name: 'no-cycles-of-types',
      severity: 'error',
      comment: 'Type-only imports count where this rule holds.',
      from: { path: '^services/translation/src/' },
      to: { circular: true },
    },
    {
      name: 'app-knows-no-clients',
      severity: 'error',
      comment: 'Use cases call other services through ports in domain/.',
      from: { path: '^services/(identity|catalog)/src/(app|domain)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^services/[^/]+/src/clients/' },
    },
    {
      name: 'edges-do-not-know-the-store',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(grpc|consumers)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^services/[^/]+/src/store/' },
    },
    only('nats-in-events', '^(libs/(events|testing)/|e2e/support/installations/events[.]mjs)', 'nats|@nats-io'),
    only('minio-in-object-store', '^libs/(object-store|testing)/', 'minio'),
    only('ioredis-in-redis', '^libs/redis/', 'ioredis'),
    only('simple-git-in-git', '^libs/git/', 'simple-git'),
    only(
      'mongoose-in-stores',
      '^(services/[^/]+/(src/store/|src/compose[.]ts|test/)|libs/search/test/|libs/store-kit/(src/(backup/[^/]+|connect|driver-collection|driver-fix|migrations/[^/]+|schema)([.]test)?[.]ts|test/)|e2e/bench/bare/store[.]mjs|e2e/support/installations/(credentials|engines|fill-memory)[.]mjs)',
      'mongoose|mongodb',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(dist/|libs/contracts/src/generated)' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
