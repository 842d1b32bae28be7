// An installation of the capacity benchmark, and everything in it that is counted.
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseUri } from '../../../deploy/engines/engines.mjs';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { processes } from '../../../deploy/local/processes.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { converse, engines, removeEngines, stateOf, withMongo } from '../../support/installations/engines.mjs';
import { startSystem } from '../../support/system.mjs';
import { metricsOf, sumOfSamples } from '../../support/telemetry/metrics.mjs';
import { exchange } from '../support/exchange.mjs';
import { processorTimes } from '../support/processor-times.mjs';

const env = { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour', PARLANCE_SEARCH_INDEX_GRACE_MS: '0' };
/** Consumers count as done when this time, in milliseconds, lies between two looks that find no event waiting. */
const QUIET_MS = 1_000;

/**
 * Size of a collection.
 * @typedef {object} Size
 * @property {number} documents
 * @property {number} bytes of BSON
 * @property {number} indexes bytes of the indexes
 * @property {number} stored bytes on disk, as the store reports them
 */

/** Size of a collection. The documents are read, because not every store reports their size. */
async function sizeOf(database, collection) {
  let [documents, bytes] = [0, 0];
  for await (const document of database.collection(collection).find({}, { raw: true })) {
    documents++;
    bytes += document.length;
  }
  const stats = await database.command({ collStats: collection }).catch(() => ({}));
  return { documents, bytes, indexes: stats.totalIndexSize ?? 0, stored: stats.storageSize ?? 0 };
}

/** Bytes that the files below a folder occupy on its disk. */
function allocatedBytes(folder) {
  if (!existsSync(folder)) return 0;
  let sum = 0;
  for (const name of readdirSync(folder, { recursive: true }))
    // Git removes its temporary files at any time.
    sum += (lstatSync(join(folder, String(name)), { throwIfNoEntry: false })?.blocks ?? 0) * 512;
  return sum;
}

/** A running installation. */
export class Installation {
  /**
   * An installation that `npm start` runs is only measured: `run`, `restart` and `remove` are for those of `Installation.start`.
   * @param {string} dataDir
   * @param {number} [port]
   */
  constructor(dataDir, port) {
    this.dataDir = dataDir;
    this.port = port;
  }

  /** Starts an installation with engines of its own. `remove` ends it and deletes everything. */
  static async start() {
    const installation = new Installation(mkdtempSync(join(tmpdir(), 'parlance-bench-capacity-')), await freePort());
    try {
      await installation.run();
      return installation;
    } catch (error) {
      await installation.remove();
      throw error;
    }
  }

  /** A client of the API with the administrator's token. */
  get api() {
    const token = readFileSync(join(this.dataDir, 'admin-token'), 'utf8').trim();
    return makeApi(`http://127.0.0.1:${this.port}`, token, exchange);
  }

  async run() {
    this.system = await startSystem({ dataDir: this.dataDir, port: this.port, env });
  }

  async restart() {
    await this.system?.stop();
    await this.run();
  }

  async remove() {
    await this.system?.stop();
    if (existsSync(join(this.dataDir, 'engines.json'))) removeEngines(this.dataDir);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  get running() {
    return JSON.parse(readFileSync(join(this.dataDir, 'run.json'), 'utf8'));
  }

  metricsOf(name) {
    return metricsOf(this.running.operations[name]);
  }

  /** Events that consumers have not handled yet. */
  async waitingEvents() {
    const texts = await Promise.all(Object.keys(this.running.operations).map((name) => this.metricsOf(name)));
    return texts.reduce((sum, text) => sum + sumOfSamples(text, 'parlance_consumer_lag_events'), 0);
  }

  /** Waits until all events are handled, including those that their handlers publish. */
  async settled() {
    const waitingTwice = async () => {
      const first = await this.waitingEvents();
      if (first > 0) return first;
      await pause(QUIET_MS);
      return this.waitingEvents();
    };
    await eventually(waitingTwice, (events) => events === 0, 600_000);
  }

  /** Resident memory of each process, in MiB. */
  async memory() {
    /** @type {Record<string, number>} */
    const found = {};
    for (const name of Object.keys(this.running.operations)) {
      const text = await this.metricsOf(name);
      found[name] = Math.round(sumOfSamples(text, 'process_resident_memory_bytes') / 2 ** 20);
    }
    return found;
  }

  /** Processor time of each process and engine since its start, in milliseconds. */
  processorTimes() {
    const times = processorTimes(this.dataDir);
    delete times.client;
    return times;
  }

  async streamBytes() {
    return sumOfSamples(await this.metricsOf('translation'), 'parlance_event_stream_bytes');
  }

  /** Bytes on disk of the clones of all workers. */
  cloneBytes() {
    const folders = /** @type {string[]} */ (Object.values(this.running.workDirs));
    return folders.reduce((sum, folder) => sum + allocatedBytes(folder), 0);
  }

  /** Memory that Redis has allocated, in bytes. */
  async redisBytes() {
    const { ports, passwords } = stateOf(this.dataDir);
    const reply = await converse(ports.redis, `AUTH ${passwords.redis}\r\nINFO memory\r\n`, /used_memory:\d+\r/);
    return Number(/used_memory:(\d+)\r/.exec(reply)?.[1]);
  }

  /**
   * Size of every collection, by service and name.
   * @returns {Promise<Record<string, Size>>}
   */
  async collections() {
    /** @type {Record<string, Size>} */
    const found = {};
    const { MONGODB_URI } = engines('up', this.dataDir);
    const databases = /** @type {Record<string, {database?: string}>} */ (processes);
    for (const [name, { database }] of Object.entries(databases)) {
      if (!database) continue;
      const problem = await withMongo(databaseUri(MONGODB_URI, database), async (client) => {
        for (const { name: collection } of await client.db().listCollections().toArray())
          found[`${name}.${collection}`] = await sizeOf(client.db(), collection);
      });
      if (problem) throw new Error(`the collections of ${name} cannot be counted: ${problem}`);
    }
    return found;
  }
}
