// A chaos run: clients work during faults; afterwards, every acknowledged write is verified.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/api.mjs';
import { readinessOf } from '../support/readiness.mjs';
import { makeActors } from './actors.mjs';
import { drawFaults, inflict } from './faults.mjs';
import { Ledger } from './ledger.mjs';
import { makeRandom } from './random.mjs';
import { GIVE_UP_MS, INTERACTIVE, summarize } from './verdict.mjs';
import { makeWorld, readPo, UPSTREAM } from './world.mjs';

const WORLDS = 2;
/** Pause between the recovery of clients and the next fault, in milliseconds. */
const CALM_MS = 1000;
/** Timeout for events and tasks to settle after the last fault, in milliseconds. */
const SETTLE_MS = 120_000;
/** Actors that must recover before the next fault, so that each outage has a single cause. */
const AWAITED = new Set([...INTERACTIVE, 'operation', 'upload', 'hook']);

/** Time until every process is ready, in milliseconds since `since`; GIVE_UP_MS on timeout. */
async function readiness(running, since) {
  const status = (address) => readinessOf(address, { signal: AbortSignal.timeout(3000) });
  while (Date.now() - since < GIVE_UP_MS) {
    const states = await Promise.all(Object.values(running().operations).map(status));
    if (states.every((state) => state === 200)) return Date.now() - since;
    await sleep(100);
  }
  return GIVE_UP_MS;
}

/** Waits until every actor has succeeded since `since`. Returns the longest time by kind of actor. */
async function recovery(actors, since) {
  const times = {};
  const left = new Set(actors.filter(({ kind }) => AWAITED.has(kind)));
  while (left.size > 0 && Date.now() - since < GIVE_UP_MS) {
    for (const actor of left) {
      if (!actor.succeededSince(since)) continue;
      const first = actor.successes.find((time) => time >= since);
      times[actor.kind] = Math.max(times[actor.kind] ?? 0, first - since);
      left.delete(actor);
    }
    await sleep(20);
  }
  for (const { kind } of left) times[kind] = GIVE_UP_MS;
  return times;
}

/** Retries a request until it succeeds. */
const persist = (api, method, path, body) =>
  eventually(
    () => api.send(method, path, body).catch((error) => ({ status: String(error) })),
    ({ status }) => status >= 200 && status < 300,
    SETTLE_MS,
  );

/** Adds the state of a world in the system and in git to `held`. Returns statistics that differ from a recount. */
export async function collect(api, world, upstreamText, held) {
  const wrong = [];
  await persist(api, 'POST', `${world.componentPath}/repository/`, { operation: 'pull' });
  await persist(api, 'POST', `${world.componentPath}/repository/`, { operation: 'commit' });
  await persist(api, 'POST', `${world.componentPath}/repository/`, { operation: 'push' });
  for (const [language, { path }] of Object.entries(world.translations)) {
    const units = await api.all(`${path}/units/?page_size=1000`);
    for (const unit of units) held.targets.set(unit.id, unit.target[0]);
    for (const change of await api.all(`${path}/changes/?page_size=1000`))
      held.history.set(change.target, [...(held.history.get(change.target) ?? []), change]);
    held.files.set(`${world.slug} ${language}`, readPo(world.remote.remoteFile(`po/${language}.po`).toString()));
    const translated = units.filter((unit) => unit.state >= 20).length;
    const statistics = await api.get(`${path}/statistics/`);
    if (statistics.translated !== translated || statistics.total !== units.length)
      wrong.push(
        `${path}: statistics say ${statistics.translated}/${statistics.total}, counted ${translated}/${units.length}`,
      );
    const own = units.find((unit) => unit.source[0] === UPSTREAM);
    if (language === 'cs' && upstreamText && own.target[0] !== upstreamText)
      wrong.push(`${path}: upstream's text "${upstreamText}" is missing, found "${own.target[0]}"`);
  }
  return wrong;
}

/**
 * Runs clients against faults.
 * @param {{api: ReturnType<typeof import('../support/api.mjs').makeApi>, running: () => any}} system
 * @param {{ms: number, seed: number, count?: number, faults?: typeof import('./faults.mjs').FAULTS, report?: (line: string) =>
 * void}} options
 * ms, count: limits after which no further fault is injected
 */
export async function runChaos({ api, running }, { ms, seed, faults, count = Infinity, report = () => undefined }) {
  const random = makeRandom(seed);
  const ledger = new Ledger();
  const worlds = [];
  const actors = [];
  const happened = [];
  try {
    for (let i = 0; i < WORLDS; i++) {
      const world = await makeWorld(api, `chaos-${seed}-${i}-${Date.now().toString(36)}`);
      const made = makeActors(api, world, ledger, makeRandom(seed + 1 + i));
      worlds.push({ world, upstreamText: made.upstreamText });
      actors.push(...made.actors);
    }
    let over = false;
    const work = actors.map((actor) => actor.run(() => over));
    const end = Date.now() + ms;
    try {
      for (const fault of drawFaults(random, faults)) {
        if (Date.now() > end || happened.length >= count) break;
        await sleep(CALM_MS);
        const began = Date.now();
        await inflict(fault, running());
        const since = Date.now();
        const [times, ready] = await Promise.all([recovery(actors, since), readiness(running, since)]);
        times.ready = ready;
        happened.push({ ...fault, times, began, ended: since });
        report(
          `${fault.kind.padEnd(20)} ${Object.entries(times)
            .map(([kind, time]) => `${kind} ${(time / 1000).toFixed(1)} s`)
            .join(', ')}`,
        );
      }
    } finally {
      over = true;
      await Promise.all(work);
    }
    const held = { targets: new Map(), history: new Map(), files: new Map() };
    const wrong = [];
    for (const { world, upstreamText } of worlds) wrong.push(...(await collect(api, world, upstreamText(), held)));
    return summarize(happened, actors, { acknowledged: ledger.acknowledged, ...ledger.judge(held), wrong });
  } finally {
    for (const { world } of worlds) world.remote.remove();
  }
}
