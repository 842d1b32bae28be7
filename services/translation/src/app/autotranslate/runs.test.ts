import { autotranslation as start } from '../../../test/support/memory/autotranslation';
import { reasonOf } from '../../../test/support/memory/world';
import { AutotranslateRuns } from './runs';

describe('AutotranslateRuns', () => {
  it('AutotranslateRuns returns the result of a run that ends in time', async () => {
    const { deps, caller, plan } = start();
    const result = await new AutotranslateRuns(deps).run(caller, plan, 0);
    expect(result).toMatchObject({ taskId: 't', completed: true, updated: 1 });
  });

  it('a translation has one run at a time, then the next', async () => {
    const { deps, caller, plan } = start();
    const runs = new AutotranslateRuns(deps);
    const first = runs.run(caller, plan, 0);
    expect(await reasonOf(runs.run(caller, plan, 0))).toBe('CONFLICT');
    await first;
    expect(await reasonOf(runs.run(caller, plan, 0))).toBe('OK');
  });

  it('a stopped process begins no run', async () => {
    const { deps, caller, plan } = start();
    const runs = new AutotranslateRuns(deps);
    await runs.stop();
    expect(await reasonOf(runs.run(caller, plan, 0))).toBe('UNAVAILABLE');
  });
});
