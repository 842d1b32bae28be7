import { engines, TcpRelay } from '@parlance/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const HOOK = join(__dirname, '../../testing/register-typescript.js');
const PROCESS = join(__dirname, 'support/watched-process.ts');

let relay: TcpRelay;
let child: ChildProcess;
let log: string;

beforeEach(async () => {
  const { redisUrl } = await engines();
  relay = await TcpRelay.start(redisUrl);
  log = '';
  child = spawn(process.execPath, ['--require', HOOK, PROCESS], {
    env: { ...process.env, NODE_ENV: 'production', REDIS_URL: redisUrl, RELAY_URL: relay.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (log += text));
  await logged('watched is running');
});
afterEach(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  await relay.stop();
});

async function logged(text: string): Promise<void> {
  while (!log.includes(text)) await once(child.stdout!, 'data');
}

it('the watchdog ends a process that cannot reach a dependency that others reach', async () => {
  relay.hang();
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([code, signal]).toEqual([1, null]);
  expect(log).toContain('unreachable after reconnecting although others reach it; exiting');
});
