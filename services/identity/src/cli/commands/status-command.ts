import { ConfigError } from '@parlance/config';
import { serviceNames } from '@parlance/contracts';
import { Command } from 'commander';
import { explain } from '../explain';
import { maintenanceToJson } from './maintenance-command';
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

interface ServiceState {
  name: string;
  state: 'up' | 'down' | 'unknown';
  reason: string | null;
}

/** State of the installation, as JSON shows it. */
export interface Status {
  healthy: boolean;
  /** Version of the command. */
  version: string;
  services: ServiceState[];
  maintenance: ReturnType<typeof maintenanceToJson> | Unknown;
  tasks: { waiting: number; running: number; failed: number } | Unknown;
  repositories: { failed: number; unpushed: number; unmerged: number } | Unknown;
  dead_letters: number | Unknown;
}

/** The command that shows the state of the installation on one screen. */
export function statusCommand(session: Session): Command {
  return new Command('status')
    .description(
      'Shows services, tasks, repositories, dead letters and maintenance mode. Exits with 1 if a part is unhealthy.',
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
  const repositories = (filter: 'failed' | 'unpushed' | 'unmerged') =>
    countPages(async (page) => (await system.vcsWorker.listRepositories({ [filter]: true, page }, as)).repositories);
  const [services, maintenance, taskCounts, repositoryCounts, deadLetters] = await Promise.all([
    Promise.all(
      serviceNames.map(async (name): Promise<ServiceState> => {
        const isUp = await read(() => system.service(name).connected());
        if (typeof isUp === 'object') return { name, state: 'unknown', reason: isUp.unknown };
        return { name, state: isUp ? 'up' : 'down', reason: isUp ? null : 'The service does not answer.' };
      }),
    ),
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
    })),
    read(async () => {
      const bus = await session.environment.connectEvents();
      return bus.deadLetters.count().finally(() => bus.close());
    }),
  ]);
  const hasDeadLetters = typeof deadLetters === 'number' && deadLetters > 0;
  return {
    healthy: failures.length === 0 && !hasDeadLetters && services.every(({ state }) => state !== 'down'),
    version: readVersion(),
    services,
    maintenance,
    tasks: taskCounts,
    repositories: repositoryCounts,
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
  const { services, maintenance, tasks, repositories, dead_letters: deadLetters } = status;
  const rows = [
    ['status', status.healthy ? 'healthy' : 'unhealthy'],
    ['version', status.version],
    ...services.map(({ name, state, reason }) => [name, reason === null ? state : `${state} (${reason})`]),
    ['maintenance', 'unknown' in maintenance ? shownUnknown(maintenance) : maintenance.on ? 'on' : 'off'],
    ['tasks', shownCounts(tasks)],
    ['repositories', shownCounts(repositories)],
    ['dead letters', typeof deadLetters === 'number' ? String(deadLetters) : shownUnknown(deadLetters)],
  ];
  return table(['part', 'state'], rows);
}

const shownUnknown = ({ unknown }: Unknown): string => `unknown (${unknown})`;

function shownCounts(counts: Record<string, number> | Unknown): string {
  if (isUnknown(counts)) return shownUnknown(counts);
  return Object.entries(counts)
    .map(([name, count]) => `${count}${count >= MAX_COUNT ? ' or more' : ''} ${name}`)
    .join(', ');
}

const isUnknown = (part: object): part is Unknown => 'unknown' in part;
