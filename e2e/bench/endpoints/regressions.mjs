// Whether an endpoint costs more than recorded.

/** Largest increase of the ratio to the bare server, as a factor: the ratio of two times varies on a busy machine. */
const RATIO = 1.75;
/**
 * Largest increase of calls and statements per request, and the same as a share. They depend little on the machine: caches expire, and
 * writes cause statements later on, in batches.
 */
const COUNT = 0.5;
const COUNT_SHARE = 0.25;

/** The most that is accepted, by the recorded number. */
const most = (recorded) => recorded + Math.max(COUNT, recorded * COUNT_SHARE);

/**
 * @param {{ path: string, ratio: number, costs?: { calls: number, statements: number } }} result
 * @param {{ ratio: number, calls?: number, statements?: number } | undefined} recorded undefined: not compared
 * @returns {string[]} messages, one for each figure that got worse
 */
export function regressionsOf({ path, ratio, costs }, recorded) {
  if (!recorded) return [];
  const found = [];
  if (ratio > recorded.ratio * RATIO)
    found.push(`${path}: the ratio is ${ratio.toFixed(1)}, recorded is ${recorded.ratio}`);
  for (const name of /** @type {const} */ (['calls', 'statements']))
    if (costs && costs[name] > most(recorded[name] ?? Infinity))
      found.push(`${path}: ${costs[name].toFixed(1)} ${name} per request, recorded is ${recorded[name]}`);
  return found;
}
