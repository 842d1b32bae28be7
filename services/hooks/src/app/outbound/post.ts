import { OutgoingError, send } from '@parlance/outgoing';
import type { Post } from './sender';

/** Timeout of an attempt, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Posts over HTTP. Redirects are not followed, response bodies are not read. */
export function poster({ allowPrivate }: { allowPrivate: boolean }): Post {
  return async (url, headers, body) => {
    try {
      const { status } = await send({
        url,
        method: 'POST',
        headers,
        body,
        allowPrivate,
        timeoutMs: TIMEOUT_MS,
        maxBytes: 0,
      });
      return { status, error: status >= 200 && status < 300 ? '' : `Answered with ${status}.` };
    } catch (error) {
      if (error instanceof OutgoingError) return { status: 0, error: error.message };
      throw error;
    }
  };
}
