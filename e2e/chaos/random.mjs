/** Random numbers below a bound, deterministic for a seed (mulberry32). */
export function makeRandom(seed) {
  let state = seed | 0;
  const below = (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
  return { below, pick: (list) => list[below(list.length)] };
}
