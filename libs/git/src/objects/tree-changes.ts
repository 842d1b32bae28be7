import { GitError } from '../errors';
import type { ObjectReader } from './object-reader';
import type { ChangedFile, FileVersion } from './parse';

const HASH_BYTES = 20;
export const FOLDER_MODE = '040000';

/** Entries of a tree object by name; modes as `git diff-tree` prints them. */
export function parseTreeObject(bytes: Buffer): Map<string, FileVersion> {
  const entries = new Map<string, FileVersion>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 1 + HASH_BYTES > bytes.length)
      throw new GitError('broken', 'A tree of the repository cannot be read.');
    const mode = canonicalMode(parseInt(bytes.toString('latin1', at, space), 8));
    const name = bytes.toString('utf8', space + 1, end);
    at = end + 1 + HASH_BYTES;
    entries.set(name, { mode, hash: bytes.toString('hex', end + 1, at) });
  }
  return entries;
}

function canonicalMode(mode: number): string {
  switch (mode & 0o170000) {
    case 0o100000:
      return mode & 0o100 ? '100755' : '100644';
    case 0o120000:
      return '120000';
    case 0o040000:
      return FOLDER_MODE;
    default:
      return '160000';
  }
}

/**
 * Both versions of each file that differs between two trees, like `git diff-tree -r --no-renames`, ordered by path.
 * @param from null: the empty tree
 */
export async function changedInTrees(
  reader: ObjectReader,
  from: string | null,
  to: string,
): Promise<Map<string, ChangedFile>> {
  const found: [string, ChangedFile][] = [];
  const entriesOf = async (hash: string | null): Promise<Map<string, FileVersion>> => {
    if (hash === null) return new Map();
    const object = await reader.read(hash);
    if (object?.type !== 'tree') throw new GitError('broken', 'A tree of the repository is missing.');
    return parseTreeObject(object.bytes);
  };
  const compare = async (prefix: string, before: string | null, after: string | null): Promise<void> => {
    const [old, now] = [await entriesOf(before), await entriesOf(after)];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [one, other] = [old.get(name), now.get(name)];
      if (one?.hash === other?.hash && one?.mode === other?.mode) continue;
      const path = prefix + name;
      const [oldFolder, newFolder] = [folderOf(one), folderOf(other)];
      const [oldFile, newFile] = [oldFolder === null ? one : undefined, newFolder === null ? other : undefined];
      if (oldFile || newFile) found.push([path, { before: oldFile, after: newFile }]);
      if (oldFolder !== newFolder) await compare(`${path}/`, oldFolder, newFolder);
    }
  };
  if (from !== to) await compare('', from, to);
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function folderOf(entry: FileVersion | undefined): string | null {
  return entry?.mode === FOLDER_MODE ? entry.hash : null;
}
