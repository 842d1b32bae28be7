import { BLOCK_SIZE } from '../../domain/search/postings';
import type { UnitSet } from '../../domain/search/unit-set';

/** Units that a search found, by id. */
export class Matches {
  readonly total: number;
  private readonly sizes: number[];

  /** @param blocks by ascending id */
  constructor(private readonly blocks: readonly { id: number; set: UnitSet }[]) {
    this.sizes = blocks.map(({ set }) => set.size);
    this.total = this.sizes.reduce((sum, size) => sum + size, 0);
  }

  ids(skip: number, limit: number): number[] {
    const found: number[] = [];
    this.blocks.forEach(({ id, set }, at) => {
      const size = this.sizes[at]!;
      if (skip < size && found.length < limit)
        for (const offset of set.offsets(skip, limit - found.length)) found.push(id * BLOCK_SIZE + offset);
      skip = Math.max(0, skip - size);
    });
    return found;
  }
}
