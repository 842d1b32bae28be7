// Requests to the servers that endpoints.mjs compares, and the figures that come from them.

/**
 * Sends requests to all sides in turns, one at a time: load on the machine affects all of them alike.
 * @param {Record<string, (i: number) => Promise<unknown>>} sides
 * @param {number} count requests to each side
 * @param {{ mayGoOn?: () => boolean, prepare?: () => Promise<unknown> }} [turn] asked before each turn; what comes before each request and is
 * not measured
 * @returns {Promise<Record<string, number[]>>} times in milliseconds by side
 */
export async function inTurns(sides, count, { mayGoOn = () => true, prepare = async () => undefined } = {}) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let i = 0; i < count && mayGoOn(); i++)
    for (const [name, send] of Object.entries(sides)) {
      await prepare();
      const begun = performance.now();
      await send(i);
      times[name].push(performance.now() - begun);
    }
  return times;
}

/**
 * The names that a benchmark measures.
 * @param {string[]} names of endpoints
 * @param {string[]} only whole names, each of which selects one endpoint, or parts of names, which select all that contain it; empty
 * selects all
 * @throws if one of `only` selects nothing
 */
export function selected(names, only) {
  if (only.length === 0) return names;
  const wanted = only.map((text) => (names.includes(text) ? [text] : names.filter((name) => name.includes(text))));
  const unknown = only.filter((_, i) => wanted[i].length === 0);
  if (unknown.length > 0) throw new Error(`No endpoint contains ${unknown.join(', ')}`);
  return names.filter((name) => wanted.some((found) => found.includes(name)));
}

/** Fewer calls per request than this are printed as 0.0: the gateway answered by itself. */
const LEAST_CALLS = 0.05;

/**
 * Ratio to the bare server behind a hop.
 * @param {{ p50: number, hop?: number, costs?: { calls: number } }} result p50 of both in milliseconds
 * @returns {number | undefined} undefined if the hop was not measured, or if the endpoint makes no call to compare it with
 */
export function ratioToHop({ p50, hop, costs }) {
  if (hop === undefined || (costs && costs.calls < LEAST_CALLS)) return undefined;
  return p50 / hop;
}
