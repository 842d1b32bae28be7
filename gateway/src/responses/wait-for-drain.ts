import { once, type EventEmitter } from 'node:events';

/** Waits for `drain` (backpressure) or `close`. */
export async function waitForDrain(writable: EventEmitter): Promise<void> {
  const settled = new AbortController();
  try {
    await Promise.race([
      once(writable, 'drain', { signal: settled.signal }),
      once(writable, 'close', { signal: settled.signal }),
    ]);
  } finally {
    settled.abort();
  }
}
