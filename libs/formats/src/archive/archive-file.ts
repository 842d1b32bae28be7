import { blankFile } from '../core/define';
import { checkChanges } from '../core/splice-file';
import {
  FormatError,
  type Change,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatFile,
  type FormatUnit,
  type ParseOptions,
} from '../format';
import { ZipArchive } from './zip';

/** An archive with strings in some of its members. */
export interface ArchiveFormat {
  id: string;
  /** The members with strings in order, and their formats. */
  members(archive: ZipArchive): readonly { name: string; format: FileFormat }[];
  /** Context of a unit of a member. */
  context(member: string, unit: FormatUnit, index: number): string;
  /** Content of a new language's member; default: a copy. */
  create?: 'copy' | 'blank';
}

interface Part {
  name: string;
  file: FormatFile;
  /** Number of units in the preceding members. */
  first: number;
}

class ArchiveFile implements FormatFile {
  readonly units: readonly FormatUnit[];
  readonly metadata: FileMetadata;
  private readonly parts: Part[] = [];
  private readonly archive: ZipArchive;

  constructor(
    private readonly definition: ArchiveFormat,
    bytes: Buffer,
    options: ParseOptions,
  ) {
    this.archive = new ZipArchive(bytes, options.limits);
    const units: FormatUnit[] = [];
    for (const { name, format } of definition.members(this.archive)) {
      const file = format.parse(this.archive.read(name) as Buffer, options);
      this.parts.push({ name, file, first: units.length });
      for (const unit of file.units) {
        const index = units.length;
        const context = definition.context(name, unit, index);
        units.push({ ...unit, index, context, source: [context], location: name });
      }
    }
    this.units = units;
    this.metadata = { charset: 'utf-8', bom: false, eol: '\n', monolingual: true, headers: new Map() };
  }

  get format(): string {
    return this.definition.id;
  }

  apply(changes: readonly Change[]): Buffer {
    checkChanges(this, changes);
    const files = new Map<string, Buffer>();
    for (const { name, file, first } of this.parts) {
      const own = changes.flatMap((change): Change[] => {
        if (change.op !== 'set') return [];
        const index = change.index - first;
        const unit = file.units[index];
        return unit && unit.target[0] !== change.target[0] ? [{ ...change, index }] : [];
      });
      if (own.length > 0) files.set(name, file.apply(own));
    }
    if (changes.some((change) => change.op === 'add' || change.op === 'remove')) {
      throw new FormatError('unsupported', `strings cannot be added to or removed from ${this.definition.id} files`);
    }
    return this.archive.replace(files);
  }
}

export function archiveFormat(definition: ArchiveFormat): FileFormat {
  const { id } = definition;
  const parse = (bytes: Buffer, options: ParseOptions = {}): ArchiveFile => new ArchiveFile(definition, bytes, options);
  return {
    id,
    parse,
    createTranslation(base: Buffer | undefined, options: CreateOptions): Buffer {
      if (!base) throw new FormatError('base-required', `a new ${id} file requires a base file`);
      if (definition.create === 'blank') return blankFile((bytes) => parse(bytes), base, options);
      return parse(base).apply([]);
    },
  };
}
