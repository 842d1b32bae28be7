import type { IncomingEvent } from '@parlance/events';
import { pushedHandlers } from './repository-pushed';

const MERGE_MS = 2_000;

function start() {
  const begun: { id: string; component: number; delayMs: number }[] = [];
  let wakes = 0;
  const tasks = {
    beginPull: async (id: string, component: number, delayMs: number) => {
      begun.push({ id, component, delayMs });
    },
    begin: async () => undefined,
  };
  const handlers = pushedHandlers({ tasks, wake: () => wakes++ } as never, MERGE_MS);
  return { begun, wakes: () => wakes, handlers };
}

const pushed = {
  id: 'event',
  payload: { componentIds: [1, 2], taskIds: ['task'] },
} as never as IncomingEvent<'repositoryPushed'>;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a push that a git host announced', () => {
  it('a push begins a pull of each component, which is due after the debounce', async () => {
    const { begun, handlers } = start();
    await handlers.repositoryPushed(pushed);
    expect(begun).toEqual([
      { id: 'task', component: 1, delayMs: MERGE_MS },
      { id: 'event-1', component: 2, delayMs: MERGE_MS },
    ]);
  });

  it('the worker looks for tasks when the pulls are due', async () => {
    const { wakes, handlers } = start();
    await handlers.repositoryPushed(pushed);
    jest.advanceTimersByTime(MERGE_MS - 1);
    expect(wakes()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(wakes()).toBe(1);
  });
});
