import type { PluralInfo } from '@parlance/formats';
import type { Component } from '../../domain/component';
import type { Repository } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { parseFile } from '../commit/render-pending';
import { SizedCache } from '../search/page-cache';

/** Files whose plural forms are remembered. */
const CACHED_FILES = 10_000;

/** What files in the repository declare, by their content; small, but asking for a file and reading it is not. */
export class DeclaredPlurals {
  private readonly known = new SizedCache<{ plural: PluralInfo | undefined }>(CACHED_FILES);

  constructor(private readonly repository: Repository) {}

  /** The plural forms that the stored file of a translation declares. */
  async of(component: Component, { id, filename, revision, language }: Translation): Promise<PluralInfo | undefined> {
    if (!filename) return undefined;
    const key = `${id}:${filename}:${revision}`;
    let known = this.known.get(key);
    if (!known) {
      const stored = await this.repository.readFile(component.id, filename);
      known = { plural: stored ? parseFile(component, language, stored.bytes).metadata.plural : undefined };
      // What lies there may be newer than what was read from it: then it is asked for again.
      if (stored?.revision === revision) this.known.set(key, known, 1);
    }
    return known.plural;
  }
}
