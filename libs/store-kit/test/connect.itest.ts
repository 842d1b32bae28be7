import { connectMongo, type Mongo } from '@parlance/store-kit';
import { engines, TcpRelay } from '@parlance/testing';
import { Schema } from 'mongoose';

let relay: TcpRelay;
let mongo: Mongo;

beforeAll(async () => {
  const uri = (await engines()).mongoUri('connect');
  relay = await TcpRelay.start(uri);
  // Polling is how the driver monitors servers that do not stream their state.
  mongo = await connectMongo(relay.url, {
    serverMonitoringMode: 'poll',
    maxPoolSize: 10,
  });
});
afterAll(async () => {
  await mongo.connection.close(true);
  await relay.stop();
});

/** Reads in a loop while the work runs, then waits for the last reads. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  let stopped = false;
  const model = mongo.connection.model('Load', new Schema({ a: Number }), undefined, { overwriteModels: true });
  const loops = Array.from({ length: 20 }, async () => {
    while (!stopped) await model.findOne({ a: 1 }).catch(() => undefined);
  });
  try {
    await work();
  } finally {
    stopped = true;
  }
  // A command that never settles would keep a loop from ending.
  await Promise.all(loops);
}

describe('connectMongo', () => {
  it('connectMongo reconnects to a server that closes all connections under load ten times', async () => {
    for (let round = 1; round <= 10; round++)
      await underLoad(async () => {
        // The driver checks a server again at the earliest 500 ms after the last check.
        await new Promise((resolve) => setTimeout(resolve, 700));
        relay.closeConnections();
        expect(await mongo.ping().catch(() => mongo.ping())).toBe(true);
      });
  });

  it('connectMongo reconnects with a new client if old connections hang and new ones work', async () => {
    const model = mongo.connection.model('Kept', new Schema({ a: Number }));
    await model.create({ a: 1 });
    relay.stallConnections();
    expect(await mongo.dependency.probe()).toBe(true);
    await mongo.dependency.reconnect();
    expect(await mongo.dependency.check()).toBe(true);
    expect(await model.countDocuments({ a: 1 })).toBe(1);
  });
});
