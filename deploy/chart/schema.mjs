// What each value of the chart means. generate.mjs writes values.schema.json and the table of the chart’s README.md from it.

const text = (description, rest = {}) => ({ type: 'string', description, ...rest });
const whole = (description, rest = {}) => ({ type: 'integer', description, ...rest });
const flag = (description) => ({ type: 'boolean', description });
const anything = (description) => ({ type: 'object', description });
const list = (description, items) => ({ type: 'array', description, ...(items && { items }) });
const texts = (description) => ({ type: 'object', description, additionalProperties: { type: 'string' } });

/** An object whose unknown keys are refused. */
const object = (description, properties, rest = {}) => ({
  type: 'object',
  ...(description && { description }),
  additionalProperties: false,
  properties,
  ...rest,
});

const environment = (description) => ({
  type: 'object',
  description,
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
});
const bytes = String.raw`^\d+(\.\d+)?([kMGTPE]|[KMGTPE]i)?$`;
const quantity = (description) => text(description, { pattern: bytes });
/** Requests and limits of a container: a definition, so that the table of values has one row for them. */
const resources = (description) => ({ $ref: '#/definitions/resources', description });
const amounts = object('', {
  cpu: { type: ['string', 'number'], pattern: String.raw`^\d+(\.\d+)?m?$` },
  memory: { type: ['string', 'integer'], pattern: bytes },
  'ephemeral-storage': { type: ['string', 'integer'], pattern: bytes },
});
const port = { type: 'integer', minimum: 1, maximum: 65535 };

const ofService = {
  replicas: whole('Pods; ignored while autoscaling is on.', { minimum: 0 }),
  resources: resources('`requests` and `limits` of a pod: `cpu`, `memory` and `ephemeral-storage`.'),
  env: environment('Environment of this process only.'),
  podAnnotations: texts('Annotations of the pods.'),
  nodeSelector: texts('Labels of the nodes that may run it.'),
  tolerations: list('Taints that it tolerates.'),
  affinity: anything('Affinity of the pods.'),
  topologySpreadConstraints: list('Spread of the pods; by default over nodes and zones, as far as possible.'),
  priorityClassName: text('Priority class of the pods; takes precedence over `priorityClasses`.'),
  podDisruptionBudget: object('', {
    enabled: flag('By default on if `replicas` or `autoscaling.maxReplicas` is more than 1.'),
    maxUnavailable: {
      type: ['integer', 'string'],
      minimum: 1,
      pattern: '^([1-9][0-9]?|100)%$',
      description: 'Pods that may be evicted at a time, or percent of them; 1 by default.',
    },
  }),
  autoscaling: object('', {
    enabled: flag('Scales by load of the CPU; vcs-worker also by its queue, see `keda`.'),
    minReplicas: whole('Fewest pods; `replicas` by default.', { minimum: 1 }),
    maxReplicas: whole('Most pods; 5 by default.', { minimum: 1 }),
    cpu: whole('Target of the requested CPU, in percent; 70 by default.', { minimum: 1, maximum: 100 }),
  }),
};
const mongodbUri = text('Address of this service’s own database, with its own credential.');
const service = (more) => object('', { ...ofService, ...more }, { required: ['replicas'] });
const engine = (more = {}) =>
  object('', {
    image: text('Image of the engine.', { minLength: 1 }),
    ...more,
    resources: resources('Its `requests` and `limits`.'),
  });
const stored = () => engine({ size: quantity('Size of its volume.') });
const external = (title) =>
  object('', {
    ports: list(`Ports of an external ${title}.`, port),
    to: list(`Peers of a NetworkPolicy that an external ${title} belongs to; empty: any address.`),
  });

export const properties = {
  global: anything('Values that Helm shares between charts; not used.'),
  mode: {
    enum: ['evaluation', 'production'],
    description:
      '`evaluation` installs every engine that has no address, one pod each, and generates secrets. `production` does neither.',
  },
  image: object('', {
    repository: text('Prefix of the images: `PREFIX/gateway`, `PREFIX/identity` ...', { minLength: 1 }),
    tag: text(
      'Tag of the images; empty: the version of the chart’s application. Older images lack what this chart asks them for.',
    ),
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'], description: 'When images are pulled.' },
  }),
  imagePullSecrets: list(
    'Secrets for a registry that needs a login.',
    object('', { name: text('Name of the Secret.') }, { required: ['name'] }),
  ),
  mongodb: object('', {
    uri: text('MongoDB server; every service uses its own database there. `mongodb+srv://` and `?tls=true` work, too.'),
  }),
  nats: object('', {
    url: text('NATS server with JetStream: `nats://` or `tls://`.'),
    replicas: whole('Replicas of each event stream.', { minimum: 1, maximum: 5 }),
    namespace: text(
      'Part of the names of event streams, so that installations can share a NATS account; `auto`: none on the chart’s own server, `NAMESPACE-NAME` of the installation on another.',
      { pattern: '^[A-Za-z0-9_-]{0,120}$' },
    ),
  }),
  redis: object('', { url: text('Redis or Valkey server: `redis://` or `rediss://`.') }),
  s3: object('', {
    endpoint: text('S3 store: `https://` or `http://`.'),
    accessKey: text('Name of its credential.'),
    secretKey: text('Secret of its credential.'),
    bucket: text('Bucket of the screenshots.', { pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    region: text('Region of the bucket.'),
    virtualHosts: flag('Whether the bucket is part of the host name, as on Amazon S3.'),
  }),
  engines: object('', {
    storageClass: text('Storage class of the engines’ volumes; empty: the cluster’s default.'),
    mongo: stored(),
    nats: stored(),
    redis: engine(),
    minio: stored(),
  }),
  secrets: object('', {
    existingSecret: text(
      'A Secret of yours instead of the chart’s, with the keys `service-secret`, `encryption-key`, `nats-url`, `redis-url`, `s3-access-key`, `s3-secret-key` and `mongodb-uri-NAME` of each service. Pods are not replaced when it changes.',
    ),
    serviceSecret: text('Signs callers between processes: at least 32 characters; several are separated by commas.'),
    encryptionKey: text('Encrypts secrets at rest: 32 bytes in Base64; several are separated by commas.'),
  }),
  caBundle: object('', {
    configMap: text('ConfigMap with certificates (PEM) that processes trust besides the public ones.'),
    secret: text('A Secret instead.'),
    key: text('Its key.', { minLength: 1 }),
  }),
  tls: object('', {
    secret: text(
      'Secret with `tls.crt`, `tls.key` and `ca.crt`, such as cert-manager writes: processes call each other with mutual TLS. The certificate names all services, `RELEASE-NAME-pods`. Empty: plaintext.',
    ),
  }),
  engineTls: object('', {
    secret: text(
      'Secret with `tls.crt`, `tls.key` and `ca.crt`: the client certificate for engines whose addresses use TLS, and the authority that is trusted for them besides the public ones. Empty: no client certificate.',
    ),
  }),
  oidc: object('', {
    secret: text(
      'Secret with the client secret of the OpenID Connect provider. `config` has its other settings, `networkPolicy.extraEgress` its port.',
    ),
    key: text('Its key.', { minLength: 1 }),
  }),
  smtp: object('', {
    secret: text(
      'Secret with the address of the mail server and its password: `smtps://USER:PASSWORD@HOST`. Empty: `PARLANCE_SMTP_URL` in `config`, or no mail server. Pods are not replaced when it changes.',
    ),
    key: text('Its key.', { minLength: 1 }),
  }),
  git: object('', {
    sshSecret: text(
      'Secret with the private key for ssh remotes, `ssh-privatekey`, and optionally the keys of their hosts, `known_hosts`. Empty: no key.',
    ),
  }),
  administrator: object('', {
    create: flag('Creates the user `admin` and writes its token to a Secret, with a Job after installation.'),
  }),
  upgrade: object('', {
    prepare: flag('Creates the indexes of a new version before its processes start, with a Job.'),
  }),
  config: environment('Environment of all processes: the settings of docs/settings.md.'),
  allowedHosts: list(
    'Hosts that requests may name besides those of the ingress, the route and the gateway: names without ports, `.example.org`, or `*`.',
    { type: 'string', pattern: String.raw`^[^,\s:/]+$|^\[[0-9a-fA-F:.]+\]$` },
  ),
  services: object('', {
    gateway: service({}),
    identity: service({ mongodbUri }),
    catalog: service({ mongodbUri }),
    translation: service({ mongodbUri }),
    'vcs-worker': service({
      mongodbUri,
      persistence: object('', {
        size: quantity('Volume of each worker. Clones are a cache and can be recreated.'),
        storageClass: text('Storage class; empty: the cluster’s default.'),
      }),
    }),
    media: service({ mongodbUri }),
    statistics: service({ mongodbUri }),
    hooks: service({ mongodbUri }),
  }),
  drainSeconds: whole('Time limit for running requests after SIGTERM.', { minimum: 1, maximum: 600 }),
  priorityClasses: object('', {
    create: flag('Creates two priority classes and uses them.'),
    serving: whole('Priority of processes that answer requests.', { minimum: 0 }),
    background: whole('Priority of vcs-worker and hooks.', { minimum: 0 }),
  }),
  keda: object('', {
    prometheusAddress: text(
      'Prometheus that KEDA asks. With it, KEDA in the cluster, and `services.vcs-worker.autoscaling`, workers are scaled by their queue. Metrics need the labels `namespace`, `release` and `component`, which the chart’s PodMonitor adds.',
    ),
    lag: whole('Waiting events per worker from which on KEDA adds workers: those of the consumer with the most.', {
      minimum: 1,
    }),
    waitingSeconds: whole('Age of the oldest waiting task, in seconds, from which on KEDA adds workers.', {
      minimum: 1,
    }),
  }),
  gatewayService: object('', {
    type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'], description: 'Type of the gateway’s Service.' },
    port: { ...port, description: 'Its port.' },
    annotations: texts('Its annotations.'),
  }),
  ingress: object('', {
    enabled: flag('Creates an Ingress.'),
    className: text('Its class.'),
    annotations: texts('Its annotations.'),
    host: text('Its host; the default is an example and refused.', { minLength: 1 }),
    tlsSecret: text('Secret with its certificate; empty: no TLS.'),
  }),
  gatewayApi: object('', {
    enabled: flag('Creates an HTTPRoute.'),
    parentRefs: list('Gateways that it belongs to.', { type: 'object' }),
    hostnames: list('Its hosts.', { type: 'string', minLength: 1 }),
  }),
  serviceAccount: object('', {
    create: flag('Creates the service account of the pods. It has no token.'),
    name: text('Its name; empty: the installation’s.'),
    annotations: texts('Its annotations.'),
  }),
  networkPolicy: object('', {
    enabled: flag('Denies all traffic of the pods but that of the architecture.'),
    gatewayFrom: list('Peers that reach the gateway; empty: all.'),
    operationsFrom: list('Peers that reach `/metrics`; empty: none, or all while `podMonitor` is on.'),
    remotePorts: list('Ports of git remotes.', port),
    webPorts: list('Ports of webhooks and machine translation.', port),
    mailPorts: list('Ports of the mail server.', port),
    privateRanges: list(
      'Networks that no outgoing connection reaches, unless `PARLANCE_ALLOW_PRIVATE_REMOTES` is set.',
      {
        type: 'string',
        pattern: String.raw`^\d+(\.\d+){3}/\d+$`,
      },
    ),
    extraEgress: list('Further egress rules of every process, such as for the collector of traces.'),
    dns: object('', {
      // A rule without ports would allow all of them.
      ports: { ...list('Ports of the DNS servers; OpenShift uses 5353.', port), minItems: 1 },
      to: list('Peers of a NetworkPolicy that the DNS servers belong to; empty: any address.'),
    }),
    engines: object('', {
      mongodb: external('MongoDB'),
      nats: external('NATS'),
      redis: external('Redis'),
      s3: external('S3 store'),
    }),
  }),
  podMonitor: object('', {
    enabled: flag('Creates a PodMonitor of the Prometheus operator.'),
    interval: text('Time between two scrapes.', { pattern: String.raw`^\d+(ms|s|m|h)$` }),
    labels: texts('Its labels.'),
  }),
  prometheusRule: object('', {
    enabled: flag(
      'Creates a PrometheusRule with all alerts, for the series with the labels `namespace`, `release` and `component` that the PodMonitor adds.',
    ),
    labels: texts('Its labels.'),
  }),
  dashboards: object('', {
    enabled: flag('Creates a ConfigMap for each Grafana dashboard, which show the series with the same labels.'),
    labels: texts('Labels by which Grafana’s sidecar finds them.'),
  }),
};

export const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the Parlance chart',
  type: 'object',
  additionalProperties: false,
  properties,
  definitions: { resources: object('', { requests: amounts, limits: amounts }) },
};
