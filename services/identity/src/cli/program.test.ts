import { connect } from './connect';
import { connectEvents } from './connect-events';
import { exitCodes, run } from './program';

/** Runs a command line without a running system. */
async function attempt(...args: string[]) {
  let out = '';
  let err = '';
  const code = await run(args, {
    connect: () => connect({}),
    connectEvents: () => connectEvents({}),
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
    [['events', 'dead', 'list', '--help']],
    [['events', 'dead', 'replay', '--help']],
  ])('the command line shows help with %j', async (args) => {
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
    [['events', 'dead', 'replay']],
    [['events', 'dead', 'replay', '--all', '--service', 'hooks']],
    [[]],
  ])('the command line rejects %j as wrong usage', async (args) => {
    const { code, out, err } = await attempt(...args);
    expect({ code, out }).toEqual({ code: exitCodes.usage, out: '' });
    expect(err).not.toBe('');
  });

  it('a missing event server setting is named', async () => {
    const { code, out, err } = await attempt('events', 'dead', 'list');
    expect({ code, out }).toEqual({ code: exitCodes.failure, out: '' });
    expect(err).toContain('NATS_URL');
  });

  it('missing connection settings are named on standard error', async () => {
    const { code, out, err } = await attempt('user', 'list');
    expect({ code, out }).toEqual({ code: exitCodes.failure, out: '' });
    expect(err).toContain('IDENTITY_ADDRESS is not set');
    expect(err).toContain('PARLANCE_SERVICE_SECRET is not set');
  });
});
