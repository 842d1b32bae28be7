import { runProcess } from './process';
import { describeProcess, reportSchema } from './process-state';

afterEach(() => jest.restoreAllMocks());

const config = {
  OPERATIONS_LISTEN: '127.0.0.1:0',
  PARLANCE_DRAIN_SECONDS: 100,
  PARLANCE_WATCHDOG_SECONDS: 30,
};

it('SIGTERM gives running work four fifths of PARLANCE_DRAIN_SECONDS, then closes connections and exits with 0', async () => {
  const steps: unknown[] = [];
  const ended = new Promise<void>((resolve) => {
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      steps.push(`exit ${code}`);
      resolve();
      return undefined as never;
    });
  });
  await runProcess({
    name: 'test',
    readConfig: () => config,
    compose: async () => ({
      ready: { store: () => true },
      optional: { cache: () => false },
      drain: async (withinMs) => void steps.push(`drain within ${withinMs} ms`),
      close: async () => void steps.push('close'),
    }),
  });
  expect((await describeProcess()).dependencies).toEqual([
    { name: 'store', problem: '', optional: false },
    { name: 'cache', problem: 'unreachable', optional: true },
  ]);
  process.emit('SIGTERM', 'SIGTERM');
  await ended;
  expect(steps).toEqual(['drain within 80000 ms', 'close', 'exit 0']);
});

it('the state of a process leaves out the schema while the store does not answer', async () => {
  reportSchema(() => new Promise(() => undefined));
  const { version, schema } = await describeProcess();
  expect({ version, schema }).toEqual({ version: expect.stringMatching(/^\d/), schema: null });
});
