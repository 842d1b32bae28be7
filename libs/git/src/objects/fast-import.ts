import { GitError } from '../errors';
import { checkedHash, checkedPath } from '../names';
import type { Signature } from '../types';

/** A change of a tree: new bytes, an existing object, a removal, or the replacement of the whole tree. */
export type TreeChange =
  | { path: string; bytes: Buffer; executable?: boolean }
  | { path: string; object: string; mode: string }
  | { path: string; remove: true }
  | { tree: string };

/** A commit for fast-import. */
export interface ImportCommit {
  /** Hashes, or indexes of earlier commits in the same list; empty: a root commit. */
  parents: readonly (string | number)[];
  author: Signature;
  committer: Signature;
  message: string;
  changes: readonly TreeChange[];
}

/** fast-import needs a ref for new commits. Its target is not used afterwards. */
const SCRATCH_REF = 'refs/parlance/scratch';

/** Replaces characters that are syntax in commit signatures. */
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
 * Builds a fast-import stream. It bypasses filters, line end conversion and hooks. fast-import prints one hash per commit, in order.
 */
export function importStream(commits: readonly ImportCommit[]): Buffer {
  const parts: (string | Buffer)[] = ['feature done\n'];
  const data = (bytes: Buffer) => parts.push(`data ${bytes.length}\n`, bytes, '\n');
  // A buffer that several commits share is sent once.
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
        throw new GitError('failed', 'The parent of a commit must come before it in the list.');
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
