import { keyedFormat } from '../core/keyed';
import { blankFile } from '../core/define';
import {
  FormatError,
  type Change,
  type CreateOptions,
  type FileFormat,
  type FormatFile,
  type ParseOptions,
} from '../format';
import { archiveFormat } from './archive-file';
import { writeZip, ZipArchive } from './zip';

/** A text file as one string; its last line end is not part of it. */
const wholeText = keyedFormat({
  id: 'appstore',
  read({ document }) {
    const body = document.text.replace(/\r?\n$/, '');
    const target = [body.replaceAll('\r\n', '\n')];
    return [{ context: '', target, offset: 0, slots: [{ start: 0, end: body.length }], removal: [] }];
  },
  encode({ document }, text) {
    if (text.includes('\r')) throw new FormatError('unrepresentable', 'the text has a carriage return');
    return text.replaceAll('\n', document.eol);
  },
});

const archive = archiveFormat({
  id: 'appstore',
  members: (zip) =>
    zip.names
      .filter((name) => name.endsWith('.txt'))
      .sort()
      .map((name) => ({ name, format: wholeText })),
  context: (member) => member.replace(/\.txt$/, ''),
  create: 'blank',
});

/** Deletes whole files. Archives of other formats never do. */
function withRemoval(bytes: Buffer, options: ParseOptions): FormatFile {
  const file = archive.parse(bytes, options);
  return {
    format: 'appstore',
    units: file.units,
    metadata: file.metadata,
    apply(changes: readonly Change[]): Buffer {
      const removedPaths = new Set(
        changes.flatMap((change) => (change.op === 'remove' ? [file.units[change.index]?.location] : [])),
      );
      const written = file.apply(changes.filter((change) => change.op !== 'remove'));
      if (removedPaths.size === 0) return written;
      if (removedPaths.has(undefined)) throw new FormatError('unknown-unit', 'the file has no such string');
      return packFolder(unpackFolder(written, options).filter(([name]) => !removedPaths.has(name)));
    },
  };
}

/**
 * Store texts: a folder of text files (`full_description.txt`, `changelogs/12.txt`), one string each. The folder travels as a ZIP
 * archive, see `packFolder`.
 */
export const appstore: FileFormat = {
  id: 'appstore',
  parse: (bytes, options = {}) => withRemoval(bytes, options),
  createTranslation(base: Buffer | undefined, options: CreateOptions): Buffer {
    if (!base) throw new FormatError('base-required', 'a new appstore folder requires a base folder');
    return blankFile((bytes) => withRemoval(bytes, {}), base, options);
  },
};

/** A folder's files as the archive that `appstore` reads. Equal folders give equal bytes. */
export function packFolder(files: readonly (readonly [string, Buffer])[]): Buffer {
  return writeZip([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files of such an archive. */
export function unpackFolder(bytes: Buffer, options: ParseOptions = {}): [string, Buffer][] {
  const zip = new ZipArchive(bytes, options.limits);
  return zip.names.filter((name) => !name.endsWith('/')).map((name) => [name, zip.read(name) as Buffer]);
}
