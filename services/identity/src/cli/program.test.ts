import { wordsAfter } from './completion-command';
import { connect } from './connect';
import { connectEvents } from './connect-events';
import { createProgram, exitCodes, run } from './program';
import { Session, type CommandEnvironment } from './session';

/** Environment without a running system. */
const unconnected: CommandEnvironment = {
  variables: {},
  connect: () => connect({}),
  connectEvents: () => connectEvents({}),
  out: () => undefined,
  err: () => undefined,
  input: () => Promise.resolve(''),
};

/** Runs a command line without a running system. */
async function attempt(...args: string[]) {
  let out = '';
  let err = '';
  const code = await run(args, {
    ...unconnected,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

/** Paths of all commands and groups: `task list`; '' is the program itself. */
const paths = [...wordsAfter(createProgram(new Session(unconnected))).keys()];

describe('the command line', () => {
  it('the list of commands contains groups, nested commands and their leaves', () => {
    expect(paths).toEqual(expect.arrayContaining(['', 'task', 'task cancel', 'events dead replay', 'webhook', 'mail']));
  });

  it.each(paths)('the command line shows the help of "parlance %s"', async (path) => {
    const { code, out, err } = await attempt(...path.split(' ').filter(Boolean), '--help');
    expect({ code, err }).toEqual({ code: exitCodes.ok, err: '' });
    expect(out).toContain(`Usage: parlance ${path}`.trimEnd());
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
      ...unconnected,
      connect: () => connect({ IDENTITY_ADDRESS: 'localhost:1', PARLANCE_SERVICE_SECRET: 'x'.repeat(32) }),
      err: (text) => void (err += text),
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
