// States of the replicas of all services and of the gateway, for `parlance status`.
import { address, ConfigError, loadConfig, z } from '@parlance/config';
import { serviceNames, type process, type ServiceName } from '@parlance/contracts';
import { replicasOf, type CallOptions } from '@parlance/grpc-kit';
import { explain } from './explain';
import type { Session } from './session';
import { formatTime, isoOrNull } from './table';

/** Time limit of a request to a gateway, in milliseconds. */
const TIMEOUT_MS = 3_000;

export interface ReplicaState {
  name: ServiceName | 'gateway';
  /** Null if the service has no address or no replica. */
  address: string | null;
  state: 'up' | 'degraded' | 'down' | 'unknown';
  /** Reason of a state other than `up`; of `up`, optional dependencies that are unavailable. */
  reason: string | null;
  /** Version of the build; null: unknown. */
  version: string | null;
  started: string | null;
  /** File systems that the replica fills. */
  disks: { name: string; free_bytes: number; size_bytes: number }[];
  /** Migrations of the service's store, completed and known to this replica; null without a store. */
  schema: { version: number; wanted: number; running: string | null; documents: number } | null;
}

const nothing = { address: null, version: null, started: null, disks: [], schema: null };

/** The states of all replicas, by service. */
export async function readReplicas(session: Session, as: CallOptions): Promise<ReplicaState[]> {
  const states = [...serviceNames.map((name) => readService(session, name, as)), readGateways(session)];
  return (await Promise.all(states)).flat();
}

/** @param list throws ConfigError without an address */
async function statesOf<T>(
  name: ReplicaState['name'],
  list: () => Promise<T[]>,
  read: (replica: T) => Promise<ReplicaState>,
): Promise<ReplicaState[]> {
  try {
    return await Promise.all((await list()).map(read));
  } catch (error) {
    if (!(error instanceof ConfigError)) return [{ ...nothing, name, state: 'down', reason: explain(error) }];
    return [{ ...nothing, name, state: 'unknown', reason: error.message.split('\n').at(-1)!.trim() }];
  }
}

function readService({ system }: Session, name: ServiceName, as: CallOptions): Promise<ReplicaState[]> {
  const read = async (replica: Awaited<ReturnType<typeof system.replicas>>[number]): Promise<ReplicaState> => {
    const down = { ...nothing, name, address: replica.address, state: 'down' as const };
    try {
      if (!(await replica.client.connected())) return { ...down, reason: 'The service does not answer.' };
      return { name, address: replica.address, ...describe(await replica.client.describeProcess({}, as)) };
    } catch (error) {
      return { ...down, reason: explain(error) };
    }
  };
  return statesOf(name, () => system.replicas(name), read);
}

function describe(answer: process.DescribeProcessResponse__Output): Omit<ReplicaState, 'name' | 'address'> {
  const { version, startedMs, dependencies, volumes, schema } = answer;
  return {
    ...health(dependencies),
    version,
    started: isoOrNull(startedMs),
    disks: volumes.map((volume) => ({ name: volume.name, free_bytes: volume.freeBytes, size_bytes: volume.sizeBytes })),
    schema: schema && { ...schema, running: schema.running || null },
  };
}

interface DependencyState {
  name: string;
  /** Empty: it is available. */
  problem: string;
  /** Without it, the replica is up. */
  optional: boolean;
}

function health(dependencies: readonly DependencyState[]): Pick<ReplicaState, 'state' | 'reason'> {
  const missing = dependencies.filter(({ problem }) => problem !== '');
  if (missing.length === 0) return { state: 'up', reason: null };
  return {
    state: missing.every(({ optional }) => optional) ? 'up' : 'degraded',
    reason: missing.map(({ name, problem }) => `${name}: ${problem}`).join(', '),
  };
}

/** Gateways serve no gRPC: their operations ports answer. */
function readGateways({ environment }: Session): Promise<ReplicaState[]> {
  const setting = z.object({ GATEWAY_OPERATIONS_ADDRESS: address() });
  const list = async () => replicasOf(loadConfig(setting, environment.variables).GATEWAY_OPERATIONS_ADDRESS);
  return statesOf('gateway', list, readGateway);
}

async function readGateway(replica: string): Promise<ReplicaState> {
  const ask = (path: string) => fetch(`http://${replica}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const own = { ...nothing, name: 'gateway' as const, address: replica };
  try {
    const [ready, metrics] = await Promise.all([ask('/readyz'), ask('/metrics')]);
    const report = (await ready.json()) as { problems?: Record<string, string>; optional?: string[] };
    const missing = Object.entries(report.problems ?? {}).map(([name, problem]) => ({
      name,
      problem,
      optional: report.optional?.includes(name) ?? false,
    }));
    const text = await metrics.text();
    const startedMs = 1000 * Number(/^process_start_time_seconds (\S+)/m.exec(text)?.[1] ?? 0);
    const version = /^parlance_build_info\{[^}]*version="([^"]*)"/m.exec(text)?.[1] ?? null;
    return { ...own, ...health(missing), version, started: isoOrNull(startedMs) };
  } catch {
    return { ...own, state: 'down', reason: 'The gateway does not answer.' };
  }
}

/** The address distinguishes replicas. */
export const labelOf = ({ name, address }: ReplicaState, all: readonly ReplicaState[]): string =>
  all.filter((other) => other.name === name).length > 1 ? `${name} ${address}` : name;

export function shownReplica({ state, reason, version, started, disks, schema }: ReplicaState): string {
  const details = [
    ...(version === null ? [] : [`version ${version}`]),
    ...(started === null ? [] : [`since ${formatTime(Date.parse(started))}`]),
    ...disks.map((disk) => `disk of ${disk.name} ${Math.round((100 * disk.free_bytes) / disk.size_bytes)} % free`),
    ...(schema && schema.wanted > 0 ? [shownSchema(schema)] : []),
  ];
  return [reason === null ? state : `${state} (${reason})`, ...details].join(', ');
}

function shownSchema({ version, wanted, running, documents }: NonNullable<ReplicaState['schema']>): string {
  const progress = running === null ? '' : ` (${running}: ${documents} documents converted)`;
  return `schema ${version} of ${wanted}${progress}`;
}
