import { DictionaryPart } from './dictionary';
import type { Amendment } from './postings';
import type { TokenTest } from './tokens';
import { UnitSet } from './unit-set';

/** Units that a test selects: for certain, because of a regular token, and all that it may select. */
export interface SelectedUnits {
  sure: UnitSet;
  possible: UnitSet;
}

/** The units of a block whose postings are replaced, prepared for tests. */
export class AmendedUnits {
  /** All of them. */
  readonly units = new UnitSet();
  /** The tokens of all units, one unit after the other; `starts` are the ranks of their first tokens. */
  private readonly words: DictionaryPart;

  constructor(private readonly amendments: readonly Amendment[]) {
    const starts: number[] = [];
    const words: string[] = [];
    for (const { offset, tokens } of amendments) {
      this.units.add(offset);
      starts.push(words.length);
      for (const token of tokens) words.push(token);
    }
    this.words = new DictionaryPart({ words: Buffer.from(words.length > 0 ? `\n${words.join('\n')}\n` : ''), starts });
  }

  /** In bytes, approximately. */
  get size(): number {
    return this.words.size + this.amendments.length * 8;
  }

  select(test: TokenTest): SelectedUnits {
    const { regular: sure, irregular } = this.unitsWith(test);
    const possible = irregular.union(sure);
    if (test.orAll.length > 0 && this.words.hasLongWords) {
      const [first, ...rest] = test.orAll.map((text) => this.unitsWithEither(text)) as [UnitSet, ...UnitSet[]];
      for (const set of rest) first.intersect(set);
      possible.union(first);
    }
    return { sure, possible };
  }

  private unitsWithEither(text: string): UnitSet {
    const { regular, irregular } = this.unitsWith({ at: 'whole', text });
    return regular.union(irregular);
  }

  private unitsWith(test: Pick<TokenTest, 'at' | 'text'>): { regular: UnitSet; irregular: UnitSet } {
    const [regular, irregular] = [new UnitSet(), new UnitSet()];
    const hits = this.words.select(test);
    for (const rank of hits.regular) regular.add(this.offsetAt(rank));
    for (const rank of hits.irregular) irregular.add(this.offsetAt(rank));
    return { regular, irregular };
  }

  private offsetAt(rank: number): number {
    return this.amendments[this.words.locate(rank).chunk]!.offset;
  }
}
