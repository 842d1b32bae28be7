import { isServiceError } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { Conflict, GitRepository, Resolution } from '@parlance/git';
import type { translation as proto } from '@parlance/contracts';
import type { Component } from '../domain/component';
import type { FileConflict } from '../domain/ports';
import { conflictsOf, isFileOf, keptEvents, localTexts, type KeptFile } from './kept-files';
import type { Log, Parts } from './parts';

/** The local side of a merge. */
export interface LocalSide {
  git: GitRepository;
  local: string;
  /** What upstream has of it, or had. Null: nothing. */
  base: string | null;
}

/** Merges translation files string by string with the translation service; leaves other files alone. */
export class FileMerger {
  readonly conflicts: FileConflict[] = [];
  /** Files that upstream removed: whether they stay. */
  private readonly removed = new Map<string, boolean>();
  private readonly kept: KeptFile[] = [];
  private byFile: Map<string, { component: Component; translation: proto.Translation__Output }> | null = null;

  constructor(
    private readonly parts: Pick<Parts, 'translations'>,
    private readonly components: readonly Component[],
    private readonly side: LocalSide,
    private readonly log: Log,
  ) {}

  /** What the history has to tell of the merge, beside the conflicts. */
  events(): OutgoingEvent[] {
    return keptEvents(this.kept);
  }

  private async known(path: string) {
    if (this.byFile === null) {
      this.byFile = new Map();
      for (const component of this.components)
        for (const translation of await this.parts.translations.list(component.settings.id))
          if (translation.filename) this.byFile.set(translation.filename, { component, translation });
    }
    return this.byFile.get(path);
  }

  async resolve(conflict: Conflict): Promise<Resolution> {
    const { path, base, local, upstream } = conflict;
    if (!this.components.some((component) => isFileOf(component, path))) return undefined;
    if (local === null) {
      this.log(`${path}: removed here`);
      return base === null ? upstream : null;
    }
    if (upstream === null) return (await this.stays(path)) ? local : null;
    const found = await this.known(path);
    if (!found) return undefined;
    try {
      const merged = await this.parts.translations.merge(found.component, found.translation.id, {
        base: base ?? Buffer.alloc(0),
        local,
        upstream,
      });
      this.conflicts.push(...merged.conflicts);
      this.log(`${path}: merged string by string, ${merged.conflicts.length} changed on both sides`);
      return merged.bytes;
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      this.log(`${path}: cannot be merged: ${error.message}`);
      return undefined;
    }
  }

  /**
   * Whether a file that upstream removed stays: when there are texts in it that upstream never had. The whole local side is looked at,
   * not the commit at hand: what it removed itself, or took back, keeps nothing.
   */
  private async stays(path: string): Promise<boolean> {
    const before = this.removed.get(path);
    if (before !== undefined) return before;
    const file = await this.keptFile(path);
    const stays = file !== null;
    this.removed.set(path, stays);
    if (file) {
      this.kept.push(file);
      this.conflicts.push(...conflictsOf([file]));
    }
    this.log(`${path}: removed upstream${stays ? '; it stays for the texts that were changed here' : ''}`);
    return stays;
  }

  private async keptFile(path: string): Promise<KeptFile | null> {
    const { git, local, base } = this.side;
    const found = await this.known(path);
    const now = found && (await git.readFile(local, path));
    if (!found || !now) return null;
    const { component, translation } = found;
    const was = base === null ? null : await git.readFile(base, path);
    if (was?.hash === now.hash) return null;
    const language = {
      code: translation.languageCode,
      pluralNumber: translation.language?.pluralNumber ?? 2,
      pluralFormula: translation.language?.pluralFormula ?? '',
    };
    const texts = localTexts(component, language, was?.bytes ?? null, now.bytes);
    // What cannot be read may hold texts all the same.
    return texts?.length === 0 ? null : { component, translation: translation.id, path, texts: texts ?? [] };
  }
}
