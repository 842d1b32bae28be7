import { isServiceError } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { formatInfo } from '@parlance/formats';
import type { Conflict, GitRepository, Resolution } from '@parlance/git';
import type { translation as proto } from '@parlance/contracts';
import type { Component } from '../../domain/component';
import type { FileConflict } from '../../domain/ports';
import { conflictsOf, keptEvents, localTexts, sameStrings, type FileLanguage, type KeptFile } from './kept-files';
import type { Log, Deps } from '../deps';
import { codeOfFile, ownsAnyFile } from '../import/plan-import';

/** Owner of a file. */
interface OwnedFile {
  component: Component;
  translation: proto.Translation__Output;
}

const languageOf = ({ languageCode, language }: proto.Translation__Output): FileLanguage => ({
  code: languageCode,
  pluralNumber: language?.pluralNumber ?? 2,
  pluralFormula: language?.pluralFormula ?? '',
});

/** The local side of a merge. */
export interface LocalSide {
  git: GitRepository;
  local: string;
  /** Blob of upstream's version, or of its last version. Null: none. */
  base: string | null;
}

/** Merges translation files string by string with the translation service; leaves other files to git. */
export class FileMerger {
  readonly conflicts: FileConflict[] = [];
  /** Whether files that upstream deleted are kept. */
  private readonly removed = new Map<string, boolean>();
  private readonly kept: KeptFile[] = [];
  private byFile: Map<string, OwnedFile> | null = null;

  constructor(
    private readonly deps: Pick<Deps, 'translations'>,
    private readonly components: readonly Component[],
    private readonly side: LocalSide,
    private readonly log: Log,
  ) {}

  /** History entries of the merge, besides the conflicts. */
  events(): OutgoingEvent[] {
    return keptEvents(this.kept);
  }

  private async findOwner(path: string) {
    if (this.byFile === null) {
      this.byFile = new Map();
      for (const component of this.components)
        for (const translation of await this.deps.translations.list(component.settings.id))
          if (translation.filename) this.byFile.set(translation.filename, { component, translation });
    }
    return this.byFile.get(path);
  }

  async resolve(conflict: Conflict): Promise<Resolution> {
    const { path, base, local, upstream, joined, moved } = conflict;
    if (!this.components.some((component) => ownsAnyFile(component, [path]))) return undefined;
    if (local === null) {
      this.log(`${path}: deleted here`);
      return base === null ? upstream : null;
    }
    const found = await this.findOwner(path);
    const versions = { base: base ?? Buffer.alloc(0), local };
    if (upstream !== null) return found && this.merge(path, found, { ...versions, upstream }, joined);
    if (!found || !moved || !this.isSameLanguage(path, moved.path))
      return (await this.keepsRemovedFile(path)) ? local : null;
    this.log(`${path}: moved to ${moved.path} upstream`);
    const bytes = await this.merge(moved.path, found, { ...versions, upstream: moved.bytes });
    return bytes && { moved: bytes };
  }

  /** @returns undefined if a version cannot be parsed */
  private async merge(
    path: string,
    { component, translation }: OwnedFile,
    versions: { base: Buffer; local: Buffer; upstream: Buffer },
    joined?: Buffer,
  ): Promise<Buffer | undefined> {
    try {
      const merged = await this.deps.translations.merge(component, translation.id, versions);
      this.conflicts.push(...merged.conflicts);
      // Header and comments of gettext files can change on both sides; a merge by lines handles them better.
      if (
        joined &&
        formatInfo(component.settings.fileFormat)?.extension === 'po' &&
        merged.conflicts.length === 0 &&
        sameStrings(component, languageOf(translation), joined, merged.bytes)
      )
        return joined;
      this.log(`${path}: merged string by string, ${merged.conflicts.length} changed on both sides`);
      return merged.bytes;
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      this.log(`${path}: cannot be merged: ${error.message}`);
      return undefined;
    }
  }

  /** Similar files count as one moved file only if they contain the same language. */
  private isSameLanguage(path: string, moved: string): boolean {
    for (const component of this.components) {
      const code = codeOfFile(component, path);
      if (code === undefined) continue;
      const owner = this.components.find((other) => ownsAnyFile(other, [moved]));
      if (owner) return owner === component && codeOfFile(component, moved) === code;
      // The file mask may be changed later.
      return moved.split(/[^A-Za-z0-9_@-]+/).includes(code);
    }
    return false;
  }

  /**
   * Whether a file that upstream deleted is kept: if it contains texts that upstream never had. Compares the whole local side,
   * not the current commit: texts that were deleted or reverted locally do not count.
   */
  private async keepsRemovedFile(path: string): Promise<boolean> {
    const before = this.removed.get(path);
    if (before !== undefined) return before;
    const file = await this.loadKeptFile(path);
    const isKept = file !== null;
    this.removed.set(path, isKept);
    if (file) {
      this.kept.push(file);
      this.conflicts.push(...conflictsOf([file]));
    }
    this.log(`${path}: deleted upstream${isKept ? '; kept because of local changes' : ''}`);
    return isKept;
  }

  private async loadKeptFile(path: string): Promise<KeptFile | null> {
    const { git, local, base } = this.side;
    const found = await this.findOwner(path);
    const current = found && (await git.readFile(local, path));
    if (!found || !current) return null;
    const { component, translation } = found;
    const former = base === null ? null : await git.readFile(base, path);
    if (former?.hash === current.hash) return null;
    const texts = localTexts(component, languageOf(translation), former?.bytes ?? null, current.bytes);
    // An unparsable file may contain texts.
    return texts?.length === 0 ? null : { component, translation: translation.id, path, texts: texts ?? [] };
  }
}
