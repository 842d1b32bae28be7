// Baseline server: express and the driver over the same store, without accounts, limits, checks, history and counters.
// It shows the current speed of the machine. `node bare.mjs URI` prints its port and runs until SIGTERM.
import express from 'express';
import mongoose from 'mongoose';

const connection = await mongoose.createConnection(process.argv[2] ?? '').asPromise();
/** @type {import('mongodb').Collection<{ _id: number, position: number, target: string[], state: number }>} */
const units = connection.getClient().db(connection.name).collection('bare_units');
await units.createIndex({ position: 1 });

const app = express();
app.use(express.json({ limit: '10mb' }));
app.post('/units', async (request, response) => {
  await units.insertMany(request.body);
  response.json({});
});
app.get('/units', async (request, response) => {
  const page = Number(request.query.page);
  const size = Number(request.query.size ?? 100);
  const first = (page - 1) * 100;
  const results = await units
    .find({ position: { $gt: first, $lte: first + size } })
    .sort({ position: 1 })
    .toArray();
  response.json({ results });
});
app.get('/units/:id', async (request, response) => {
  response.json(await units.findOne({ _id: Number(request.params.id) }));
});
app.patch('/units/:id', async (request, response) => {
  const { target, state } = request.body;
  const id = Number(request.params.id);
  response.json(await units.findOneAndUpdate({ _id: id }, { $set: { target, state } }, { returnDocument: 'after' }));
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`${port}\n`);
});
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await connection.dropDatabase();
  await connection.close();
});
