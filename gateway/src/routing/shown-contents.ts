import type { ContentScope } from '@parlance/redis';
import type { ExpectedContents } from '../directory/known-contents';

/**
 * The contents that a reply shows. A reply may start under a generation that was known before the request; it is sent or kept only if the
 * request then sees the same one.
 */
export class ShownContents {
  private scope: ContentScope | undefined;
  private isKeepable = true;
  private readonly keeping: (() => void)[] = [];
  private usesKept = false;

  constructor(private readonly expected: ExpectedContents = {}) {}

  /** The generation under which kept contents may be used; undefined: none. */
  get generation(): string | undefined {
    return this.expected.generation;
  }

  /** Names the contents that the reply shows; the smallest scope that contains all of them. */
  show(scope: ContentScope): void {
    this.scope = scope;
  }

  /** The reply depends on something else, too: it must not be kept. */
  discard(): void {
    this.isKeepable = false;
  }

  /** The reply was made from kept contents. */
  useKept(): void {
    this.usesKept = true;
  }

  /** @param keep called when the reply may be kept */
  whenKept(keep: () => void): void {
    this.keeping.push(keep);
  }

  /** Whether the reply may be sent by a request that saw this generation. */
  isValid(generation: string | undefined): boolean {
    return !this.usesKept || generation === this.generation;
  }

  /**
   * Keeps the reply if it was made under the generation that its request saw.
   * @returns the contents that it shows; undefined: none were named
   */
  finish(generation: string | undefined): ContentScope | undefined {
    const { scope, expected } = this;
    const isCurrent = generation !== undefined && generation === expected.generation && scope === expected.scope;
    if (this.isKeepable && isCurrent) for (const keep of this.keeping) keep();
    return scope;
  }
}
