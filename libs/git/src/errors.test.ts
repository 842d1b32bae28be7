import { diskFullOr, failureFrom, GitError } from './errors';

describe('failures of git', () => {
  it.each([
    ["fatal: couldn't find remote ref refs/heads/x", 'no-branch'],
    ['ERROR: Repository not found.\nfatal: Could not read from remote repository.', 'not-found'],
    ['fatal: unable to connect to example.org', 'unreachable'],
    ['remote: fatal: write error: No space left on device\n ! [remote rejected] main -> main', 'rejected'],
    ['fatal: something new', 'failed'],
  ])('"%s" means %s, and people read what git says', (messages, problem) => {
    expect(failureFrom(messages, messages)).toMatchObject({ problem, message: messages });
  });

  it.each([
    "fatal: sha1 file '/data/repositories/5.git/objects/pack/tmp_pack_x' write error. Out of diskspace",
    'error: unable to write file /data/x\nfatal: write error: No space left on device',
    'fatal: cannot create /data/x: Disk quota exceeded',
  ])('a full disk of this machine is told without the path of a file: %s', (messages) => {
    const error = failureFrom(messages, messages);
    expect(error.problem).toBe('disk-full');
    expect(error.message).not.toContain('/data');
    expect(error.cause).toBe(messages);
  });

  it('a failed write of a file is the same failure if the disk is full', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(diskFullOr(full)).toBeInstanceOf(GitError);
    expect(diskFullOr(full)).toMatchObject({ problem: 'disk-full', cause: full });
    const other = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    expect(diskFullOr(other)).toBe(other);
  });
});
