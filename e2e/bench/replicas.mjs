// npm run bench:replicas: throughput, processor time, idle memory and shares of the calls with 1, 2 and 4 replicas of every process, and what
// limits it. Starts its own systems. Exits with 1 if a replica gets less than 80 % of an even share (40 % of the calls with two replicas).
// With --keyed instead: calls by round robin beside calls by translation (rendezvous hashing), with two replicas of translation.
// Options: --counts 1,2,4  --clients 16  --seconds 20  --rounds 6 (of --keyed)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../deploy/engines/ready.mjs';
import { eventually, makeApi } from '../support/api.mjs';
import { removeEngines } from '../support/installations/engines.mjs';
import { readinessOf } from '../support/readiness.mjs';
import { startSystem } from '../support/system.mjs';
import { metricsOf, sumOfSamples } from '../support/telemetry/metrics.mjs';
import { kindOf, processorMs } from './process-costs.mjs';
import { callEverything } from './support/call-everything.mjs';
import { exchange } from './support/exchange.mjs';
import { measureBusyShare, processorTimes } from './support/processor-times.mjs';
import { callsPerReplica, rarelyCalled, shares, unevenShares } from './support/shares.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { importComponent, percentile, runState } from './support/setup.mjs';

const { values } = parseArgs({
  options: {
    counts: { type: 'string', default: '1,2,4' },
    clients: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '6' },
    keyed: { type: 'boolean', default: false },
  },
});
const [clients, seconds] = [Number(values.clients), Number(values.seconds)];
const codes = ['cs', 'de', 'fr', 'it'];
const STRINGS = 300;
/** Load on each replica before the measurement, and time without load. In milliseconds. */
const WARM_MS = 15_000;
const IDLE_MS = 5_000;
process.env.PARLANCE_E2E_ROOT ??= join(import.meta.dirname, '../..');
const env = { PARLANCE_RATE_LIMIT_AUTHENTICATED: 'off', PARLANCE_SEARCH_INDEX_GRACE_MS: '0' };

/** Runs work with a system of its own and a component of it. */
async function withSystem(replicas, work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-bench-replicas-'));
  const port = await freePort();
  const system = await startSystem({ dataDir, port, env, replicas });
  const texts = await serveTexts(codes, STRINGS);
  try {
    const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
    const api = makeApi(`http://127.0.0.1:${port}`, token, exchange);
    await importComponent(api, 'replicas', texts.url, codes.length * STRINGS);
    const languages = [];
    for (const code of codes) {
      const units = await api.all(`/api/translations/replicas/bench/${code}/units/`);
      languages.push({ code, ids: units.map(({ id }) => id) });
    }
    await work({ api, token, languages, dataDir });
  } finally {
    texts.stop();
    await system.stop();
    removeEngines(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** One request of the mix: of ten, six read a string, two list a hundred, two edit a string. @param pick the api for a language */
async function oneRequest(turn, languages, pick) {
  const { code, ids } = languages[turn % languages.length];
  const id = ids[(turn * 7919) % ids.length];
  const api = pick(code);
  const kind = turn % 10;
  if (kind < 6) await api.get(`/api/units/${id}/`);
  else if (kind < 8) await api.get(`/api/translations/replicas/bench/${code}/units/?page_size=100`);
  else await api.patch(`/api/units/${id}/`, { target: [`Text ${turn}`], state: 20 });
}

let turns = 0;

/** Sends requests with all clients for some time. @returns the duration of each in milliseconds */
async function load(languages, pick, forMs) {
  const times = [];
  const end = performance.now() + forMs;
  const client = async () => {
    while (performance.now() < end) {
      const at = performance.now();
      await oneRequest(turns++, languages, pick);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

const say = (text) => process.stdout.write(`${text}\n`);

/** Processor time by name within some work, in milliseconds, and the share of the machine that was busy. */
async function costsOf(dataDir, work) {
  const [before, busyShare] = [processorTimes(dataDir), measureBusyShare()];
  await work();
  const [after, busy] = [processorTimes(dataDir), busyShare()];
  const costs = Object.entries(after).map(([name, ms]) => ({ name, ms: ms - (before[name] ?? 0) }));
  return { busy, total: costs.reduce((sum, { ms }) => sum + ms, 0), costs: costs.sort((a, b) => b.ms - a.ms) };
}

/** Resident memory of each replica in MiB, as a line for each kind of process. */
async function memoryOfReplicas(dataDir) {
  const { operations } = runState(dataDir);
  /** @type {Record<string, number[]>} */
  const found = {};
  for (const [name, address] of Object.entries(operations)) {
    const text = await metricsOf(address);
    const memory = Math.round(sumOfSamples(text, 'process_resident_memory_bytes') / 2 ** 20);
    (found[kindOf(name)] ??= []).push(memory);
  }
  return Object.entries(found)
    .map(([kind, each]) => `${kind} ${each.join(' ')}`)
    .join(', ');
}

/** Throughput with some replicas of every process, and what they cost without requests. */
async function measure(count) {
  await withSystem(String(count), async ({ api, languages, dataDir }) => {
    const pick = () => api;
    const started = await memoryOfReplicas(dataDir);
    // Every replica gets the same number of requests before the measurement.
    await load(languages, pick, count * WARM_MS);
    const idle = await costsOf(dataDir, () => sleep(IDLE_MS));
    const warm = await memoryOfReplicas(dataDir);
    const callsBefore = await callsPerReplica(dataDir);
    let times = /** @type {number[]} */ ([]);
    const { busy, total, costs } = await costsOf(dataDir, async () => {
      times = await load(languages, pick, seconds * 1000);
    });
    const each = (ms) => (ms / times.length).toFixed(2);
    const most = costs.filter(({ ms }) => ms / times.length >= 0.05).map(({ name, ms }) => `${name} ${each(ms)}`);
    say(
      `${count} replicas: ${(times.length / seconds).toFixed(0)} requests/s, p50 ${percentile(times, 50).toFixed(0)} ms, p99 ${percentile(times, 99).toFixed(0)} ms, ` +
        `processors busy ${Math.round(busy * 100)} %, ${each(total)} ms of processor time a request (${most.join(', ')}); ` +
        `${((100 * idle.total) / IDLE_MS).toFixed(0)} % of one processor without requests`,
    );
    say(`  idle memory in MiB after the import: ${started}\n  idle memory in MiB after the warm-up: ${warm}`);
    // The load hardly calls some services.
    if (count > 1) await callEverything(api);
    judgeShares(callsBefore, await callsPerReplica(dataDir));
  });
}

/** Prints the shares of the calls between two counts. */
function judgeShares(before, after) {
  say(shares(before, after));
  const found = {
    'A replica gets too few calls': unevenShares(before, after),
    'Too few calls': rarelyCalled(before, after),
  };
  for (const [problem, kinds] of Object.entries(found)) {
    if (kinds.length === 0) continue;
    say(`  ${problem}: ${kinds.join(', ')}`);
    process.exitCode = 1;
  }
}

/** A gateway like that of the system, which calls one replica of translation only. */
async function pinnedGateway(dataDir, replica) {
  const { processes, grpc } = runState(dataDir);
  const text = readFileSync(`/proc/${processes.gateway}/environ`, 'utf8');
  const own = Object.fromEntries(
    text.split('\0').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [join(process.env.PARLANCE_E2E_ROOT ?? '', 'gateway/dist/main.js')], {
    env: {
      ...own,
      TRANSLATION_ADDRESS: replica ? grpc[replica] : own.TRANSLATION_ADDRESS,
      GATEWAY_LISTEN: address,
      OPERATIONS_LISTEN: `127.0.0.1:${await freePort()}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await eventually(
    () => readinessOf(address),
    (status) => status === 200,
  );
  const stop = () => {
    child.kill();
    return ended;
  };
  return { url: `http://${address}`, stop };
}

/** Statements to the store and processor time of the replicas of translation. */
async function translationCosts(dataDir) {
  const { operations, processes } = runState(dataDir);
  const costs = { statements: 0, ms: 0 };
  for (const name of ['translation', 'translation-2']) {
    const text = await metricsOf(operations[name]);
    costs.statements += sumOfSamples(text, 'parlance_store_command_duration_seconds_count');
    costs.ms += processorMs(processes[name]);
  }
  return costs;
}

/** Round robin and keyed calls in turns on one system, through gateways that differ in nothing else. */
async function compareKeyed() {
  await withSystem('translation=2', async ({ token, languages, dataDir }) => {
    const gateways = await Promise.all(
      ['', '', 'translation', 'translation-2'].map((name) => pinnedGateway(dataDir, name)),
    );
    const apis = gateways.map(({ url }) => makeApi(url, token, exchange));
    const half = (code) => codes.indexOf(code) % 2;
    const policies = { 'round robin': (code) => apis[half(code)], 'by translation': (code) => apis[2 + half(code)] };
    try {
      for (const pick of Object.values(policies)) await load(languages, pick, WARM_MS);
      /** @type {Record<string, {times: number[], statements: number, ms: number}>} */
      const found = Object.fromEntries(
        Object.keys(policies).map((name) => [name, { times: [], statements: 0, ms: 0 }]),
      );
      for (let round = 0; round < Number(values.rounds); round++)
        for (const [name, pick] of Object.entries(policies)) {
          const before = await translationCosts(dataDir);
          found[name].times.push(...(await load(languages, pick, (seconds * 1000) / 2)));
          const after = await translationCosts(dataDir);
          found[name].statements += after.statements - before.statements;
          found[name].ms += after.ms - before.ms;
        }
      for (const [name, { times, statements, ms }] of Object.entries(found))
        say(
          `${name}: ${times.length} requests, ${(statements / times.length).toFixed(2)} statements and ${(ms / times.length).toFixed(2)} ms of processor time of ` +
            `translation for each, p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(0)} ms`,
        );
    } finally {
      await Promise.all(gateways.map(({ stop }) => stop()));
    }
  });
}

if (values.keyed) await compareKeyed();
else for (const count of values.counts.split(',')) await measure(Number(count));
