import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Waits until a response takes more, or is gone. */
export async function room(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  try {
    await Promise.race([
      once(response, 'drain', { signal: settled.signal }),
      once(response, 'close', { signal: settled.signal }),
    ]);
  } finally {
    settled.abort();
  }
}
