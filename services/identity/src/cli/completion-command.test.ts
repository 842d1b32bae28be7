import { execFileSync } from 'node:child_process';
import { connect } from './connect';
import { connectEvents } from './connect-events';
import { run } from './program';

async function script(shell: string): Promise<string> {
  let out = '';
  await run(['completion', shell], {
    variables: {},
    connect: () => connect({}),
    connectEvents: () => connectEvents({}),
    out: (text) => void (out += text),
    err: () => undefined,
    input: () => Promise.resolve(''),
  });
  return out;
}

/** Words that bash offers after a command line. */
async function completions(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const program = `${await script('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _parlance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it.each([
    [['parlance', 'ba'], ['backup']],
    [
      ['parlance', 'user', ''],
      ['create', 'list', 'reset-password', 'set-email', 'disable', 'enable', 'promote', 'demote', 'help', '--help'],
    ],
    [
      ['parlance', 'component', 're'],
      ['reset', 'reclone', 'reimport', 'recount'],
    ],
    [
      ['parlance', 'events', 'dead', ''],
      ['list', 'show', 'replay', 'drop', 'help', '--help'],
    ],
    [
      ['parlance', 'repository', 'run', 'website/texts', 'pu'],
      ['pull', 'push'],
    ],
    [['parlance', 'task', 'list', '--sta'], ['--state']],
    [['parlance', 'task', 'list', '--json', '--comp'], ['--component']],
  ])('%j continues with %j', async (words, expected) => {
    expect(await completions(...words)).toEqual(expected);
  });

  it('zsh uses the same script through its own emulation', async () => {
    expect(await script('zsh')).toBe(`autoload -U +X bashcompinit && bashcompinit\n${await script('bash')}`);
  });
});
