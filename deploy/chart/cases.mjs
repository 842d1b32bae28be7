// Tests of the chart's templates: values, and what the rendered objects must be. check-chart.mjs renders them.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { namesIn } from '../observability/query.mjs';
import { processes } from '../processes.mjs';
import { arrows, outside } from '../trial/arrows.mjs';
import { engines, jobs } from '../trial/connections.mjs';

/** Values of the mode `production`. */
const production = {
  mode: 'production',
  'mongodb.uri': 'mongodb://mongo:27017/?replicaSet=rs0&tls=true',
  'nats.url': 'tls://nats:4222',
  'redis.url': 'rediss://redis:6379',
  's3.endpoint': 'https://s3.example.org',
  's3.accessKey': 'key',
  's3.secretKey': 'secret',
  'secrets.serviceSecret': 'x'.repeat(32),
  'secrets.encryptionKey': Buffer.alloc(32).toString('base64'),
};

const byKind = (objects, kind) => objects.filter((object) => object.kind === kind);
function named(objects, kind, name) {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  assert.ok(found, `${kind} ${name} is missing`);
  return found;
}
const workloads = (objects) => [...byKind(objects, 'Deployment'), ...byKind(objects, 'StatefulSet')];
const componentOf = (object) => object.metadata.labels['app.kubernetes.io/component'];
const podSpecs = (objects) =>
  objects.flatMap((object) => {
    if (object.kind === 'Pod') return [[object.metadata.name, object.spec]];
    return object.spec?.template?.spec ? [[object.metadata.name, object.spec.template.spec]] : [];
  });
const environmentOf = (object) =>
  Object.fromEntries(object.spec.template.spec.containers[0].env?.map((entry) => [entry.name, entry]) ?? []);

/** Secrets of an earlier installation, by name. */
const generated = {
  parlance: { 'service-secret': 'service'.repeat(6), 'encryption-key': Buffer.alloc(32, 1).toString('base64') },
  'parlance-engines': Object.fromEntries(engines.map((name) => [`${name}-password`, name.repeat(12)])),
};

/** Every pod satisfies the Pod Security Standard "restricted", has a read-only root, and no access to the Kubernetes API. */
function restricted(objects) {
  for (const [name, spec] of podSpecs(objects)) {
    assert.equal(spec.securityContext.runAsNonRoot, true, name);
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault', name);
    assert.equal(spec.automountServiceAccountToken, name === 'parlance-administrator', name);
    for (const { securityContext, resources } of spec.containers) {
      assert.equal(securityContext.allowPrivilegeEscalation, false, name);
      assert.equal(securityContext.readOnlyRootFilesystem, true, name);
      assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] }, name);
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory, name);
    }
  }
}

/** Components that a policy lets in on a port: by the labels of its peers. */
const peersInto = (rules, port) =>
  rules
    .filter(({ ports }) => ports.some((each) => each.port === port))
    .flatMap(({ from = [] }) => from)
    .map(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component']);

/** Ports of systems outside the cluster, by default. */
const outsidePorts = { remotePorts: [22, 80, 443, 9418], webPorts: [80, 443], mailPorts: [25, 465, 587] };

/** What an egress rule allows, in the names of ../trial/arrows.mjs. */
function allowedBy({ ports, to }) {
  const numbers = ports.map(({ port }) => port);
  if (!to)
    return [
      isDeepStrictEqual(numbers, [53, 53]) ? 'DNS' : `${numbers}` === '443,6443' ? 'Kubernetes API' : `any ${numbers}`,
    ];
  if (to[0].ipBlock) {
    const value = Object.keys(outsidePorts).find((each) => isDeepStrictEqual(outsidePorts[each], numbers));
    const name = value ? outside[value] : `any ${numbers}`;
    return to.every(({ ipBlock }) => ipBlock.except) ? [`public ${name}`] : [`public ${name}`, `private ${name}`];
  }
  const suffix = numbers.includes(9090) ? ' operations' : '';
  return to.map(({ podSelector }) => `${podSelector.matchLabels['app.kubernetes.io/component']}${suffix}`);
}

/** The policies of both ends of each connection are the arrows of the architecture. */
function policed(objects, options) {
  const ports = { mongo: 'engine', nats: 'engine', redis: 'engine', minio: 'engine', gateway: 'operations' };
  const sources = [...processes, ...jobs];
  for (const target of [...processes, ...engines]) {
    const { spec } = named(objects, 'NetworkPolicy', `parlance-${target}`);
    const arrow = target === 'gateway' ? 'gateway operations' : target;
    const into = peersInto(spec.ingress, ports[target] ?? 'grpc').sort();
    assert.deepEqual(into, sources.filter((name) => arrows(name).has(arrow)).sort(), `into ${arrow}`);
  }
  for (const source of [...sources, ...engines]) {
    const { spec } = named(objects, 'NetworkPolicy', `parlance-${source}`);
    assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress'], source);
    assert.deepEqual(spec.egress.flatMap(allowedBy).sort(), [...arrows(source, options)].sort(), `out of ${source}`);
    if (jobs.includes(source)) assert.deepEqual(spec.ingress, [], `into ${source}`);
  }
}

/** Networks that a process reaches outside the cluster, with ports. */
const outsideOf = (objects, name) =>
  named(objects, 'NetworkPolicy', `parlance-${name}`).spec.egress.flatMap(({ to = [], ports }) =>
    to.filter(({ ipBlock }) => ipBlock).map(({ ipBlock }) => ({ ...ipBlock, ports: ports.map(({ port }) => port) })),
  );

/** The dashboards of Grafana. */
const dashboardsOf = (objects) =>
  byKind(objects, 'ConfigMap')
    .filter(({ metadata }) => metadata.labels.grafana_dashboard === '1')
    .flatMap(({ data }) => Object.values(data).map((text) => JSON.parse(text)));

/** Whether every selector of a query begins with these matchers. */
const selectsOnly = (query, matchers) => namesIn(query).length === query.split(`{${matchers}`).length - 1;

/**
 * `secrets`: those in the cluster, by name.
 *
 * @type {Record<string, {values: Record<string, string>, apis?: string[], secrets?: Record<string, Record<string, string>>, holds: (objects: any[]) => void}>}
 */
export const good = {
  'no values: engines, secrets and the administrator': {
    values: {},
    holds(objects) {
      restricted(objects);
      policed(objects);
      assert.deepEqual(workloads(objects).map(componentOf).sort(), [...processes, ...engines].sort());
      for (const name of ['mongo', 'nats', 'minio'])
        assert.equal(named(objects, 'StatefulSet', `parlance-${name}`).spec.volumeClaimTemplates.length, 1);
      const secret = named(objects, 'Secret', 'parlance').stringData;
      const passwords = named(objects, 'Secret', 'parlance-engines').stringData;
      assert.match(
        secret['mongodb-uri-vcs-worker'],
        /^mongodb:\/\/parlance:\w{48}@parlance-mongo:27017\/parlance_vcs_worker\?/,
      );
      for (const [key, password] of [
        ['mongodb-uri-hooks', 'mongo-password'],
        ['nats-url', 'nats-password'],
        ['redis-url', 'redis-password'],
        ['s3-secret-key', 'minio-password'],
      ])
        assert.ok(secret[key].includes(passwords[password]), key);
      assert.ok(passwords['nats.conf'].includes(passwords['nats-password']));
      assert.equal(named(objects, 'ConfigMap', 'parlance').data.NATS_NAMESPACE, '');
      assert.equal(Buffer.from(secret['encryption-key'], 'base64').length, 32);
      assert.ok(secret['service-secret'].length >= 32);
      assert.equal(new Set([...Object.values(passwords), secret['service-secret']]).size, 7);
      const [rule] = named(objects, 'Role', 'parlance-administrator').rules;
      assert.deepEqual([rule.resources, rule.resourceNames], [['secrets'], ['parlance-administrator']]);
      assert.equal(byKind(objects, 'Role').length, 1);
      assert.equal(byKind(objects, 'ClusterRole').length, 0);
    },
  },
  'an upgrade keeps the generated secrets': {
    values: {},
    secrets: generated,
    holds(objects) {
      for (const [name, data] of Object.entries(generated))
        for (const [key, value] of Object.entries(data))
          assert.equal(named(objects, 'Secret', name).stringData[key], value, key);
      const { stringData } = named(objects, 'Secret', 'parlance');
      assert.ok(stringData['nats-url'].includes(generated['parlance-engines']['nats-password']));
    },
  },
  'no values: each process gets the secrets that it uses': {
    values: {},
    holds(objects) {
      for (const workload of workloads(objects)) {
        const name = componentOf(workload);
        if (engines.includes(name)) continue;
        const has = (variable) => variable in environmentOf(workload);
        assert.ok(has('PARLANCE_SERVICE_SECRET'), name);
        assert.equal(has('MONGODB_URI'), name !== 'gateway', name);
        assert.equal(has('NATS_URL'), name !== 'gateway', name);
        assert.equal(has('REDIS_URL'), !['statistics', 'hooks'].includes(name), name);
        assert.equal(
          has('PARLANCE_ENCRYPTION_KEY'),
          ['identity', 'catalog', 'translation', 'hooks'].includes(name),
          name,
        );
        assert.equal(has('S3_SECRET_KEY'), name === 'media', name);
      }
    },
  },
  'no values: probes differ, pods are spread, one replica has no disruption budget': {
    values: {},
    holds(objects) {
      for (const name of processes) {
        const { spec } = workloads(objects).find((workload) => componentOf(workload) === name).spec.template;
        const [{ startupProbe, livenessProbe, readinessProbe }] = spec.containers;
        if (name !== 'gateway') assert.deepEqual(startupProbe.exec.command, ['parlance-process', 'started']);
        // The kubelet restarts a container after so many failures: later than any outage lasts.
        assert.ok(startupProbe.periodSeconds * startupProbe.failureThreshold >= 30 * 86_400, name);
        // Succeeds without engines, and brings the reason why a pod is not ready into its events.
        assert.equal(livenessProbe.httpGet.path, '/livez');
        // Restarts of pods that get no processor time would take more of it.
        assert.ok(livenessProbe.periodSeconds * livenessProbe.failureThreshold >= 60);
        assert.equal(readinessProbe.httpGet.path, '/readyz');
        assert.deepEqual(
          spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey),
          ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
        );
      }
      assert.equal(byKind(objects, 'PodDisruptionBudget').length, 0);
      assert.equal(byKind(objects, 'HorizontalPodAutoscaler').length, 0);
    },
  },
  'no values: each vcs-worker has a volume of its own': {
    values: {},
    holds(objects) {
      const { spec } = named(objects, 'StatefulSet', 'parlance-vcs-worker');
      const [{ metadata, spec: claim }, ...others] = spec.volumeClaimTemplates;
      assert.equal(others.length, 0);
      assert.deepEqual(claim, { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } });
      const { volumeMounts } = spec.template.spec.containers[0];
      assert.equal(volumeMounts.find(({ name }) => name === metadata.name).mountPath, '/var/lib/parlance');
      // Clones are a cache: they end with their worker.
      assert.deepEqual(spec.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Delete', whenScaled: 'Delete' });
      assert.equal(spec.podManagementPolicy, 'Parallel');
    },
  },
  'resources and spread of the operator': {
    values: {
      'services.media.resources.limits.memory': '3Gi',
      'services.media.topologySpreadConstraints[0].maxSkew': '2',
      'services.media.topologySpreadConstraints[0].topologyKey': 'example.org/rack',
      'services.media.topologySpreadConstraints[0].whenUnsatisfiable': 'DoNotSchedule',
    },
    holds(objects) {
      const { spec } = named(objects, 'Deployment', 'parlance-media').spec.template;
      const requests = { cpu: '50m', memory: '160Mi' };
      assert.deepEqual(spec.containers[0].resources, { requests, limits: { memory: '3Gi' } });
      assert.deepEqual(spec.topologySpreadConstraints, [
        { maxSkew: 2, topologyKey: 'example.org/rack', whenUnsatisfiable: 'DoNotSchedule' },
      ]);
    },
  },
  'no values: remotes and webhooks are outside private networks': {
    values: {},
    holds(objects) {
      assert.deepEqual(outsideOf(objects, 'catalog'), []);
      for (const [name, ports] of [
        ['vcs-worker', [22, 80, 443, 9418]],
        ['hooks', [80, 443]],
      ]) {
        const [ipv4] = outsideOf(objects, name);
        assert.deepEqual(ipv4.ports, ports);
        for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'])
          assert.ok(ipv4.except.includes(network), network);
      }
    },
  },
  'the address of the mail server is in a Secret': {
    values: { 'smtp.secret': 'company-mail' },
    holds(objects) {
      const addresses = workloads(objects).map((workload) => [
        componentOf(workload),
        environmentOf(workload).PARLANCE_SMTP_URL?.valueFrom.secretKeyRef,
      ]);
      assert.deepEqual(
        addresses.filter(([, address]) => address),
        [['identity', { name: 'company-mail', key: 'smtp-url' }]],
      );
    },
  },
  'the key for ssh remotes is in a Secret': {
    values: { 'git.sshSecret': 'git-keys' },
    holds(objects) {
      restricted(objects);
      const volumesOf = (workload) =>
        workload.spec.template.spec.volumes.filter(({ secret }) => secret?.secretName === 'git-keys');
      const worker = named(objects, 'StatefulSet', 'parlance-vcs-worker');
      assert.deepEqual(
        workloads(objects).filter((workload) => volumesOf(workload).length > 0),
        [worker],
      );
      const [key, knownHosts] = volumesOf(worker);
      assert.deepEqual(key.secret.items, [{ key: 'ssh-privatekey', path: 'ssh-privatekey' }]);
      assert.equal(key.secret.defaultMode, 0o440);
      assert.equal(key.secret.optional, undefined);
      assert.deepEqual(knownHosts.secret.items, [{ key: 'known_hosts', path: 'ssh_known_hosts' }]);
      assert.equal(knownHosts.secret.optional, true);
      const { volumeMounts } = worker.spec.template.spec.containers[0];
      const mountOf = (volume) => volumeMounts.find(({ name }) => name === volume.name);
      assert.deepEqual(mountOf(key), { name: key.name, mountPath: '/etc/parlance/ssh', readOnly: true });
      assert.deepEqual(mountOf(knownHosts), { name: knownHosts.name, mountPath: '/etc/ssh', readOnly: true });
      assert.equal(environmentOf(worker).PARLANCE_SSH_KEY_FILE.value, '/etc/parlance/ssh/ssh-privatekey');
    },
  },
  'private remotes': {
    values: { 'config.PARLANCE_ALLOW_PRIVATE_REMOTES': 'true' },
    holds: (objects) => policed(objects, { privateRemotes: true }),
  },
  'mutual TLS': {
    values: { 'tls.secret': 'parlance-tls' },
    holds(objects) {
      const administrator = named(objects, 'Job', 'parlance-administrator');
      for (const workload of [
        ...workloads(objects).filter((each) => processes.includes(componentOf(each))),
        administrator,
      ]) {
        const { containers, volumes } = workload.spec.template.spec;
        const {
          PARLANCE_TLS_CERT_FILE: cert,
          PARLANCE_TLS_KEY_FILE: key,
          PARLANCE_TLS_CA_FILE: ca,
        } = environmentOf(workload);
        assert.deepEqual(
          [cert.value, key.value, ca.value],
          ['tls.crt', 'tls.key', 'ca.crt'].map((name) => `/etc/parlance/tls/${name}`),
        );
        assert.ok(
          containers[0].volumeMounts.some(({ name, mountPath }) => name === 'tls' && mountPath === '/etc/parlance/tls'),
        );
        assert.equal(volumes.find(({ name }) => name === 'tls').secret.secretName, 'parlance-tls');
      }
    },
  },
  'production: external engines with client certificates': {
    values: { ...production, 'engineTls.secret': 'parlance-engines', 'administrator.create': 'false' },
    holds(objects) {
      restricted(objects);
      const folder = '/etc/parlance/engine-tls';
      const prepare = named(objects, 'Job', 'parlance-prepare');
      for (const workload of [...workloads(objects).filter((each) => each !== prepare), prepare]) {
        const { containers, volumes } = workload.spec.template.spec;
        for (const { env, volumeMounts } of containers) {
          const valueOf = (name) => env.find((each) => each.name === `PARLANCE_ENGINES_TLS_${name}_FILE`)?.value;
          assert.deepEqual(
            ['CERT', 'KEY', 'CA'].map(valueOf),
            ['tls.crt', 'tls.key', 'ca.crt'].map((name) => `${folder}/${name}`),
          );
          assert.ok(volumeMounts.some(({ name, mountPath }) => name === 'engine-tls' && mountPath === folder));
        }
        assert.equal(volumes.find(({ name }) => name === 'engine-tls').secret.secretName, 'parlance-engines');
      }
    },
  },
  'production: external engines with TLS': {
    values: {
      ...production,
      'oidc.secret': 'company-oidc',
      'caBundle.configMap': 'company-ca',
      'caBundle.key': 'bundle.pem',
      'administrator.create': 'false',
    },
    holds(objects) {
      restricted(objects);
      assert.deepEqual(workloads(objects).map(componentOf).sort(), [...processes].sort());
      const secret = named(objects, 'Secret', 'parlance').stringData;
      assert.equal(
        secret['mongodb-uri-vcs-worker'],
        'mongodb://mongo:27017/parlance_vcs_worker?replicaSet=rs0&tls=true',
      );
      assert.equal(secret['encryption-key'], production['secrets.encryptionKey']);
      const jobs = byKind(objects, 'Job');
      assert.deepEqual(
        jobs.map(({ metadata }) => [metadata.name, metadata.annotations['helm.sh/hook']]),
        [['parlance-prepare', 'pre-upgrade']],
      );
      const prepared = jobs[0].spec.template.spec.containers.map(({ name }) => name);
      assert.deepEqual(prepared.sort(), processes.filter((name) => name !== 'gateway').sort());
      for (const workload of workloads(objects)) {
        assert.equal(environmentOf(workload).NODE_EXTRA_CA_CERTS.value, '/etc/parlance/ca/ca.crt');
        const hasClientSecret = 'PARLANCE_OIDC_CLIENT_SECRET_FILE' in environmentOf(workload);
        assert.equal(hasClientSecret, componentOf(workload) === 'identity');
        const volume = workload.spec.template.spec.volumes.find(({ name }) => name === 'ca');
        assert.deepEqual(volume.configMap, { name: 'company-ca', items: [{ key: 'bundle.pem', path: 'ca.crt' }] });
      }
      const { egress } = named(objects, 'NetworkPolicy', 'parlance-media').spec;
      for (const port of [27017, 4222, 443])
        assert.ok(egress.some(({ ports }) => ports.some((each) => each.port === port)));
    },
  },
  'production: event streams have names of their own': {
    values: { ...production, 'administrator.create': 'false' },
    holds: (objects) => assert.equal(named(objects, 'ConfigMap', 'parlance').data.NATS_NAMESPACE, 'trial-parlance'),
  },
  'production: the names of event streams are chosen': {
    values: { ...production, 'administrator.create': 'false', 'nats.namespace': '' },
    holds: (objects) => assert.equal(named(objects, 'ConfigMap', 'parlance').data.NATS_NAMESPACE, ''),
  },
  'production: an existing Secret': {
    values: {
      mode: 'production',
      'secrets.existingSecret': 'mine',
      's3.endpoint': 'https://s3.example.org',
      'administrator.create': 'false',
    },
    holds(objects) {
      assert.equal(byKind(objects, 'Secret').length, 0);
      for (const workload of workloads(objects))
        assert.equal(environmentOf(workload).PARLANCE_SERVICE_SECRET.valueFrom.secretKeyRef.name, 'mine');
    },
  },
  'some external engines': {
    values: {
      'mongodb.uri': 'mongodb://u:p@mongo:27017',
      'services.translation.mongodbUri': 'mongodb://t:pw@other:27017/strings',
    },
    holds(objects) {
      assert.deepEqual(
        workloads(objects)
          .map(componentOf)
          .filter((name) => engines.includes(name))
          .sort(),
        ['minio', 'nats', 'redis'],
      );
      const secret = named(objects, 'Secret', 'parlance').stringData;
      assert.equal(secret['mongodb-uri-translation'], 'mongodb://t:pw@other:27017/strings');
      assert.equal(secret['mongodb-uri-media'], 'mongodb://u:p@mongo:27017/parlance_media');
    },
  },
  'a budget of the operator': {
    values: {
      'services.hooks.podDisruptionBudget.enabled': 'true',
      'services.hooks.podDisruptionBudget.maxUnavailable': '50%',
    },
    holds: (objects) =>
      assert.equal(named(objects, 'PodDisruptionBudget', 'parlance-hooks').spec.maxUnavailable, '50%'),
  },
  'two replicas': {
    values: Object.fromEntries(processes.map((name) => [`services.${name}.replicas`, '2'])),
    holds(objects) {
      assert.equal(byKind(objects, 'PodDisruptionBudget').length, 8);
      for (const { spec } of byKind(objects, 'PodDisruptionBudget')) assert.equal(spec.maxUnavailable, 1);
      for (const { metadata, spec } of byKind(objects, 'Deployment')) {
        assert.equal(spec.replicas, 2, metadata.name);
        assert.equal(spec.minReadySeconds, 15, metadata.name);
        assert.deepEqual(spec.strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
      }
    },
  },
  'autoscaling by CPU': {
    values: {
      'services.gateway.autoscaling.enabled': 'true',
      'services.gateway.autoscaling.minReplicas': '2',
      'services.vcs-worker.autoscaling.enabled': 'true',
      'keda.prometheusAddress': 'http://prometheus:9090',
    },
    holds(objects) {
      assert.equal(byKind(objects, 'HorizontalPodAutoscaler').length, 2);
      assert.equal(named(objects, 'Deployment', 'parlance-gateway').spec.replicas, undefined);
      const budgets = byKind(objects, 'PodDisruptionBudget');
      assert.deepEqual(budgets.map(({ metadata }) => metadata.name).sort(), [
        'parlance-gateway',
        'parlance-vcs-worker',
      ]);
      // With one pod at the moment, a budget of minAvailable would block the eviction.
      for (const { spec } of budgets) assert.deepEqual([spec.maxUnavailable, spec.minAvailable], [1, undefined]);
    },
  },
  'autoscaling up to one pod needs no disruption budget': {
    values: { 'services.hooks.autoscaling.enabled': 'true', 'services.hooks.autoscaling.maxReplicas': '1' },
    holds: (objects) => assert.equal(byKind(objects, 'PodDisruptionBudget').length, 0),
  },
  'autoscaling by the queue, with KEDA': {
    values: {
      fullname: 'strings',
      'services.vcs-worker.autoscaling.enabled': 'true',
      'services.vcs-worker.autoscaling.maxReplicas': '3',
      'keda.prometheusAddress': 'http://prometheus:9090',
      'podMonitor.enabled': 'true',
    },
    apis: ['keda.sh/v1alpha1'],
    holds(objects) {
      assert.equal(byKind(objects, 'HorizontalPodAutoscaler').length, 0);
      const { triggers, maxReplicaCount } = named(objects, 'ScaledObject', 'strings-parlance-vcs-worker').spec;
      assert.equal(maxReplicaCount, 3);
      named(objects, 'PodDisruptionBudget', 'strings-parlance-vcs-worker');
      const labels = '{namespace="trial",release="strings",component="vcs-worker"}';
      assert.deepEqual(
        triggers
          .filter(({ type }) => type === 'prometheus')
          .map(({ metadata, metricType }) => [metadata.query, metricType]),
        [
          [`max(parlance_tasks_oldest_waiting_age_seconds${labels})`, 'Value'],
          [`max(parlance_consumer_lag_events${labels})`, 'AverageValue'],
        ],
      );
      const [{ relabelings }] = named(objects, 'PodMonitor', 'strings-parlance').spec.podMetricsEndpoints;
      const sources = Object.fromEntries(
        relabelings.map(({ targetLabel, sourceLabels }) => [targetLabel, sourceLabels]),
      );
      assert.deepEqual(sources, {
        component: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'],
        release: ['__meta_kubernetes_pod_label_app_kubernetes_io_instance'],
      });
      for (const { spec } of workloads(objects))
        assert.equal(spec.template.metadata.labels['app.kubernetes.io/instance'], 'strings');
    },
  },
  'a gateway for some peers admits the pod of helm test': {
    values: { 'networkPolicy.gatewayFrom[0].namespaceSelector.matchLabels.name': 'ingress' },
    holds(objects) {
      const { ingress } = named(objects, 'NetworkPolicy', 'parlance-gateway').spec;
      const peers = ingress.filter(({ ports }) => ports[0].port === 'http').flatMap(({ from }) => from);
      assert.deepEqual(peers[0], { namespaceSelector: { matchLabels: { name: 'ingress' } } });
      const test = named(objects, 'Pod', 'parlance-test').metadata.labels;
      const { matchLabels } = peers[1].podSelector;
      assert.equal(matchLabels['app.kubernetes.io/component'], 'test');
      for (const [label, value] of Object.entries(matchLabels)) assert.equal(test[label], value);
    },
  },
  'no values: DNS is allowed at any address': {
    values: {},
    holds(objects) {
      for (const name of [...processes, 'administrator', 'prepare', 'test']) {
        const [dns] = named(objects, 'NetworkPolicy', `parlance-${name}`).spec.egress;
        assert.deepEqual(dns, { ports: ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol })) }, name);
      }
    },
  },
  'DNS at some addresses': {
    values: { 'networkPolicy.dns.to[0].ipBlock.cidr': '169.254.20.10/32', 'networkPolicy.dns.ports[0]': '5353' },
    holds(objects) {
      for (const name of [...processes, 'administrator', 'prepare', 'test']) {
        const [dns] = named(objects, 'NetworkPolicy', `parlance-${name}`).spec.egress;
        const ports = ['UDP', 'TCP'].map((protocol) => ({ port: 5353, protocol }));
        assert.deepEqual(dns, { ports, to: [{ ipBlock: { cidr: '169.254.20.10/32' } }] }, name);
      }
    },
  },
  'everything that is off by default': {
    values: {
      'ingress.enabled': 'true',
      'ingress.host': 'api.example.org',
      'ingress.className': 'nginx',
      'ingress.tlsSecret': 'tls',
      'gatewayApi.enabled': 'true',
      'gatewayApi.parentRefs[0].name': 'public',
      'gatewayApi.hostnames[0]': 'strings.example.org',
      'allowedHosts[0]': 'other.example.org',
      'podMonitor.enabled': 'true',
      'prometheusRule.enabled': 'true',
      'dashboards.enabled': 'true',
      'priorityClasses.create': 'true',
      'services.vcs-worker.persistence.storageClass': 'fast',
      'engines.storageClass': 'safe',
      'config.PARLANCE_RATE_LIMIT_ANONYMOUS': '10/day',
    },
    holds(objects) {
      const { data } = named(objects, 'ConfigMap', 'parlance');
      assert.match(
        data.PARLANCE_ALLOWED_HOSTS,
        /^other\.example\.org,api\.example\.org,strings\.example\.org,parlance-gateway,/,
      );
      assert.equal(data.PARLANCE_RATE_LIMIT_ANONYMOUS, '10/day');
      assert.deepEqual(named(objects, 'HTTPRoute', 'parlance').spec.hostnames, ['strings.example.org']);
      assert.equal(named(objects, 'Ingress', 'parlance').spec.tls[0].secretName, 'tls');
      const { groups } = named(objects, 'PrometheusRule', 'parlance').spec;
      assert.ok(groups.flatMap(({ rules }) => rules).some(({ alert }) => alert === 'ProcessDown'));
      assert.equal(dashboardsOf(objects).length, 6);
      const storageClassOf = (name) =>
        named(objects, 'StatefulSet', `parlance-${name}`).spec.volumeClaimTemplates[0].spec.storageClassName;
      assert.deepEqual(['vcs-worker', 'mongo', 'nats', 'minio'].map(storageClassOf), ['fast', 'safe', 'safe', 'safe']);
      const classes = byKind(objects, 'PriorityClass').map(({ metadata }) => metadata.name);
      for (const workload of workloads(objects)) {
        const { priorityClassName } = workload.spec.template.spec;
        if (!engines.includes(componentOf(workload))) assert.ok(classes.includes(priorityClassName), priorityClassName);
      }
      const { ingress } = named(objects, 'NetworkPolicy', 'parlance-hooks').spec;
      assert.ok(ingress.some(({ ports }) => ports[0].port === 'operations'));
    },
  },
  'rules and dashboards select the series that the PodMonitor labels for this release': {
    values: {
      fullname: 'other',
      'podMonitor.enabled': 'true',
      'prometheusRule.enabled': 'true',
      'dashboards.enabled': 'true',
    },
    holds(objects) {
      const selector = 'namespace="trial",release="other"';
      const rules = named(objects, 'PrometheusRule', 'other-parlance').spec.groups.flatMap((group) => group.rules);
      for (const { alert, record, expr, labels } of rules) {
        assert.ok(selectsOnly(expr, selector), `${alert ?? record}: ${expr}`);
        assert.deepEqual([labels.namespace, labels.release], ['trial', 'other'], alert ?? record);
      }
      const dashboards = dashboardsOf(objects);
      for (const { title, tags, panels } of dashboards) {
        assert.match(title, / \(trial\/other\)$/);
        assert.ok(tags.includes('trial/other'));
        for (const { expr } of panels.flatMap(({ targets }) => targets)) assert.ok(selectsOnly(expr, selector), expr);
      }
      assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, 6);
      for (const { data } of byKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.labels.grafana_dashboard))
        assert.match(Object.keys(data)[0], /^parlance-\w+-[0-9a-f]{8}\.json$/);
      assert.ok(!JSON.stringify(objects).includes('<namespace>') && !JSON.stringify(objects).includes('<release>'));
    },
  },
  'two installations in one namespace have nothing in common': {
    values: { fullname: 'other' },
    holds(objects) {
      for (const object of objects) assert.match(object.metadata.name, /^other-parlance/);
      for (const { spec } of byKind(objects, 'Service'))
        assert.equal(spec.selector['app.kubernetes.io/instance'], 'other');
      assert.match(named(objects, 'Secret', 'other-parlance').stringData['nats-url'], /@other-parlance-nats:4222$/);
    },
  },
};

/**
 * Values that must be rejected, and a part of the message.
 *
 * @type {Record<string, [values: Record<string, string>, message: string]>}
 */
export const bad = {
  'production without addresses': [{ mode: 'production' }, 'set mongodb.uri, nats.url'],
  'production without a database': [{ ...production, 'mongodb.uri': '' }, 'set mongodb.uri, or secrets.existingSecret'],
  'an S3 store without a credential': [{ 's3.endpoint': 'http://minio:9000' }, 's3.accessKey'],
  'an existing Secret without an S3 store': [{ 'secrets.existingSecret': 'mine' }, 's3.endpoint'],
  'a short secret': [{ 'secrets.serviceSecret': 'short' }, 'secrets.serviceSecret must have at least 32 characters'],
  'a short key': [{ 'secrets.encryptionKey': 'c2hvcnQ=' }, 'secrets.encryptionKey must be 32 bytes in Base64'],
  'an address of another database': [{ 'mongodb.uri': 'postgres://db' }, 'mongodb.uri must start with mongodb://'],
  'an address of another database for a service': [
    { 'services.media.mongodbUri': 'postgres://db' },
    'services.media.mongodbUri must start with mongodb://',
  ],
  'an event server without a scheme': [{ 'nats.url': 'nats:4222' }, 'nats.url must start with nats://'],
  'a Redis server without a scheme': [{ 'redis.url': 'redis:6379' }, 'redis.url must start with redis://'],
  'an S3 store without a scheme': [{ 's3.endpoint': 'minio:9000' }, 's3.endpoint must start with https://'],
  'a Prometheus without a scheme': [
    { 'keda.prometheusAddress': 'prometheus:9090' },
    'keda.prometheusAddress must start with https://',
  ],
  'more pods at least than at most': [
    { 'services.hooks.autoscaling.enabled': 'true', 'services.hooks.autoscaling.minReplicas': '6' },
    'minReplicas, or replicas where it is not set), 6, must not exceed maxReplicas, 5',
  ],
  'more replicas than autoscaling allows': [
    {
      'services.vcs-worker.autoscaling.enabled': 'true',
      'services.vcs-worker.replicas': '4',
      'services.vcs-worker.autoscaling.maxReplicas': '3',
    },
    'services.vcs-worker.autoscaling: the fewest pods',
  ],
  'an ingress for the example host': [{ 'ingress.enabled': 'true' }, 'ingress.enabled needs ingress.host'],
  'a route for the example host': [
    {
      'gatewayApi.enabled': 'true',
      'gatewayApi.parentRefs[0].name': 'public',
      'gatewayApi.hostnames[0]': 'parlance.example.org',
    },
    'gatewayApi.enabled needs hosts of your own',
  ],
  'resources with a typo': [{ 'services.gateway.resources.request.cpu': '1' }, 'request'],
  'resources of an engine with a typo': [{ 'engines.mongo.resources.limits.mem': '1Gi' }, 'mem'],
  'memory of no size': [{ 'services.gateway.resources.limits.memory': '1GB' }, 'memory'],
  'a budget that blocks evictions': [{ 'services.hooks.podDisruptionBudget.maxUnavailable': '0' }, 'maxUnavailable'],
  'an unknown mode': [{ mode: 'trial' }, 'mode'],
  'an unknown value': [{ replicas: '2' }, 'replicas'],
  'an unknown value of a process': [{ 'services.gateway.replica': '2' }, 'replica'],
  'an unknown process': [{ 'services.mailer.replicas': '1' }, 'mailer'],
  'a setting that is no variable': [{ 'config.lower': '1' }, 'lower'],
  'a database of the gateway': [{ 'services.gateway.mongodbUri': 'mongodb://mongo' }, 'mongodbUri'],
  'a mail server in a Secret and in plain text': [
    { 'smtp.secret': 'company-mail', 'config.PARLANCE_SMTP_URL': 'smtp://mail' },
    'smtp.secret sets PARLANCE_SMTP_URL',
  ],
  'a key for ssh remotes in a Secret and by path': [
    { 'git.sshSecret': 'git-keys', 'services.vcs-worker.env.PARLANCE_SSH_KEY_FILE': '/key' },
    'git.sshSecret sets PARLANCE_SSH_KEY_FILE',
  ],
  'two certificate bundles': [{ 'caBundle.configMap': 'a', 'caBundle.secret': 'b' }, 'caBundle'],
  'a route without a Gateway': [{ 'gatewayApi.enabled': 'true' }, 'gatewayApi.parentRefs'],
  'a stream name with dots': [{ 'nats.namespace': 'one.two' }, 'namespace'],
  'a volume of no size': [{ 'engines.mongo.size': 'large' }, 'size'],
};
