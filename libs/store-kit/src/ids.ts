import { duplicatesIn } from './writes/retry';

/** The collection with one counter per sequence: {_id: sequence, last: last allocated id}. */
export interface CounterCollection {
  updateOne(filter: object, update: object, options: object): Promise<unknown>;
  findOneAndUpdate(filter: object, update: object, options: object): Promise<unknown>;
}

export interface IdOptions<Sequence extends string> {
  /** Sequences that do not start at 1: ids up to this value are allocated elsewhere. */
  above?: Partial<Record<Sequence, number>>;
  /**
   * Sequences whose ids come from blocks of a size that each process reserves (hi-lo). Most ids need no round trip, but they are not in the
   * order of their allocation by several processes, and unused ids of a block are skipped.
   */
  blocks?: { size: number; of: readonly Sequence[] | 'all' };
}

/** Allocates integer ids. No id repeats. Ids ascend over all processes, for one round trip per range, except for those from blocks. */
export class IdSequences<Sequence extends string = string> {
  private readonly blocks = new Map<Sequence, { next: number; last: number }>();
  private readonly leasing = new Map<Sequence, Promise<void>>();

  constructor(
    private readonly counters: CounterCollection,
    private readonly options: IdOptions<Sequence> = {},
  ) {}

  /** The next id of a sequence. */
  async next(sequence: Sequence): Promise<number> {
    return (await this.range(sequence, 1))[0]!;
  }

  /** A range of ascending ids without gaps. */
  async range(sequence: Sequence, count: number): Promise<number[]> {
    const { blocks } = this.options;
    if (!blocks || (blocks.of !== 'all' && !blocks.of.includes(sequence)))
      return idsFrom(await this.reserve(sequence, count), count);
    for (;;) {
      const block = this.blocks.get(sequence);
      if (block && block.last - block.next + 1 >= count) {
        const first = block.next;
        block.next += count;
        return idsFrom(first, count);
      }
      let lease = this.leasing.get(sequence);
      if (!lease) {
        lease = this.lease(sequence, Math.max(blocks.size, count)).finally(() => this.leasing.delete(sequence));
        this.leasing.set(sequence, lease);
      }
      await lease;
    }
  }

  private async lease(sequence: Sequence, size: number): Promise<void> {
    const first = await this.reserve(sequence, size);
    this.blocks.set(sequence, { next: first, last: first + size - 1 });
  }

  /** Reserves ids in the store. @returns the first one */
  private async reserve(sequence: Sequence, size: number): Promise<number> {
    const counter = { _id: sequence };
    const begin = { $setOnInsert: { last: this.options.above?.[sequence] ?? 0 } };
    const raise = () => this.counters.findOneAndUpdate(counter, { $inc: { last: size } }, { returnDocument: 'after' });
    let raised = (await raise()) as { last: number } | null;
    if (!raised) {
      // Race for the first id: another process created the counter.
      await this.counters.updateOne(counter, begin, { upsert: true }).catch(duplicatesIn);
      raised = (await raise()) as { last: number } | null;
    }
    if (!raised) throw new Error(`the counter ${sequence} is missing`);
    return raised.last - size + 1;
  }
}

const idsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);
