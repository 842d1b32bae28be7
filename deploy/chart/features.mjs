// What the chart promises, and the tests of each promise. generate.mjs writes docs/deployment/chart-features.md from it; a unit test checks
// that every test exists, and that every case of the templates has a feature.

/** Cases of the templates, which check-chart.mjs runs. */
const cases = (...titles) => titles.map((title) => ({ path: 'deploy/chart/cases.mjs', title }));
/** A unit or integration test. */
const test = (path, title) => ({ path, title });
/** A script of the trial on a cluster, and a phase of it. */
const trial = (script, title = '') => ({ path: `deploy/trial/${script}.mjs`, title });

const SCRIPT = 'deploy/try-on-kubernetes.sh';
const EVALUATION = 'no values: engines, secrets and the administrator';
const PROBES = 'no values: probes differ, pods are spread, one replica has no disruption budget';
const OPTIONS = 'everything that is off by default';

/** @type {[feature: string, tests: { path: string, title: string }[]][]} */
export const features = [
  [
    'Without values, the chart installs engines, secrets and an administrator for evaluation',
    [...cases(EVALUATION), { path: SCRIPT, title: 'e2e/demo.mjs' }],
  ],
  [
    '`helm test` asks the gateway as a client would',
    [
      ...cases('a gateway for some peers admits the pod of helm test'),
      { path: SCRIPT, title: '"$helm" test parlance' },
    ],
  ],
  [
    'External engines replace some or all of the chart’s',
    cases('some external engines', 'production: external engines with TLS', 'production: an existing Secret'),
  ],
  [
    'Missing and wrong values are refused by name',
    cases(
      'production without addresses',
      'production without a database',
      'an S3 store without a credential',
      'an existing Secret without an S3 store',
      'an unknown value',
      'an unknown value of a process',
      'an unknown process',
      'an unknown mode',
      'a setting that is no variable',
      'a database of the gateway',
      'an ingress for the example host',
      'a route for the example host',
      'a route without a Gateway',
      'two certificate bundles',
      'a stream name with dots',
      'a volume of no size',
      'memory of no size',
      'resources with a typo',
      'resources of an engine with a typo',
    ),
  ],
  [
    'Secrets and addresses of a wrong form are refused without showing them',
    cases(
      'a short secret',
      'a short key',
      'an address of another database',
      'an address of another database for a service',
      'an event server without a scheme',
      'a Redis server without a scheme',
      'an S3 store without a scheme',
      'a Prometheus without a scheme',
    ),
  ],
  [
    'Upgrades keep the generated secrets',
    [...cases('an upgrade keeps the generated secrets'), trial('under-load', 'helm upgrade')],
  ],
  [
    'The address of the mail server and the key for ssh remotes come from Secrets',
    cases(
      'the address of the mail server is in a Secret',
      'the key for ssh remotes is in a Secret',
      'a mail server in a Secret and in plain text',
      'a key for ssh remotes in a Secret and by path',
    ),
  ],
  ['Each process gets only the secrets that it uses', cases('no values: each process gets the secrets that it uses')],
  ['Pods satisfy the Pod Security Standard `restricted` and have no access to the Kubernetes API', cases(EVALUATION)],
  ['Processes call each other with mutual TLS', cases('mutual TLS')],
  [
    'Engines are called with TLS and a client certificate',
    cases('production: external engines with client certificates'),
  ],
  [
    'Network policies allow exactly the arrows of the architecture, in both directions',
    [
      ...cases(EVALUATION, 'no values: remotes and webhooks are outside private networks', 'private remotes'),
      test(
        'deploy/trial/arrows.test.mjs',
        'the picture of the architecture has exactly the connections that network policies allow',
      ),
      trial('forbidden-calls'),
    ],
  ],
  [
    'Network policies can be narrowed: peers of the gateway, DNS servers',
    cases(
      'a gateway for some peers admits the pod of helm test',
      'no values: DNS is allowed at any address',
      'DNS at some addresses',
    ),
  ],
  [
    'A process waits for a missing engine, unready and without restarts; its log and events have the reason',
    [
      ...cases(PROBES),
      test('deploy/container/probe.test.mjs', 'Waiting to start: MongoDB is unavailable'),
      trial('missing-engine'),
    ],
  ],
  [
    'A process that loses an engine is unready; its log and events have the reason',
    [
      test(
        'libs/telemetry/src/operations.test.ts',
        'the liveness probe repeats why the process is not ready, as a redirect to another host, and asks no dependency',
      ),
      test(
        'libs/telemetry/src/operations.test.ts',
        'the log says once why a process is not ready any more, and when it is ready again',
      ),
      trial('missing-engine'),
    ],
  ],
  [
    'Upgrades, and rolling and evicting pods of every process, lose no request',
    [
      ...cases('two replicas'),
      trial('under-load', 'helm upgrade'),
      trial('under-load', 'roll '),
      trial('under-load', 'evict a pod of '),
    ],
  ],
  ['Killed pods and engines lose no acknowledged edit', [trial('under-load', 'kill a pod of ')]],
  [
    'Each vcs-worker has a volume, which is deleted when workers are scaled down; another worker takes over from a lost one',
    [
      ...cases('no values: each vcs-worker has a volume of its own'),
      test(
        'services/vcs-worker/test/lease.itest.ts',
        'the lease of a dead worker is taken over, and that worker cannot write afterwards',
      ),
      test('services/vcs-worker/test/tasks.itest.ts', 'a task of a dead worker is run by another worker'),
      trial('under-load', 'kill a pod of '),
      trial('under-load', 'scale '),
    ],
  ],
  [
    'Pods are spread over nodes and zones, or as the operator wants',
    cases(PROBES, 'resources and spread of the operator'),
  ],
  [
    'Every container has requests and limits, which the operator can change',
    cases(EVALUATION, 'resources and spread of the operator'),
  ],
  [
    'Disruption budgets never block evictions',
    cases(
      'a budget of the operator',
      'a budget that blocks evictions',
      'autoscaling up to one pod needs no disruption budget',
    ),
  ],
  [
    'Processes scale by CPU, vcs-worker by its queue with KEDA',
    [
      ...cases(
        'autoscaling by CPU',
        'autoscaling by the queue, with KEDA',
        'more pods at least than at most',
        'more replicas than autoscaling allows',
      ),
      trial('under-load', 'scale '),
    ],
  ],
  ['Indexes of a new version exist before its processes start', cases('production: external engines with TLS')],
  ['Ingress, Gateway API route, priority classes, storage classes', cases(OPTIONS)],
  [
    'Metrics, alerts and dashboards tell installations on one Prometheus apart',
    [
      ...cases(OPTIONS, 'rules and dashboards select the series that the PodMonitor labels for this release'),
      test('deploy/observability/scope.test.mjs', 'rules of one installation select its series only'),
      { path: 'deploy/observability/check-rules.mjs', title: 'scoped' },
    ],
  ],
  [
    'Two installations in one namespace, or on one NATS account, do not see each other',
    [
      ...cases(
        'two installations in one namespace have nothing in common',
        'production: event streams have names of their own',
        'production: the names of event streams are chosen',
      ),
      test(
        'libs/events/test/bus.itest.ts',
        'two installations on one server see none of each other’s events and dead letters',
      ),
      trial('two-installations'),
      trial('forbidden-calls'),
    ],
  ],
];

/** Markers of the table in docs/deployment/chart-features.md. @type {[string, string]} */
export const FEATURES = ['<!-- features: begin -->', '<!-- features: end -->'];

const cell = ({ path, title }) => `[${path.replace('deploy/', '')}](../../${path})${title ? `: ${title}` : ''}`;

/** The table of the features. Several cases of a file are named once with it. */
export function featuresTable() {
  const rows = features.map(([feature, tests]) => {
    const paths = [...new Set(tests.map(({ path }) => path))];
    const cells = paths.map((path) =>
      cell({
        path,
        title: tests
          .filter((test) => test.path === path)
          .map(({ title }) => title)
          .filter(Boolean)
          .join('; '),
      }),
    );
    return `| ${feature} | ${cells.join('<br>')} |`;
  });
  return ['| feature | tests |', '| --- | --- |', ...rows].join('\n');
}
