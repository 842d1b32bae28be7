/**
 * Hits and misses of a cache that the process counts during some work.
 *
 * @param read the metrics of the process
 */
export async function lookupsDuring(
  read: () => Promise<string>,
  cache: string,
  work: () => Promise<unknown>,
): Promise<{ hits: number; misses: number }> {
  const count = async (result: string): Promise<number> => {
    const series = `parlance_cache_requests_total{cache="${cache}",result="${result}"} `;
    const line = (await read()).split('\n').find((text) => text.startsWith(series));
    if (line === undefined) throw new Error(`There is no series ${series}`);
    return Number(line.slice(series.length));
  };
  const before = { hits: await count('hit'), misses: await count('miss') };
  await work();
  return { hits: (await count('hit')) - before.hits, misses: (await count('miss')) - before.misses };
}
