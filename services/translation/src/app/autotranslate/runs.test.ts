import { autotranslation as start } from '../../../test/support/memory/autotranslation';
import { reasonOf } from '../../../test/support/memory/world';
import { AutotranslateRuns } from './runs';

describe('AutotranslateRuns', () => {
  afterEach(() => jest.useRealTimers());

  it('AutotranslateRuns returns the result of a run that ends in time', async () => {
    const { deps, caller, plan } = start();
    const result = await new AutotranslateRuns(deps).run(caller, plan, 0);
    expect(result).toMatchObject({ taskId: 't', completed: true, updated: 1 });
  });

  it('a translation has one run at a time in all processes, then the next', async () => {
    const { deps, caller, plan } = start();
    const [here, elsewhere] = [new AutotranslateRuns(deps), new AutotranslateRuns(deps)];
    const first = here.run(caller, plan, 0);
    expect(await reasonOf(here.run(caller, plan, 0))).toBe('CONFLICT');
    expect(await reasonOf(elsewhere.run(caller, plan, 0))).toBe('CONFLICT');
    await first;
    expect(await reasonOf(elsewhere.run(caller, plan, 0))).toBe('OK');
    expect(await reasonOf(here.run(caller, plan, 0))).toBe('OK');
  });

  it('the next run can begin when the task is reported as completed', async () => {
    const { deps, caller, plan } = start();
    const report = jest.fn(async (_id: string, _component: number, { completed }: { completed: boolean }) => {
      expect(await deps.leases.acquire(plan.translation.id, 'next', 0)).toBe(completed);
    });
    await new AutotranslateRuns({ ...deps, tasks: { ...deps.tasks, report } }).run(caller, plan, 0);
    expect(report).toHaveBeenLastCalledWith('t', 1, expect.objectContaining({ completed: true }));
    await Promise.all(report.mock.results.map(({ value }) => value as Promise<void>));
  });

  it('a run that cannot begin lets the next one begin', async () => {
    const { deps, caller, plan } = start();
    const failing = { ...deps.tasks, start: () => Promise.reject(new Error('vcs-worker is unavailable')) };
    await expect(new AutotranslateRuns({ ...deps, tasks: failing }).run(caller, plan, 0)).rejects.toThrow();
    expect(await reasonOf(new AutotranslateRuns(deps).run(caller, plan, 0))).toBe('OK');
  });

  it('a run whose lease another process has acquired is interrupted', async () => {
    jest.useFakeTimers();
    const { deps, caller, plan } = start();
    let goOn = (): void => undefined;
    const component = await deps.componentNamed('p', 'app');
    const componentNamed = () => new Promise<typeof component>((resolve) => (goOn = () => resolve(component)));
    const run = new AutotranslateRuns({ ...deps, componentNamed }).run(caller, plan, 0);
    await jest.advanceTimersByTimeAsync(0);
    deps.leases.acquire = async () => false;
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    goOn();
    expect((await run).details).toContain('was interrupted');
  });

  it('a stopped process begins no run', async () => {
    const { deps, caller, plan } = start();
    const runs = new AutotranslateRuns(deps);
    await runs.stop();
    expect(await reasonOf(runs.run(caller, plan, 0))).toBe('UNAVAILABLE');
  });
});
