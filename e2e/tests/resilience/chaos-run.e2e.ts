import { FAULTS } from '../../chaos/faults.mjs';
import { runChaos } from '../../chaos/run.mjs';
import { holds, print } from '../../chaos/verdict.mjs';
import { running, system } from '../../support/system.mjs';

const MINUTE_MS = 60_000;
const seed = Number(process.env['PARLANCE_TEST_SEED'] ?? Date.now() % 1_000_000);

async function expectToHold(options: { ms: number; faults: typeof FAULTS; count?: number }): Promise<void> {
  const result = await runChaos({ api: system().api, running }, { seed, ...options });
  process.stderr.write(`${print(result)}\n`);
  expect(result).toMatchObject({ lost: [], doubled: [], wrong: [], unrecovered: [] });
  expect(holds(result)).toBe(true);
  expect(result.faults).toBeGreaterThan(0);
  expect(result.acknowledged).toBeGreaterThan(0);
}

test(
  `two minutes of faults (seed ${seed}) neither lose nor duplicate acknowledged writes`,
  () => expectToHold({ ms: 2 * MINUTE_MS, faults: FAULTS }),
  30 * MINUTE_MS,
);

test(
  `every client and process recovers from the kill and the restart of each engine (seed ${seed})`,
  () => {
    const faults = FAULTS.filter(({ group, action }) => group === 'engine' && action !== 'pause');
    return expectToHold({ ms: 5 * MINUTE_MS, faults, count: faults.length });
  },
  30 * MINUTE_MS,
);
