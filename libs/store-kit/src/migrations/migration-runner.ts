// Changes of stored documents while old and new versions of a service run. The decision: docs/adr/0037-migrate-documents-online.md.
import { counter, gauge, logger, reportSchema, type SchemaState } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { duplicatesIn } from '../writes/retry';
import { SCHEMA_COLLECTION, type Migration } from './migration';

/** The stored state: one document per database. */
interface SchemaDocument {
  _id: 'schema';
  /** Number of completed migrations. */
  version: number;
  /** Runner that holds the lease; empty for none. */
  holder: string;
  untilMs: number;
  /** Begin of the next migration, and documents that it has converted; 0: it has not begun. */
  startedMs: number;
  documents: number;
}

/** `readyState` of an open connection. */
const CONNECTED = 1;
const BATCH_DOCUMENTS = 500;
const LEASE_MS = 30_000;
const POLL_MS = 30_000;
/**
 * Time from the first to the last pass of a migration, in milliseconds. Processes of older versions, which write the old shape, must have
 * stopped by then.
 */
export const SETTLE_MS = 600_000;

export interface MigrationOptions {
  settleMs?: number;
  batchDocuments?: number;
  leaseMs?: number;
  pollMs?: number;
  now?: () => number;
}

const versions = gauge('parlance_schema_version');
const migrated = counter('parlance_migrated_documents_total');

/** Runs the migrations of a database, in one process at a time. */
export class MigrationRunner {
  private readonly holder = randomUUID();
  private readonly options: Required<MigrationOptions>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private isStopped = false;

  /** @param migrations all that ever existed, in their order: the first one leads to version 1 */
  constructor(
    private readonly connection: Connection,
    private readonly migrations: readonly Migration[],
    options: MigrationOptions = {},
  ) {
    this.options = {
      settleMs: SETTLE_MS,
      batchDocuments: BATCH_DOCUMENTS,
      leaseMs: LEASE_MS,
      pollMs: POLL_MS,
      now: Date.now,
      ...options,
    };
  }

  /** Runs pending migrations in the background while the connection is open, and again after a restore. */
  start(): void {
    reportSchema(() => this.state());
    const run = () => {
      if (this.connection.readyState !== CONNECTED) return;
      this.running ??= this.runOnce()
        .catch((error: unknown) => {
          // A closed connection ends a batch; the next start continues.
          if (!this.isStopped && this.connection.readyState === CONNECTED)
            logger.warn({ err: error }, 'migrations: failed; continuing later');
        })
        .finally(() => {
          this.running = undefined;
        });
    };
    run();
    this.timer = setInterval(run, this.options.pollMs).unref();
  }

  /** Ends after the current batch. Another process, or the next start, continues. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  async state(): Promise<SchemaState> {
    const { version, startedMs, documents } = await this.read();
    const running = startedMs > 0 ? (this.migrations[version]?.name ?? '') : '';
    return { version, wanted: this.migrations.length, running, documents };
  }

  /**
   * Runs pending migrations until none is left, another process holds the lease, or a migration has to settle.
   * @returns whether none is left
   */
  async runOnce(): Promise<boolean> {
    for (;;) {
      const { version } = await this.read();
      versions.set({ version: 'stored' }, version);
      versions.set({ version: 'wanted' }, this.migrations.length);
      if (version > this.migrations.length) await this.lower();
      const migration = this.migrations[version];
      if (!migration) return true;
      if (this.isStopped || !(await this.acquire(version))) return false;
      try {
        if (!(await this.migrate(migration, version))) return false;
      } finally {
        await this.release();
      }
    }
  }

  /** @returns whether the migration is complete */
  private async migrate({ name, batch }: Migration, version: number): Promise<boolean> {
    const { leaseMs, now, batchDocuments, settleMs } = this.options;
    const { startedMs } = await this.read();
    while (!this.isStopped) {
      const documents = await batch(this.connection, batchDocuments);
      migrated.inc({ migration: name }, documents);
      if (!(await this.write(version, { untilMs: now() + leaseMs }, documents))) return false;
      if (documents > 0) continue;
      if (now() - startedMs < settleMs) return false;
      const isDone = await this.write(version, { version: version + 1, startedMs: 0, documents: 0 });
      if (isDone) logger.info({ migration: name, version: version + 1 }, 'migrations: completed');
      return isDone;
    }
    return false;
  }

  private get collection(): mongo.Collection<SchemaDocument> {
    return this.connection.collection(SCHEMA_COLLECTION) as unknown as mongo.Collection<SchemaDocument>;
  }

  private async read(): Promise<SchemaDocument> {
    const empty: SchemaDocument = { _id: 'schema', version: 0, holder: '', untilMs: 0, startedMs: 0, documents: 0 };
    return (await this.collection.findOne({ _id: 'schema' })) ?? empty;
  }

  /** Takes the lease for the next migration unless another process holds it. */
  private async acquire(version: number): Promise<boolean> {
    const now = this.options.now();
    const { _id, ...initial } = { ...(await this.read()), version };
    // Race: another process created it.
    await this.collection.updateOne({ _id }, { $setOnInsert: initial }, { upsert: true }).catch(duplicatesIn);
    const free = { _id, version, $or: [{ untilMs: { $lte: now } }, { holder: this.holder }] };
    const lease = { holder: this.holder, untilMs: now + this.options.leaseMs };
    const { matchedCount } = await this.collection.updateOne(free, { $set: lease });
    if (matchedCount === 0) return false;
    const started = { $set: { startedMs: now } };
    const first = { _id, holder: this.holder, startedMs: 0 };
    if ((await this.collection.updateOne(first, started)).matchedCount > 0)
      logger.info({ migration: this.migrations[version]!.name }, 'migrations: started');
    return true;
  }

  /** Writes as the holder of the lease. @returns false when another process has taken it, or an older one has lowered the version */
  private async write(version: number, change: Partial<SchemaDocument>, documents = 0): Promise<boolean> {
    const own = { _id: 'schema' as const, holder: this.holder, version };
    const update = { $set: change, $inc: { documents } };
    const { matchedCount } = await this.collection.updateOne(own, documents > 0 ? update : { $set: change });
    return matchedCount > 0;
  }

  private async release(): Promise<void> {
    const free = { $set: { holder: '', untilMs: 0 } };
    await this.collection.updateOne({ _id: 'schema', holder: this.holder }, free);
  }

  /** This process writes older shapes than those of the stored version: newer ones have to run their migrations again. */
  private async lower(): Promise<void> {
    const version = this.migrations.length;
    const change = { $set: { version, startedMs: 0, documents: 0 } };
    const newer = { _id: 'schema' as const, version: { $gt: version } };
    const { matchedCount } = await this.collection.updateOne(newer, change);
    if (matchedCount > 0) logger.info({ version }, 'migrations: an older version runs; newer ones migrate again');
  }
}
