import { createHash } from 'node:crypto';
import { GitError } from '../errors';
import { checkedBranch } from '../names';
import type { CommitInfo, EntryKind, Signature, TreeEntry } from '../types';

/** The git object name of a file's bytes. */
export function blobHash(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Parses `ls-tree -r -z -l`. Links and submodules are omitted, so that they are never followed. */
export function parseTree(output: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const line of output.toString('utf8').split('\0')) {
    const match = /^(100644|100755|100664) blob ([0-9a-f]{40}) +(\d+)\t([\s\S]+)$/.exec(line);
    if (match)
      entries.push({ path: match[4]!, hash: match[2]!, size: Number(match[3]), executable: match[1] === '100755' });
  }
  return entries;
}

const kinds: Readonly<Record<string, EntryKind>> = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

/** Parses `ls-tree -z`, entries of all kinds. */
export function parseKinds(output: Buffer): { path: string; kind: EntryKind }[] {
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const match = /^(\d{6}) \w+ [0-9a-f]{40}\t([\s\S]+)$/.exec(line);
      return match ? [{ path: match[2]!, kind: kinds[match[1]!] ?? 'file' }] : [];
    });
}

/** Parses `cat-file --batch`. Missing objects are omitted. */
export function* parseObjects(output: Buffer): Generator<{ hash: string; type: string; bytes: Buffer }> {
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    if (end < 0) throw new GitError('failed', 'The output of git is truncated.');
    const [hash, type, size] = output.toString('latin1', at, end).split(' ') as [string, string, string | undefined];
    at = end + 1;
    if (size === undefined) continue;
    const length = Number(size);
    if (at + length > output.length) throw new GitError('failed', 'The output of git is truncated.');
    yield { hash, type, bytes: output.subarray(at, at + length) };
    at += length + 1;
  }
}

function parseSignature(line: string): Signature {
  const match = /^(.*?) ?<([^<>]*)> (-?\d+)/.exec(line);
  return match
    ? { name: match[1]!, email: match[2]!, timeMs: Number(match[3]) * 1000 }
    : { name: '', email: '', timeMs: 0 };
}

/** Parses a commit object. */
export function parseCommit(hash: string, bytes: Buffer): CommitInfo {
  const text = bytes.toString('utf8');
  const gap = text.indexOf('\n\n');
  const info: CommitInfo = {
    hash,
    tree: '',
    parents: [],
    author: { name: '', email: '', timeMs: 0 },
    committer: { name: '', email: '', timeMs: 0 },
    message: gap < 0 ? '' : text.slice(gap + 2),
  };
  for (const line of (gap < 0 ? text : text.slice(0, gap)).split('\n')) {
    const space = line.indexOf(' ');
    const value = line.slice(space + 1);
    // Continuation lines of signatures start with a space and match no case.
    switch (line.slice(0, space)) {
      case 'tree':
        info.tree = value;
        break;
      case 'parent':
        info.parents.push(value);
        break;
      case 'author':
        info.author = parseSignature(value);
        break;
      case 'committer':
        info.committer = parseSignature(value);
        break;
    }
  }
  return info;
}

/** A file's content and mode. */
export interface FileVersion {
  mode: string;
  hash: string;
}

/** A file before and after a change; undefined: the file does not exist. */
export interface ChangedFile {
  before: FileVersion | undefined;
  after: FileVersion | undefined;
}

/** Parses `diff-tree -r -z --no-renames`; by path. */
export function parseDiff(output: Buffer): Map<string, ChangedFile> {
  const parts = output.toString('utf8').split('\0');
  const found = new Map<string, ChangedFile>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) /.exec(parts[at]!);
    if (!match) continue;
    const [, modeBefore = '', modeAfter = '', hashBefore = '', hashAfter = ''] = match;
    const version = (mode: string, hash: string) => (mode === '000000' ? undefined : { mode, hash });
    found.set(parts[at + 1]!, { before: version(modeBefore, hashBefore), after: version(modeAfter, hashAfter) });
  }
  return found;
}

/**
 * Parses the output of `ls-remote --symref` for one name.
 * @param name `HEAD` or the full name of the branch
 * @param branch empty: the default branch
 * @throws GitError no-branch, empty, broken
 */
export function parseRemoteHead(output: Buffer, name: string, branch: string): { branch: string; hash: string } {
  let target = branch;
  let hash = '';
  for (const line of output.toString('utf8').split('\n')) {
    const [value, listedName] = line.split('\t');
    if (listedName !== name || value === undefined) continue;
    if (value.startsWith('ref: refs/heads/')) target = value.slice('ref: refs/heads/'.length);
    else hash = value;
  }
  if (hash === '') {
    if (branch !== '') throw new GitError('no-branch', `The repository has no branch ${branch}.`);
    throw new GitError('empty', 'The repository has no default branch; name one, or make a first commit.');
  }
  if (!/^[0-9a-f]{40}$/.test(hash)) throw new GitError('broken', 'Repositories with SHA-256 names are not supported.');
  return { branch: checkedBranch(target), hash };
}
