import { connectMongo, type Mongo } from '@parlance/store-kit';
import { metrics } from '@parlance/telemetry';
import { engines } from '@parlance/testing';

let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo((await engines()).mongoUri('commands'));
  await mongo.connection.collection('texts').insertMany([{ text: 'a' }, { text: 'b' }]);
});
afterAll(() => mongo.connection.close(true));

/** Values of a metric by the command, of all samples whose name ends with the suffix. */
async function byCommand(name: string, suffix = ''): Promise<Record<string, number>> {
  const { values } = await metrics.getSingleMetric(name)!.get();
  const samples = values.filter((value) => ((value as { metricName?: string }).metricName ?? name).endsWith(suffix));
  return Object.fromEntries(samples.map(({ labels, value }) => [String(labels['command']), value]));
}

describe('metrics of commands', () => {
  it('each command is counted once, and the driver builds no events', async () => {
    const events: string[] = [];
    for (const name of ['commandStarted', 'commandSucceeded', 'commandFailed'] as const)
      mongo.connection.getClient().on(name, () => void events.push(name));
    const count = () => byCommand('parlance_store_command_duration_seconds', '_count');
    const before = await count();
    expect(await mongo.connection.collection('texts').find().toArray()).toHaveLength(2);
    await mongo.connection.collection('texts').updateOne({ text: 'a' }, { $set: { text: 'c' } });
    const after = await count();
    expect(after['find']! - (before['find'] ?? 0)).toBe(1);
    expect(after['update']! - (before['update'] ?? 0)).toBe(1);
    expect(events).toEqual([]);
  });

  it('a command that the server rejects is counted as a failure, too', async () => {
    const before = (await byCommand('parlance_store_command_failures_total'))['other'] ?? 0;
    await expect(mongo.connection.db!.command({ unheard: 1 })).rejects.toThrow(/unheard/);
    expect((await byCommand('parlance_store_command_failures_total'))['other']).toBe(before + 1);
  });
});
