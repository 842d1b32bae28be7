import { connect } from './connect';
import { connectEvents } from './connect-events';
import { exitCodes, run } from './program';

/** Runs a command line without a running system. */
async function attempt(...args: string[]) {
  let out = '';
  let err = '';
  const code = await run(args, {
    variables: {},
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
    [['user', 'disable', '--help']],
    [['user', 'enable', '--help']],
    [['user', 'promote', '--help']],
    [['user', 'demote', '--help']],
    [['token', '--help']],
    [['token', 'create', '--help']],
    [['token', 'list', '--help']],
    [['token', 'revoke', '--help']],
    [['audit', '--help']],
    [['task', 'list', '--help']],
    [['task', 'retry', '--help']],
    [['repository', 'list', '--help']],
    [['repository', 'run', '--help']],
    [['events', 'dead', 'list', '--help']],
    [['events', 'dead', 'replay', '--help']],
    [['events', 'dead', 'drop', '--help']],
    [['events', 'dead', 'show', '--help']],
    [['maintenance', 'on', '--help']],
    [['maintenance', 'off', '--help']],
    [['maintenance', 'status', '--help']],
    [['backup', 'create', '--help']],
    [['backup', 'verify', '--help']],
    [['backup', 'restore', '--help']],
    [['status', '--help']],
    [['team', 'list', '--help']],
    [['team', 'add', '--help']],
    [['team', 'remove', '--help']],
    [['component', 'reset', '--help']],
    [['component', 'reclone', '--help']],
    [['component', 'reimport', '--help']],
    [['component', 'recount', '--help']],
    [['reindex', '--help']],
    [['hook', 'list', '--help']],
    [['hook', 'redeliver', '--help']],
    [['webhook', 'list', '--help']],
    [['webhook', 'redeliver', '--help']],
    [['completion', '--help']],
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
    [['user', 'disable']],
    [['user', 'demote', 'a', 'b']],
    [['token', 'create']],
    [['token', 'create', '--user', 'a', '--project', 'b']],
    [['token', 'create', '--user', 'a', '--expires', 'soon']],
    [['audit', '--limit', 'many']],
    [['task', 'list', '--state', 'lost']],
    [['task', 'retry']],
    [['repository', 'run', 'a/b']],
    [['repository', 'run', 'a/b', 'delete']],
    [['events', 'dead', 'show', 'first']],
    [['events', 'dead', 'drop']],
    [['events', 'dead', 'drop', '--all', '--id', 'x']],
    [['events', 'dead', 'replay']],
    [['events', 'dead', 'replay', '--all', '--service', 'hooks']],
    [['maintenance']],
    [['backup']],
    [['backup', 'create']],
    [['backup', 'create', 'folder', '--wait', 'long']],
    [['backup', 'restore', 'folder', 'another']],
    [['maintenance', 'on', '--retry-after', '0']],
    [['maintenance', 'on', '--retry-after', '86401']],
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

  it('a missing address of a service is named when a command needs it', async () => {
    let err = '';
    const code = await run(['repository', 'list'], {
      variables: {},
      connect: () => connect({ IDENTITY_ADDRESS: 'localhost:1', PARLANCE_SERVICE_SECRET: 'x'.repeat(32) }),
      connectEvents: () => connectEvents({}),
      out: () => undefined,
      err: (text) => void (err += text),
      input: () => Promise.resolve(''),
    });
    expect(code).toBe(exitCodes.failure);
    expect(err).toContain('VCS_WORKER_ADDRESS is not set');
  });

  it('missing connection settings are named on standard error', async () => {
    const { code, out, err } = await attempt('user', 'list');
    expect({ code, out }).toEqual({ code: exitCodes.failure, out: '' });
    expect(err).toContain('IDENTITY_ADDRESS is not set');
    expect(err).toContain('PARLANCE_SERVICE_SECRET is not set');
  });
});
