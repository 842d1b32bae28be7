import { Worker } from 'node:worker_threads';

/** The expression may take this long for all keys of a file together, in milliseconds: some take forever on some keys. */
const BUDGET_MS = 2_000;
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const pattern = new RegExp(workerData.expression, 'u');
  parentPort.postMessage(workerData.keys.map((key) => pattern.test(key)));
`;

/** An expression that takes too long on the keys of a file. */
export class KeyFilterError extends Error {
  override readonly name = 'KeyFilterError';
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Says which keys the expression of `key_filter` matches. It runs in a thread of its own, so that others are served meanwhile; one
 * at a time, so that slow ones wait for each other and not everybody for them.
 * @throws KeyFilterError when it takes too long
 */
export function matchKeys(keys: readonly string[], expression: string): Promise<boolean[]> {
  const verdicts = last.then(() => matchAside(keys, expression));
  last = verdicts.catch(() => undefined);
  return verdicts;
}

function matchAside(keys: readonly string[], expression: string): Promise<boolean[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(PROGRAM, { eval: true, workerData: { keys, expression }, env: {}, execArgv: [] });
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: Error) => {
      clearTimeout(timer);
      // The next one waits until this one has ended.
      void thread.terminate().finally(() => reject(error));
    };
    thread.once('online', () => {
      timer = setTimeout(() => fail(new KeyFilterError('The key_filter takes too long.')), BUDGET_MS);
    });
    thread.once('message', (verdicts: boolean[]) => {
      clearTimeout(timer);
      resolve(verdicts);
    });
    thread.once('error', fail);
  });
}

/** The filter during an import: the files of a component have much the same keys, so each key is looked at once. */
export class KeyFilter {
  private readonly verdicts = new Map<string, boolean>();
  private failure: KeyFilterError | undefined;

  /**
   * The units whose keys the expression matches.
   * @param expression '': all
   * @throws KeyFilterError when it takes too long; then for every further file, without another try
   */
  async keep<U extends { context: string }>(units: readonly U[], expression: string): Promise<readonly U[]> {
    if (expression === '') return units;
    if (this.failure) throw this.failure;
    const fresh = [...new Set(units.map((unit) => unit.context))].filter((key) => !this.verdicts.has(key));
    try {
      const verdicts = fresh.length > 0 ? await matchKeys(fresh, expression) : [];
      fresh.forEach((key, at) => this.verdicts.set(key, verdicts[at]!));
    } catch (error) {
      if (error instanceof KeyFilterError) this.failure = error;
      throw error;
    }
    return units.filter((unit) => this.verdicts.get(unit.context));
  }
}
