import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/**
 * Starts a git daemon on 127.0.0.1 and waits until it accepts connections. It takes another port if one is in use; the ports are
 * below those that the system gives to connections, which could take a free one before the daemon listens.
 * @param program Path of `git-daemon`. ("git daemon" would leave the daemon running when git is killed.)
 */
export async function startGitDaemon(
  program: string,
  options: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ daemon: ChildProcess; port: number }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const port = randomInt(20_000, 30_000);
    if (await accepts(port)) continue;
    const listen = ['--reuseaddr', '--listen=127.0.0.1', `--port=${port}`];
    const daemon = spawn(program, [...listen, ...options], { env, stdio: 'ignore' });
    while (!ended(daemon)) {
      if (await accepts(port)) return { daemon, port };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error('git daemon ended at each attempt');
}
