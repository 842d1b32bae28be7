import { GitError } from './errors';
import { checkedHash, checkedPath } from './names';
import type { Signature } from './types';

/** A tree's change: bytes, an object that exists, or removal. An empty path with a tree replaces everything. */
export type TreeChange =
  | { path: string; bytes: Buffer; executable?: boolean }
  | { path: string; object: string; mode: string }
  | { path: string; remove: true }
  | { tree: string };

/** A commit as fast-import takes it. */
export interface ImportCommit {
  /** Hash, or the place in the same list of a commit made before; absent: no parent. */
  parents: readonly (string | number)[];
  author: Signature;
  committer: Signature;
  message: string;
  changes: readonly TreeChange[];
}

/** Ref that new commits are made under; what it points to means nothing once they have a name. */
const SCRATCH_REF = 'refs/parlance/scratch';

/** Removes what git gives a meaning in names and addresses of commits. */
function cleanName(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function signatureLine(role: string, signature: Signature): string {
  const email = cleanName(signature.email).replace(/ /g, '');
  const name = cleanName(signature.name) || email.split('@')[0] || 'unknown';
  return `${role} ${name} <${email}> ${Math.max(0, Math.floor(signature.timeMs / 1000))} +0000\n`;
}

function quotedPath(path: string): string {
  return `"${checkedPath(path).replace(/(["\\])/g, '\\$1')}"`;
}

/**
 * Writes the stream that makes commits, byte for byte: no filter, no line end conversion, no hook has a say. The answer holds one
 * hash a commit, in order.
 */
export function importStream(commits: readonly ImportCommit[]): Buffer {
  const parts: (string | Buffer)[] = ['feature done\n'];
  const data = (bytes: Buffer) => parts.push(`data ${bytes.length}\n`, bytes, '\n');
  // Several commits may hold the same buffer: it is sent once.
  const blobs = new Map<Buffer, number>();
  commits.forEach((commit, index) => {
    for (const change of commit.changes) {
      if (!('bytes' in change) || blobs.has(change.bytes)) continue;
      const mark = commits.length + blobs.size + 1;
      blobs.set(change.bytes, mark);
      parts.push(`blob\nmark :${mark}\n`);
      data(change.bytes);
    }
    parts.push(`reset ${SCRATCH_REF}\n\ncommit ${SCRATCH_REF}\nmark :${index + 1}\n`);
    parts.push(signatureLine('author', commit.author), signatureLine('committer', commit.committer));
    data(Buffer.from(commit.message.replaceAll('\0', '').trimEnd() + '\n', 'utf8'));
    commit.parents.forEach((parent, at) => {
      if (typeof parent === 'number' && parent >= index)
        throw new GitError('failed', 'A commit can only follow one that was made before it.');
      parts.push(
        `${at === 0 ? 'from' : 'merge'} ${typeof parent === 'number' ? `:${parent + 1}` : checkedHash(parent)}\n`,
      );
    });
    for (const change of commit.changes) {
      if ('tree' in change) parts.push(`M 040000 ${checkedHash(change.tree)} ""\n`);
      else if ('remove' in change) parts.push(`D ${quotedPath(change.path)}\n`);
      else if ('object' in change)
        parts.push(`M ${change.mode} ${checkedHash(change.object)} ${quotedPath(change.path)}\n`);
      else {
        const mode = change.executable ? '100755' : '100644';
        parts.push(`M ${mode} :${blobs.get(change.bytes)!} ${quotedPath(change.path)}\n`);
      }
    }
    parts.push(`\nget-mark :${index + 1}\n`);
  });
  parts.push('done\n');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
}
