import { FAULTS } from '../chaos/faults.mjs';
import { runChaos } from '../chaos/run.mjs';
import { holds, print } from '../chaos/verdict.mjs';
import { running, system } from '../support/system.mjs';

const MINUTES = 2;
const seed = Number(process.env['PARLANCE_TEST_SEED'] ?? Date.now() % 1_000_000);

test(`two minutes of faults (seed ${seed}) lose and double nothing that was acknowledged`, async () => {
  const result = await runChaos({ api: system().api, running }, { ms: MINUTES * 60_000, seed, faults: FAULTS });
  process.stderr.write(`${print(result)}\n`);
  expect(result).toMatchObject({ lost: [], doubled: [], wrong: [], unrecovered: [] });
  expect(holds(result)).toBe(true);
  expect(result.faults).toBeGreaterThan(0);
  expect(result.acknowledged).toBeGreaterThan(0);
}, 600_000);
