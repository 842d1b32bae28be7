import { metricsText } from '@parlance/telemetry';
import { githubPush } from '../../test/payloads';
import { HooksWorld, reasonOf } from '../../test/support/memory/world';
import { measuredReceive } from './measured-receive';

function start() {
  const world = new HooksWorld();
  world.component(11, world.project(1, 'open'));
  const send = (provider = 'github', headers: Record<string, string> = {}) =>
    measuredReceive(
      world.receiving,
      {
        provider,
        contentType: 'application/json',
        raw: Buffer.from(JSON.stringify(githubPush)),
        sourceAddress: '192.0.2.1',
        headers: { 'x-github-event': 'push', 'x-github-delivery': 'one', ...headers },
      },
      world.anonymous,
    );
  return { world, send };
}

/** Number of counted deliveries of an outcome. */
async function counted(provider: string, outcome: string): Promise<number> {
  const lines = (await metricsText()).split('\n');
  const line = lines.find(
    (text) =>
      text.startsWith('parlance_hook_deliveries_total{') &&
      text.includes(`provider="${provider}"`) &&
      text.includes(`outcome="${outcome}"`),
  );
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('counted deliveries', () => {
  it('a delivery is counted by its outcome, a repetition as repeated', async () => {
    const { send } = start();
    const [matched, repeated] = [await counted('github', 'matched'), await counted('github', 'repeated')];
    await send();
    await send();
    expect(await counted('github', 'matched')).toBe(matched + 1);
    expect(await counted('github', 'repeated')).toBe(repeated + 1);
  });

  it('the name of an unknown provider is not a label', async () => {
    const { send } = start();
    const before = await counted('other', 'refused');
    expect(await reasonOf(send('chosen-by-the-sender'))).not.toBe('OK');
    expect(await counted('other', 'refused')).toBe(before + 1);
    expect(await metricsText()).not.toContain('chosen-by-the-sender');
  });
});
