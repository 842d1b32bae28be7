import { TaskLimitError, WorkerPool } from '@parlance/workload';
import { join } from 'node:path';
import { FontError, fontTypeOf, MAX_FONT_BYTES } from '../../domain/font';
import type { ReadFont } from '../../domain/ports';
import type * as tasks from '../../worker';

/** Time limit of a file, in milliseconds; an ordinary one takes some hundredths of it. */
const MAX_RUN_MS = 10_000;
/** Heap of the thread, in MB. */
const MEMORY_MB = 256;
const MAX_WAITING = 16;

/** Reads fonts in a worker thread, so that a hostile file neither blocks nor ends the process. */
export class FontReader {
  private readonly pool: WorkerPool<typeof tasks>;

  constructor(maxRunMs = MAX_RUN_MS) {
    const worker = join(__dirname, '../../worker');
    this.pool = new WorkerPool(worker, { threads: 1, memoryMb: MEMORY_MB, maxRunMs, maxWaiting: MAX_WAITING });
  }

  readonly read: ReadFont = async (bytes) => {
    if (bytes.length === 0) throw new FontError('empty', 'The font file is empty.');
    if (bytes.length > MAX_FONT_BYTES)
      throw new FontError('too_large', `A font has at most ${MAX_FONT_BYTES / 1024 / 1024} MiB.`);
    const type = fontTypeOf(bytes);
    if (!type) throw new FontError('invalid_font', 'The file must be a TTF, OTF or WOFF2 font.');
    try {
      const outcome = await this.pool.run('readFont', { bytes });
      if ('problem' in outcome) throw new FontError(outcome.problem.code, outcome.problem.detail);
      return { ...outcome, type };
    } catch (error) {
      if (!(error instanceof TaskLimitError)) throw error;
      throw new FontError('invalid_font', `Reading the font takes more ${error.limit} than is allowed.`);
    }
  };

  close(): Promise<void> {
    return this.pool.close();
  }
}
