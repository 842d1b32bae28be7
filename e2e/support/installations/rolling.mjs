// A system with two replicas of every process, whose processes can be replaced one after the other, as a rolling upgrade does.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideEngines } from '../../../deploy/engines/engines.mjs';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { run, sleep } from '../../../deploy/engines/process.mjs';
import { environments, membersOf, readReplicas } from '../../../deploy/local/processes.mjs';
import { eventually } from '../api.mjs';
import { readinessOf } from '../readiness.mjs';
import { callersOf } from './connections.mjs';
import { removeEngines } from './engines.mjs';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 180_000;

const isReady = async (address) => (await readinessOf(address)) === 200;

export class RollingSystem {
  #children = new Map();
  #engines;
  #options;
  #grpc = /** @type {Record<string, string>} */ ({});
  #operations = /** @type {Record<string, string>} */ ({});
  #gateways = /** @type {Record<string, string>} */ ({});
  #workDirs = /** @type {Record<string, string>} */ ({});
  #members = membersOf(readReplicas('2'));
  url = '';
  /** Names of processes that ended on their own; they were started again. */
  crashes = /** @type {string[]} */ ([]);

  /**
   * @param {object} options
   * @param {string} options.dataDir
   * @param {string} [options.root] checkout whose build runs
   * @param {{service: string, encryption: string}} options.secrets
   * @param {Record<string, string>} [options.env]
   * @param {Record<string, string>} [options.engines] addresses of the engines; default: those of the data directory
   */
  constructor({ dataDir, root = here, secrets, env = {}, engines = {} }) {
    this.#options = { dataDir, root, secrets, env, engines };
  }

  /** Addresses of the engines. */
  get engines() {
    return this.#engines;
  }

  /** Starts all processes and waits until they are ready. @param options as of the constructor */
  async start(options = {}) {
    const { dataDir } = this.#options;
    mkdirSync(join(dataDir, 'log'), { recursive: true });
    this.#engines = (await provideEngines(dataDir)).environment;
    const free = async () => `127.0.0.1:${await freePort()}`;
    const port = await freePort();
    this.url = `http://localhost:${port}`;
    for (const [name, { kind }] of Object.entries(this.#members)) {
      if (kind === 'gateway') this.#gateways[name] = await free();
      else this.#grpc[name] = await free();
      this.#operations[name] = await free();
      if (kind === 'vcs-worker') this.#workDirs[name] = join(dataDir, `repositories-${name}`);
    }
    // As `npm start` writes it, for the operator's command.
    const state = {
      url: this.url,
      processes: {},
      grpc: this.#grpc,
      operations: this.#operations,
      natsUrl: this.#engines.NATS_URL,
    };
    writeFileSync(join(dataDir, 'run.json'), JSON.stringify(state));
    await this.restart(options);
  }

  /** Starts all processes at the addresses of the first start. */
  async restart(options = {}) {
    this.#options = { ...this.#options, ...options };
    const names = Object.keys(this.#members);
    for (const name of names) this.#spawn(name);
    await Promise.all(names.map((name) => this.#ready(name)));
    this.#launch('front-proxy', join(here, 'deploy/local/front-proxy.mjs'), here, {
      ...process.env,
      FRONT_LISTEN: `127.0.0.1:${new URL(this.url).port}`,
      FRONT_GATEWAYS: Object.values(this.#gateways).join(','),
    });
    await eventually(
      () =>
        fetch(`${this.url}/healthz`).then(
          () => true,
          () => false,
        ),
      (answered) => answered,
    );
  }

  /** The environment of a process, for the operator's command as well. */
  environment(name) {
    const { secrets, env, engines } = this.#options;
    const all = environments({
      members: this.#members,
      grpc: this.#grpc,
      operations: this.#operations,
      engines: { ...this.#engines, ...engines },
      secrets,
      listen: new URL(this.url).host,
      gateways: this.#gateways,
      url: this.url,
      workDirs: this.#workDirs,
    });
    // Less than the default, in which a git operation can end; these tests have none that takes so long.
    return { ...all[name], PARLANCE_DRAIN_SECONDS: '20', ...env };
  }

  #launch(name, entry, cwd, env) {
    const log = openSync(join(this.#options.dataDir, 'log', `${name}.log`), 'a');
    const child = spawn(process.execPath, [entry], { cwd, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.#children.set(name, { child, ended });
    // As the supervisor of `npm start` and Kubernetes do.
    void ended.then(async () => {
      if (this.#children.get(name)?.child !== child) return;
      this.crashes.push(name);
      await sleep(500);
      if (this.#children.get(name)?.child === child) this.#launch(name, entry, cwd, env);
    });
  }

  #spawn(name) {
    const { root } = this.#options;
    this.#launch(name, join(root, this.#members[name].entry), root, this.environment(name));
  }

  async #ready(name) {
    try {
      await eventually(
        () => isReady(this.#operations[name]),
        (ready) => ready,
        READY_MS,
      );
    } catch (error) {
      const log = readFileSync(join(this.#options.dataDir, 'log', `${name}.log`), 'utf8').slice(-3000);
      throw new Error(`${name} is not ready:\n${log}`, { cause: error });
    }
  }

  async #end(name) {
    const { child, ended } = this.#children.get(name) ?? {};
    this.#children.delete(name);
    child?.kill('SIGTERM');
    await ended;
  }

  /** Replaces every process by one with other options: all first replicas, then all second ones. */
  async replaceAll(options) {
    await this.replaceReplicas(1, options);
    await this.replaceReplicas(2, options);
  }

  /** Replaces one replica of each process. */
  async replaceReplicas(replica, options) {
    this.#options = { ...this.#options, ...options };
    const names = Object.keys(this.#members).filter((name) => this.#members[name].replica === replica);
    await Promise.all(names.map((name) => this.#end(name)));
    for (const name of names) this.#spawn(name);
    await Promise.all(names.map((name) => this.#ready(name)));
    await this.#available(replica);
  }

  /**
   * Waits until every process that is connected to the other replicas of a service has connected to the new one as well: they can end
   * then. On Kubernetes, `minReadySeconds` of the chart takes the place of this, with time for caches of DNS.
   * @param {number} replica the new one of each service
   */
  async #available(replica) {
    const pids = [...this.#children.values()].flatMap(({ child }) => child.pid ?? []);
    const services = Object.entries(this.#grpc).map(([name, address]) => {
      return { ...this.#members[name], port: Number(address.split(':').at(-1)) };
    });
    // Connections are renewed every few seconds, so a caller may be without one in the moment of a look.
    const connected = new Set();
    await eventually(
      () => {
        const callers = callersOf(pids);
        const of = (isNew) =>
          services
            .filter((service) => (service.replica === replica) === isNew)
            .flatMap(({ kind, port }) => (callers.get(port) ?? []).map((pid) => `${pid} to ${kind}`));
        for (const connection of of(true)) connected.add(connection);
        return of(false).filter((connection) => !connected.has(connection));
      },
      (missing) => missing.length === 0,
    );
  }

  /** Runs the operator's command. Returns its standard output. */
  parlance(...args) {
    const cli = join(this.#options.root, 'services/identity/dist/cli.js');
    return run(process.execPath, [cli, ...args], { env: this.environment('identity'), timeout: 120_000 });
  }

  /** Ends all processes; the engines keep running. */
  async stop() {
    const names = [...this.#children.keys()];
    const isPublic = (name) => /^(front|gateway)/.test(name);
    for (const group of [names.filter(isPublic), names.filter((name) => !isPublic(name))])
      await Promise.all(group.map((name) => this.#end(name)));
  }
  /** Ends all processes and deletes the engines with all data. */
  async remove() {
    await this.stop();
    removeEngines(this.#options.dataDir);
    rmSync(this.#options.dataDir, { recursive: true, force: true });
  }
}
