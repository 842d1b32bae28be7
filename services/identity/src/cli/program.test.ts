import { connect } from './connect';
import { exitCodes, run } from './program';

/** Runs a command line that does not get as far as the running system. */
async function attempt(...args: string[]) {
  let out = '';
  let err = '';
  const code = await run(args, {
    connect: () => connect({}),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    input: () => Promise.resolve(''),
  });
  return { code, out, err };
}

describe('the command line', () => {
  it.each([
    [['--help']],
    [['user', '--help']],
    [['user', 'create', '--help']],
    [['user', 'list', '--help']],
    [['user', 'reset-password', '--help']],
    [['token', '--help']],
    [['token', 'create', '--help']],
    [['token', 'list', '--help']],
    [['token', 'revoke', '--help']],
    [['audit', '--help']],
  ])('helps with %j', async (args) => {
    const { code, out, err } = await attempt(...args);
    expect({ code, err }).toEqual({ code: exitCodes.ok, err: '' });
    expect(out).toContain('Usage: parlance');
  });

  it.each([
    [['fly']],
    [['user', 'create']],
    [['user', 'create', 'a', 'b']],
    [['user', 'create', 'a', '--colour', 'red']],
    [['token', 'create']],
    [['token', 'create', '--user', 'a', '--project', 'b']],
    [['token', 'create', '--user', 'a', '--expires', 'soon']],
    [['audit', '--limit', 'many']],
    [[]],
  ])('says that %j is wrong usage', async (args) => {
    const { code, out, err } = await attempt(...args);
    expect({ code, out }).toEqual({ code: exitCodes.usage, out: '' });
    expect(err).not.toBe('');
  });

  it('says what is missing to reach the system, on standard error', async () => {
    const { code, out, err } = await attempt('user', 'list');
    expect({ code, out }).toEqual({ code: exitCodes.failure, out: '' });
    expect(err).toContain('IDENTITY_ADDRESS is not set');
    expect(err).toContain('PARLANCE_SERVICE_SECRET is not set');
  });
});
