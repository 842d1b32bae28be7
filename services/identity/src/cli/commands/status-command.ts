import { ConfigError } from '@parlance/config';
import { Command } from 'commander';
import { explain } from '../explain';
import { maintenanceToJson } from './maintenance-command';
import { labelOf, readReplicas, shownReplica, type ReplicaState } from '../replica-states';
import type { Session } from '../session';
import { table } from '../table';
import { readVersion } from '../version';

/** Page size of the lists that are counted. */
const PAGE = 1000;
/** Counts end here. */
const MAX_COUNT = 10_000;
/** Time limit of a call, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** A part that could not be read, with the reason. */
interface Unknown {
  unknown: string;
}

/** State of the installation, as JSON shows it. */
export interface Status {
  healthy: boolean;
  /** Version of the command. */
  version: string;
  /** Every replica of every service. */
  services: ReplicaState[];
  maintenance: ReturnType<typeof maintenanceToJson> | Unknown;
  tasks: { waiting: number; running: number; failed: number } | Unknown;
  /** `locked`: a worker holds the lease. */
  repositories: { failed: number; unpushed: number; unmerged: number; locked: number } | Unknown;
  /** Events that consumers have not handled, by consumer; quiet systems have none. */
  lags: Record<string, number> | Unknown;
  dead_letters: number | Unknown;
}

/** The command that shows the state of the installation on one screen. */
export function statusCommand(session: Session): Command {
  return new Command('status')
    .description(
      'Shows all replicas of services with versions, health, disks and migrations, tasks, repositories, event lags, dead letters and maintenance mode. Exits with 1 if a part is unhealthy.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const status = await readStatus(session);
      session.print(status, options, toText);
      session.failed = !status.healthy;
    });
}

async function readStatus(session: Session): Promise<Status> {
  const { system } = session;
  const as = { ...system.as, timeoutMs: TIMEOUT_MS };
  const failures: unknown[] = [];
  const read = async <T>(ask: () => Promise<T>): Promise<T | Unknown> => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ConfigError) return { unknown: error.message.split('\n').at(-1)!.trim() };
      failures.push(error);
      return { unknown: explain(error) };
    }
  };
  const tasks = (state: string) =>
    countPages(async (page) => (await system.vcsWorker.listTasks({ states: [state], page }, as)).tasks);
  const repositories = (filter: 'failed' | 'unpushed' | 'unmerged' | 'leased') =>
    countPages(async (page) => (await system.vcsWorker.listRepositories({ [filter]: true, page }, as)).repositories);
  const [services, maintenance, taskCounts, repositoryCounts, events] = await Promise.all([
    readReplicas(session, as),
    read(async () => maintenanceToJson((await system.catalog.getMaintenance({}, as)).maintenance)),
    read(async () => ({
      waiting: await tasks('waiting'),
      running: await tasks('running'),
      failed: await tasks('failed'),
    })),
    read(async () => ({
      failed: await repositories('failed'),
      unpushed: await repositories('unpushed'),
      unmerged: await repositories('unmerged'),
      locked: await repositories('leased'),
    })),
    read(async () => {
      const bus = await session.environment.connectEvents();
      try {
        return { lags: await bus.lags(), deadLetters: await bus.deadLetters.count() };
      } finally {
        await bus.close();
      }
    }),
  ]);
  const deadLetters = 'unknown' in events ? events : events.deadLetters;
  const hasDeadLetters = typeof deadLetters === 'number' && deadLetters > 0;
  const areUp = services.every(({ state }) => state === 'up' || state === 'unknown');
  return {
    healthy: failures.length === 0 && !hasDeadLetters && areUp,
    version: readVersion(),
    services,
    maintenance,
    tasks: taskCounts,
    repositories: repositoryCounts,
    lags: 'unknown' in events ? events : events.lags,
    dead_letters: deadLetters,
  };
}

/** Number of items of a list, at most MAX_COUNT. */
async function countPages(
  list: (page: { page: number; pageSize: number }) => Promise<readonly unknown[]>,
): Promise<number> {
  let count = 0;
  for (let page = 1; count < MAX_COUNT; page++) {
    const { length } = await list({ page, pageSize: PAGE });
    count += length;
    if (length < PAGE) break;
  }
  return count;
}

/** The status as text. */
export function toText(status: Status): string {
  const { services, maintenance, tasks, repositories, lags, dead_letters: deadLetters } = status;
  const rows = [
    ['status', status.healthy ? 'healthy' : 'unhealthy'],
    ['version', status.version],
    ...services.map((replica) => [labelOf(replica, services), shownReplica(replica)]),
    ['maintenance', 'unknown' in maintenance ? shownUnknown(maintenance) : maintenance.on ? 'on' : 'off'],
    ['tasks', shownCounts(tasks)],
    ['repositories', shownRepositories(repositories)],
    ['event lag', isUnknown(lags) ? shownUnknown(lags) : shownLags(lags)],
    ['dead letters', typeof deadLetters === 'number' ? String(deadLetters) : shownUnknown(deadLetters)],
  ];
  return table(['part', 'state'], rows);
}

function shownLags(lags: Record<string, number>): string {
  const behind = Object.entries(lags).map(([consumer, events]) => `${consumer} ${events}`);
  return behind.length === 0 ? 'none' : behind.join(', ');
}

const shownUnknown = ({ unknown }: Unknown): string => `unknown (${unknown})`;

function shownCounts(counts: Record<string, number> | Unknown): string {
  if (isUnknown(counts)) return shownUnknown(counts);
  return Object.entries(counts)
    .map(([name, count]) => `${count}${count >= MAX_COUNT ? ' or more' : ''} ${name}`)
    .join(', ');
}

function shownRepositories(repositories: Status['repositories']): string {
  const hasFailed = !isUnknown(repositories) && repositories.failed > 0;
  return `${shownCounts(repositories)}${hasFailed ? '; `repository list --failed` names the failures' : ''}`;
}

const isUnknown = (part: object): part is Unknown => 'unknown' in part;
