// Adds entries to a user's own translation memory through the store of the built translation service.
// node e2e/support/installations/fill-memory.mjs MONGODB_URI USER_ID COUNT
import { join } from 'node:path';
import { argv } from 'node:process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';

const require = createRequire(import.meta.url);
const root = join(fileURLToPath(new URL('.', import.meta.url)), '../../..');
const { IdSequences } = require(join(root, 'libs/store-kit/dist/index.js'));
const { MongoMemoryStore } = require(join(root, 'services/translation/dist/store/memory-store.js'));

const PORTION = 5_000;
const [uri, user, count] = [argv[2], Number(argv[3]), Number(argv[4])];
const client = new mongoose.mongo.MongoClient(uri);
try {
  const database = client.db('parlance_translation');
  const collection = database.collection('memory');
  const example = await collection.findOne({ pair: 'en>cs' });
  if (!example) throw new Error('The memory has no entry from en to cs.');
  const { sourceLanguage, targetLanguage } = example;
  // Gateways keep no reply about the memory of this user yet.
  const contents = { memoryChanged: async () => undefined };
  const store = new MongoMemoryStore({ collection }, new IdSequences(database.collection('counters')), contents);
  for (let at = 0; at < count; at += PORTION) {
    const entries = Array.from({ length: Math.min(PORTION, count - at) }, (_, i) => ({
      source: `Entry ${at + i}: the quick brown fox jumps over the lazy dog`,
      target: `Záznam ${at + i}: příliš žluťoučký kůň úpěl ďábelské ódy`,
      sourceLanguage,
      targetLanguage,
      origin: 'memory.tmx',
      project: 0,
      user,
      fromFile: true,
      shared: false,
    }));
    await store.add(entries, { now: Date.now(), confirm: false });
  }
} finally {
  await client.close();
}
