// One run of chaos: every fault of each engine, and a fault of each process that the seed chooses. `npm run chaos` injects all kinds.
import { FAULTS, oneOfEachProcess } from '../../chaos/faults.mjs';
import { makeRandom } from '../../chaos/random.mjs';
import { runChaos } from '../../chaos/run.mjs';
import { holds, print } from '../../chaos/verdict.mjs';
import { running, system } from '../../support/system.mjs';

const MINUTE_MS = 60_000;
const seed = Number(process.env['PARLANCE_TEST_SEED'] ?? Date.now() % 1_000_000);

test(
  `clients and processes recover from faults of every engine and process (seed ${seed}), and no acknowledged write is lost or duplicated`,
  async () => {
    const faults = [...FAULTS.filter(({ group }) => group === 'engine'), ...oneOfEachProcess(makeRandom(seed))];
    const options = { seed, faults, count: faults.length, ms: Infinity };
    const result = await runChaos({ api: system().api, running }, options);
    process.stderr.write(`${print(result)}\n`);
    expect(result).toMatchObject({ lost: [], doubled: [], wrong: [], unrecovered: [] });
    expect(holds(result)).toBe(true);
    expect(Object.keys(result.kinds).sort()).toEqual(faults.map(({ kind }) => kind).sort());
    expect(result.acknowledged).toBeGreaterThan(0);
  },
  30 * MINUTE_MS,
);
