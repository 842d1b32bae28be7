// A small client of the public API for the demo, the benchmark and the tests. It does not depend on other packages of Parlance.

/** An error response. */
export class ApiError extends Error {
  constructor(method, path, status, body) {
    super(
      `${method} ${path} responded with ${status}: ${typeof body === 'string' ? body.slice(0, 500) : JSON.stringify(body).slice(0, 2000)}`,
    );
    this.status = status;
    this.body = body;
  }
}

/**
 * Fields of a unit that tests read.
 * @typedef {{id: number, context: string, source: string[], target: string[], state: number, previous_source: string,
 * has_suggestion: boolean}} UnitBody
 */

export async function exchangeByFetch(url, request) {
  const response = await fetch(url, { redirect: 'manual', ...request });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/**
 * @param {string} base address without a trailing slash
 * @param {string} [token]
 * @param exchange sends a request and returns { status, headers, bytes }
 */
export function makeApi(base, token, exchange = exchangeByFetch) {
  /**
   * Sends a request; `body` is sent as JSON unless it is a FormData, URLSearchParams, Buffer or text. Never throws for a status.
   */
  async function send(method, path, body, headers = {}) {
    const raw =
      body === undefined ||
      body instanceof FormData ||
      body instanceof URLSearchParams ||
      Buffer.isBuffer(body) ||
      typeof body === 'string';
    const {
      status,
      headers: answered,
      bytes,
    } = await exchange(path.startsWith('http') ? path : `${base}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Token ${token}` } : {}),
        ...(raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ? body : JSON.stringify(body),
    });
    const type = answered.get('content-type') ?? '';
    const text = bytes.toString('utf8');
    const parsed = type.includes('json') && text !== '' ? JSON.parse(text) : text;
    return { status, headers: answered, body: parsed, bytes };
  }
  async function must(method, path, body, headers) {
    const answer = await send(method, path, body, headers);
    if (answer.status >= 400) throw new ApiError(method, path, answer.status, answer.body);
    return answer.body;
  }
  return {
    base,
    token,
    send,
    get: (path) => must('GET', path),
    post: (path, body) => must('POST', path, body),
    patch: (path, body) => must('PATCH', path, body),
    delete: (path) => must('DELETE', path),
    bytes: async (path) => {
      const answer = await send('GET', path, undefined, { accept: '*/*' });
      if (answer.status >= 400) throw new ApiError('GET', path, answer.status, answer.body);
      return answer.bytes;
    },
    /** All items of a list, over all pages. */
    async all(path) {
      const items = [];
      for (let next = path; next;) {
        const page = await must('GET', next);
        items.push(...page.results);
        next = page.next;
      }
      return items;
    },
    /**
     * Polls a task until it is completed and returns it. As clients should, it asks again after answers that mean overload.
     * @param {string} taskUrl
     * @param {(task: any) => void} [onProgress]
     */
    async finished(taskUrl, onProgress = () => undefined, withinMs = 600_000) {
      const until = Date.now() + withinMs;
      for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
        const { status, body: task } = await send('GET', taskUrl);
        const isBusy = status === 503 || status === 504;
        if (status >= 400 && !isBusy) throw new ApiError('GET', taskUrl, status, task);
        if (!isBusy) {
          onProgress(task);
          if (task.completed) return task;
        }
        if (Date.now() > until) throw new Error(`the task did not finish in time: ${JSON.stringify(task)}`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
}

/**
 * Polls until the response matches; throws with the last response on timeout. The limit only ends tests that fail: a busy machine may
 * take many times as long as an idle one.
 */
export async function eventually(ask, fits, withinMs = 120_000) {
  const until = Date.now() + withinMs;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > until)
      throw new Error(`condition not met within ${withinMs} ms; last: ${JSON.stringify(answer)?.slice(0, 1000)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
