// The least that could answer: express and the driver over the same store, without accounts, limits, checks, history and
// counters. It shows what the machine gives at the moment. `node bare.mjs URI` serves; it prints the port that it listens on.
import express from 'express';
import mongoose from 'mongoose';

const connection = await mongoose.createConnection(process.argv[2]).asPromise();
const units = connection.collection('bare_units');
await units.createIndex({ position: 1 });

const app = express();
app.use(express.json({ limit: '10mb' }));
app.post('/units', async (request, response) => {
  await units.insertMany(request.body);
  response.json({});
});
app.get('/units', async (request, response) => {
  const page = Number(request.query.page);
  const results = await units
    .find({ position: { $gt: (page - 1) * 100, $lte: page * 100 } })
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
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await connection.dropDatabase();
  await connection.close();
});
