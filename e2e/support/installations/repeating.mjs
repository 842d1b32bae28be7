import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two runs of an action, in milliseconds: work without a break would use all of a small machine. */
const PAUSE_MS = 100;

/**
 * Repeats actions beside each other while a test changes the system.
 * @param {(() => Promise<unknown>)[]} actions
 * @returns `ended`: rejects with the first error of an action; `stop` ends the repetition and waits for the running actions
 */
export function repeating(actions) {
  let isStopped = false;
  const ended = Promise.all(
    actions.map(async (act) => {
      while (!isStopped) {
        await act();
        await sleep(PAUSE_MS);
      }
    }),
  );
  return {
    ended,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}
