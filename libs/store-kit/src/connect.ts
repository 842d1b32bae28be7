import { EngineUnavailableError, logger, type Dependency } from '@parlance/telemetry';
import { engineTls, type CertificateFiles } from '@parlance/tls';
import { createConnection, mongo, type Connection, type ConnectOptions } from 'mongoose';
import { fixDriver } from './driver-fix';
import { measureCommands, measurePool, type MeasuredClient } from './metrics';
import type { Migration } from './migrations/migration';
import { MigrationRunner } from './migrations/migration-runner';
import { limitQueries } from './query-limits';
import { retryWrites } from './writes/retried-writes';

/** Server selection timeout in milliseconds. */
const SELECTION_MS = 10_000;
/** Timeout of connecting and of heartbeats, in milliseconds. */
const CONNECT_MS = 5_000;
/** Heartbeat interval of an idle client, in milliseconds. */
const HEARTBEAT_MS = 5_000;
/** Timeout of independent connections: of the watchdog, and before the start. In milliseconds. */
const PROBE_MS = 3_000;

/** Codes of errors: unauthorized, authentication failed, and that of hosted servers for both. */
const REJECTED: readonly unknown[] = [13, 18, 8000];

/** A connected database. */
export interface Mongo {
  connection: Connection;
  /** Whether the database responds. */
  ping: () => Promise<boolean>;
  /** For the watchdog. */
  dependency: Dependency;
}

/**
 * Options of the driver, the time limit of reading queries in milliseconds (see `limitQueries`), migrations to run (see `Migration`), and
 * certificates for servers with TLS.
 */
export type MongoOptions = ConnectOptions & {
  queryTimeoutMs?: number;
  migrations?: readonly Migration[];
  engineTls?: CertificateFiles | undefined;
};

/** Without TLS in the address, the driver ignores this option. */
const tlsOptions = (files: CertificateFiles | undefined) =>
  files ? { secureContext: engineTls(files).secureContext } : {};

/** Connects to a database. Operations fail within seconds while it is unreachable, and succeed again once it is reachable. */
export async function connectMongo(
  uri: string,
  { queryTimeoutMs, migrations, engineTls: tlsFiles, ...options }: MongoOptions = {},
): Promise<Mongo> {
  fixDriver();
  measureCommands();
  const all: ConnectOptions = {
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: CONNECT_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    monitorCommands: true,
    ...tlsOptions(tlsFiles),
    ...options,
  };
  const opening = createConnection(uri, all);
  measure(opening);
  const connection = limitQueries(retryWrites(await opening.asPromise()), queryTimeoutMs);
  const ping = async () => (await connection.db?.command({ ping: 1 }))?.['ok'] === 1;
  const reconnect = async () => {
    // Closing may wait for operations that never end, so the new client is created without waiting.
    const client = connection.getClient();
    const closing = connection.close().catch((error: unknown) => logger.warn({ err: error }, 'mongo: close failed'));
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, PROBE_MS))]);
    const reopening = connection.openUri(uri, all);
    measure(connection);
    await reopening;
    if (connection.getClient() === client) throw new Error('mongo: the client was not replaced');
  };
  if (migrations) new MigrationRunner(connection, migrations).start();
  return { connection, ping, dependency: { check: ping, probe: () => probe(uri, tlsFiles), reconnect } };
}

/** Measures a client while it connects, so that no event of its pool is missed. An invalid address has no client. */
function measure(connection: Connection): void {
  const client = connection.getClient() as MeasuredClient | undefined;
  if (client) measurePool(client);
}

const probingClient = (uri: string, tlsFiles: CertificateFiles | undefined) =>
  new mongo.MongoClient(uri, {
    maxPoolSize: 1,
    serverSelectionTimeoutMS: PROBE_MS,
    connectTimeoutMS: PROBE_MS,
    socketTimeoutMS: PROBE_MS,
    ...tlsOptions(tlsFiles),
  });

/** Whether a separate client reaches the server. */
async function probe(uri: string, tlsFiles: CertificateFiles | undefined): Promise<boolean> {
  const client = probingClient(uri, tlsFiles);
  try {
    return (await client.db().command({ ping: 1 }))['ok'] === 1;
  } finally {
    await client.close();
  }
}

/** Connects to a database and reads its collections. @throws EngineUnavailableError */
export async function checkMongo(uri: string, tlsFiles?: CertificateFiles): Promise<void> {
  const client = probingClient(uri, tlsFiles);
  try {
    await client.db().listCollections({}, { nameOnly: true }).toArray();
  } catch (error) {
    const rejected = error instanceof mongo.MongoServerError && REJECTED.includes(error.code);
    throw new EngineUnavailableError(rejected ? 'MongoDB rejects the credentials' : 'MongoDB is unavailable', error);
  } finally {
    await client.close();
  }
}
