import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readiness } from './operations';
import { within } from './within';

/** State of this process, for operators. */
export interface ProcessState {
  version: string;
  /** Milliseconds since the epoch. */
  startedMs: number;
  /** An empty problem: the dependency is available. `optional`: its outage leaves the process ready. */
  dependencies: { name: string; problem: string; optional: boolean }[];
  volumes: { name: string; freeBytes: number; sizeBytes: number }[];
  /** Null for a process without a store, and while the store is unavailable. */
  schema: SchemaState | null;
}

/** How far the migrations of a store are. */
export interface SchemaState {
  /** Completed migrations of the store, and those that this version knows. */
  version: number;
  wanted: number;
  /** Name of the migration in progress; empty for none. */
  running: string;
  /** Documents that it has converted. */
  documents: number;
}

const startedMs = Date.now() - Math.round(process.uptime() * 1000);
const volumes = new Map<string, string>();
let readSchema: (() => Promise<SchemaState>) | undefined;
let readiness: Pick<Readiness, 'state'> | undefined;

/** Version of the build: that of the packages, which is the same for all. */
export function buildVersion(): string {
  return (JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string }).version;
}

/** Names the dependencies that `describeProcess` reports. */
export function reportReadiness(of: Pick<Readiness, 'state'>): void {
  readiness = of;
}

/** Names a file system that the process fills, by a folder on it. */
export function reportVolume(name: string, folder: string): void {
  volumes.set(name, folder);
}

/** Names the query of the migrations' state. */
export function reportSchema(read: () => Promise<SchemaState>): void {
  readSchema = read;
}

/** Free space and size of the file system of a folder, in bytes. */
export async function spaceOf(folder: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

/** Time in which the store must tell the state of its migrations, in milliseconds: no longer than dependencies have to answer. */
const SCHEMA_MS = 2_000;

/** The state of the process, also while engines do not answer; without the schema then. */
export async function describeProcess(): Promise<ProcessState> {
  const schemaRead = readSchema?.().catch(() => null);
  const [schema, state] = await Promise.all([schemaRead && within(SCHEMA_MS, schemaRead), readiness?.state()]);
  const { parts = {}, problems = {}, optional = [] } = state ?? {};
  return {
    version: buildVersion(),
    startedMs,
    dependencies: Object.keys(parts).map((name) => ({
      name,
      problem: problems[name] ?? '',
      optional: optional.includes(name),
    })),
    volumes: await Promise.all([...volumes].map(async ([name, folder]) => ({ name, ...(await spaceOf(folder)) }))),
    schema: schema ?? null,
  };
}
