// Steady load on an installation, measured by phase. The clients and their ledger are those of the chaos run.
import { makeActors, patienceOf } from '../../e2e/chaos/actors.mjs';
import { Ledger } from '../../e2e/chaos/ledger.mjs';
import { makeRandom } from '../../e2e/chaos/random.mjs';
import { collect } from '../../e2e/chaos/run.mjs';
import { makeWorld } from '../../e2e/chaos/world.mjs';

/** Requests that take milliseconds on an idle installation; the others wait for git. */
const INTERACTIVE = new Set(['edit', 'read', 'statistics', 'hook']);

/** Interactive requests that take longer than this are named, in milliseconds. */
const SLOW_MS = 3_000;

/** Statuses below 500 that no request of the load may get: the callers, their objects and their limits do not change. */
const UNEXPECTED = new Set([401, 403, 404, 405, 410, 429]);

/**
 * Whether a request failed because of the installation: no response, a late one, a status of 500 or above, or an unexpected one.
 * @param {{kind: string, status?: number | string, ms: number}} request
 */
export const isFailure = ({ kind, status, ms }) =>
  typeof status !== 'number' || status >= 500 || UNEXPECTED.has(status) || ms > patienceOf(kind);

/** Requests that began within a phase. */
const requestsOf = (requests, { from, to }) => requests.filter(({ at }) => at >= from && at < to);

/** Whether all requests that began within a phase have ended. */
export const hasEnded = (requests, phase) => requestsOf(requests, phase).every(({ ms }) => ms !== Infinity);

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/**
 * Requests that began within a phase, as numbers. Call it when all have ended: the slowest ones end in a later phase. `recoveredMs` is the
 * time from the start of the phase to the end of the last request that failed; 0 if none did.
 *
 * @param {{kind: string, status?: number | string, at: number, ms: number, body?: unknown}[]} requests
 */
export function summarizePhase(requests, phase) {
  const within = requestsOf(requests, phase);
  const interactive = within.filter(({ kind }) => INTERACTIVE.has(kind));
  const times = interactive.map(({ ms }) => ms).sort((one, other) => one - other);
  const failed = within.filter(isFailure);
  return {
    requests: within.length,
    rejected: within.filter((one) => !isFailure(one) && Number(one.status) >= 400).length,
    failed: failed.length,
    recoveredMs: Math.max(0, ...failed.map(({ at, ms }) => at + ms - phase.from)),
    examples: failed
      .slice(0, 5)
      .map(({ kind, status, body }) => `${kind} ${status} ${JSON.stringify(body)?.slice(0, 200)}`),
    slow: interactive
      .filter(({ ms }) => ms > SLOW_MS)
      .map(
        ({ kind, status, at, ms }) =>
          `${kind} ${status} took ${(ms / 1000).toFixed(1)} s, from second ${((at - phase.from) / 1000).toFixed(1)}`,
      ),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: times.at(-1) ?? 0,
  };
}

/**
 * Starts the clients. `stop` ends them and compares the installation and git with the ledger and a recount.
 * @param {number} projects projects under load, each with clients of its own
 */
export async function startLoad(api, seed, projects) {
  const ledger = new Ledger();
  const requests = [];
  const worlds = [];
  const actors = [];
  for (let i = 0; i < projects; i++) {
    const world = await makeWorld(api, `trial-${seed}-${i}-${Date.now().toString(36)}`);
    const made = makeActors(api, world, ledger, makeRandom(seed + i));
    worlds.push({ world, upstreamText: made.upstreamText });
    actors.push(...made.actors);
  }
  for (const actor of actors) {
    // Upstream changes its repository without Parlance.
    if (actor.kind === 'upstream') continue;
    const act = actor.act;
    actor.act = async () => {
      const began = performance.now();
      // Noted at the start, so that requests without an end count, too.
      const request = { kind: actor.kind, status: undefined, body: undefined, at: Date.now(), ms: Infinity };
      requests.push(request);
      const note = ({ status, body }) => Object.assign(request, { status, body, ms: performance.now() - began });
      try {
        const answer = await act();
        note(answer);
        return answer;
      } catch (error) {
        note({ status: 'no answer', body: String(error.cause ?? error) });
        throw error;
      }
    };
  }
  let over = false;
  const work = actors.map((actor) => actor.run(() => over));
  return {
    requests,
    remove: () => worlds.forEach(({ world }) => world.remote.remove()),
    async stop() {
      over = true;
      await Promise.all(work);
      const held = { targets: new Map(), history: new Map(), files: new Map() };
      const wrong = [];
      for (const { world, upstreamText } of worlds) wrong.push(...(await collect(api, world, upstreamText(), held)));
      return { acknowledged: ledger.acknowledged, wrong, ...ledger.judge(held) };
    },
  };
}
