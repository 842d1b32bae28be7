import { failureLine } from './failure-line';

describe('failureLine', () => {
  it('failureLine prefers the line of the remote', () => {
    const failure = [
      'To git://host/app.git',
      '!\tb61a6cb:refs/heads/main\t[remote rejected] (pre-receive hook declined)',
      'Done',
      '',
      'remote: ',
      'remote: policy: commits must be authored by an address of example.org        ',
      "error: failed to push some refs to 'git://host/app.git'",
    ].join('\n');
    expect(failureLine(failure)).toBe('policy: commits must be authored by an address of example.org');
  });

  it('failureLine takes the error of git if the remote sent no line', () => {
    expect(failureLine('To git://host/app.git\n!\tb61:refs/heads/main\t[rejected] (non-fast-forward)\nDone')).toBe(
      '!\tb61:refs/heads/main\t[rejected] (non-fast-forward)',
    );
    expect(failureLine("Cloning\nfatal: repository 'x' not found")).toBe("fatal: repository 'x' not found");
  });

  it('failureLine takes the first line if there is no error of git', () => {
    expect(failureLine('Both sides changed README.\nMore.')).toBe('Both sides changed README.');
    expect(failureLine('')).toBe('');
  });
});
