// npm start -- --observability: Prometheus with the alerts, Grafana with the dashboards, and Jaeger, beside the processes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, onPath, run, say } from '../engines/process.mjs';
import { toYaml } from '../observability/yaml.mjs';

const source = fileURLToPath(new URL('../observability', import.meta.url));

/** Ports on the loopback address. They are fixed: one installation of a machine can have these tools at a time. */
export const ports = { prometheus: 9091, grafana: 3000, traces: 16686, otlp: 4318 };

/** Image of a service of ../observability/compose.yaml. */
const imageOf = (service) =>
  new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    image: (\\S+)$`, 'm').exec(
    readFileSync(join(source, 'compose.yaml'), 'utf8'),
  )?.[1];

/**
 * The configuration of Prometheus.
 * @param {Record<string, { kind: string }>} members as membersOf returns them
 * @param {Record<string, string>} operations addresses by member
 */
export function prometheusConfig(members, operations) {
  const targets = Object.entries(operations).map(([name, address]) => ({
    targets: [address],
    labels: { component: members[name].kind },
  }));
  return toYaml({
    global: { scrape_interval: '5s', evaluation_interval: '15s' },
    rule_files: [join(source, 'prometheus/rules.yaml')],
    scrape_configs: [{ job_name: 'parlance', static_configs: targets }],
  });
}

/** Data sources and dashboards of Grafana: those of compose with local addresses. @returns contents by path */
function grafanaProvisioning() {
  const text = (path) => readFileSync(join(source, 'grafana/provisioning', path), 'utf8');
  return {
    'datasources/parlance.yaml': text('datasources/parlance.yaml')
      .replace('http://prometheus:9090', `http://127.0.0.1:${ports.prometheus}`)
      .replace('http://traces:16686', `http://127.0.0.1:${ports.traces}`),
    'dashboards/parlance.yaml': text('dashboards/parlance.yaml').replace(
      '/etc/parlance-dashboards',
      join(source, 'grafana/dashboards'),
    ),
  };
}

/**
 * The tools: how each is started, on the PATH or in a container. They hold what they store in `state`.
 * @param {string} state folder of this installation
 */
export function tools(state) {
  const data = (name) => join(state, name);
  return {
    traces: {
      program: 'jaeger',
      args: [`--config=${join(source, 'jaeger.yaml')}`],
      // The image listens on all addresses by default.
      env: { JAEGER_LISTEN_HOST: '127.0.0.1', JAEGER_DATA: data('traces') },
    },
    prometheus: {
      program: 'prometheus',
      args: [
        `--config.file=${join(state, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${data('prometheus')}`,
        `--web.listen-address=127.0.0.1:${ports.prometheus}`,
        '--enable-feature=exemplar-storage',
      ],
      env: {},
    },
    grafana: {
      program: 'grafana',
      args: [],
      env: {
        GF_SERVER_HTTP_ADDR: '127.0.0.1',
        GF_SERVER_HTTP_PORT: String(ports.grafana),
        GF_PATHS_DATA: data('grafana'),
        GF_PATHS_PROVISIONING: join(state, 'provisioning'),
        GF_AUTH_ANONYMOUS_ENABLED: 'true',
        GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
        GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: join(source, 'grafana/dashboards/parlance-overview.json'),
        GF_ANALYTICS_REPORTING_ENABLED: 'false',
        GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
        GF_PLUGINS_PREINSTALL_DISABLED: 'true',
      },
    },
  };
}

/** Arguments of `docker run` for a tool. It shares the network of the machine and sees the same paths. */
export function containerArgs(name, { args, env }, image, state) {
  const mounts = [`${source}:${source}:ro`, `${state}:${state}`].flatMap((mount) => ['--volume', mount]);
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const identity = ['--rm', '--name', `parlance-${name}-${ports[name]}`, '--user', user, '--network', 'host'];
  return ['run', ...identity, ...mounts, ...variables, image, ...args];
}

/** The command that starts a tool; undefined with a message if it is neither installed nor can its image be pulled. */
async function commandOf(name, tool, state) {
  if (name !== 'grafana' && (await onPath(tool.program))) return [tool.program, ...tool.args];
  const image = imageOf(name);
  const pulled =
    (await attempt('docker', ['image', 'inspect', '--format', '{{.Id}}', image])) ??
    (await run('docker', ['pull', '--quiet', image], { timeout: 600000, firstOutput: 120000 }).catch(() => undefined));
  if (pulled === undefined) {
    say(
      `${name} is left out: the image ${image} cannot be pulled${name === 'grafana' ? '' : `, and ${tool.program} is not installed`}.`,
    );
    return undefined;
  }
  // One is left over if the last start was killed.
  await attempt('docker', ['rm', '--force', `parlance-${name}-${ports[name]}`]);
  return ['docker', ...containerArgs(name, tool, image, state)];
}

/**
 * Prepares the tools.
 * @param {string} state folder for their configuration and data
 * @returns the commands to supervise by name, and the environment that makes processes send traces
 */
export async function prepareObservability(state) {
  const commands = /** @type {Record<string, { command: string[], env: Record<string, string> }>} */ ({});
  mkdirSync(state, { recursive: true });
  for (const [path, text] of Object.entries(grafanaProvisioning())) {
    const file = join(state, 'provisioning', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [name, tool] of Object.entries(tools(state))) {
    mkdirSync(join(state, name), { recursive: true });
    const command = await commandOf(name, tool, state);
    if (command) commands[name] = { command, env: tool.env };
  }
  const sends = commands.traces && !process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const environment = /** @type {Record<string, string>} */ ({});
  if (sends) environment.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${ports.otlp}`;
  return { commands, environment };
}

/** Starts the prepared tools. @returns lines that name their addresses */
export function startObservability({ commands }, state, { supervisor, members, operations }) {
  writeFileSync(join(state, 'prometheus.yaml'), prometheusConfig(members, operations));
  for (const [name, { command, env }] of Object.entries(commands))
    supervisor.start(name, command, state, { ...process.env, ...env });
  const titles = { grafana: 'Dashboards', prometheus: 'Metrics and alerts', traces: 'Traces' };
  return Object.keys(titles)
    .filter((name) => commands[name])
    .map((name) => `${titles[name]}: http://localhost:${ports[name]}/\n`);
}
