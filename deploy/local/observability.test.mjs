import { existsSync } from 'node:fs';
import { membersOf, readReplicas } from './processes.mjs';
import { containerArgs, ports, prometheusConfig, tools } from './observability.mjs';

describe('npm start -- --observability', () => {
  it('scrapes every replica under the name of its process, with the alerts', () => {
    const members = membersOf(readReplicas('translation=2'));
    const operations = Object.fromEntries(Object.keys(members).map((name, i) => [name, `127.0.0.1:${9000 + i}`]));
    const config = prometheusConfig(members, operations);
    for (const address of Object.values(operations)) expect(config).toContain(address);
    expect(config.match(/component: "?translation"?$/gm)).toHaveLength(2);
    const rules = /^rule_files:\s+- '([^'\n]+)'$/m.exec(config)?.[1];
    expect(existsSync(String(rules))).toBe(true);
  });

  it('npm start -- --observability listens on the loopback address only, without a login that changes anything', () => {
    const { prometheus, grafana, traces } = tools('/state');
    expect(traces.env).toMatchObject({ JAEGER_LISTEN_HOST: '127.0.0.1' });
    expect(prometheus.args).toContain(`--web.listen-address=127.0.0.1:${ports.prometheus}`);
    expect(grafana.env).toMatchObject({ GF_SERVER_HTTP_ADDR: '127.0.0.1', GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer' });
    expect(existsSync(grafana.env.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH)).toBe(true);
  });

  it('npm start -- --observability runs in containers that see the paths of the machine', () => {
    const { prometheus } = tools('/state');
    const args = containerArgs('prometheus', prometheus, 'prom/prometheus:v3', '/state');
    expect(args).toEqual(expect.arrayContaining(['--network', 'host', '/state:/state', 'prom/prometheus:v3']));
    expect(args.at(args.indexOf('prom/prometheus:v3') + 1)).toBe('--config.file=/state/prometheus.yaml');
  });
});
