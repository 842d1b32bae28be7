import type { vcsWorker } from '@parlance/contracts';
import { Command, Option } from 'commander';
import { componentId, componentNames } from '../component-names';
import type { Session } from '../session';
import { count, isoOrNull, formatTime, table } from '../table';

const STATES = ['prepared', 'waiting', 'running', 'done', 'failed', 'cancelled'];

interface ListOptions {
  state: string[];
  component?: string;
  limit: number;
  json?: boolean;
}

/** JSON form of a task. */
const toJson = (task: vcsWorker.TaskSummary__Output, names: ReadonlyMap<number, string>) => ({
  id: task.id,
  kind: task.kind,
  state: task.state,
  component: names.get(task.componentId) ?? null,
  progress: task.progress,
  attempts: task.attempts,
  lost_workers: task.losses,
  worker: task.worker || null,
  created: isoOrNull(task.createdAtMs),
  finished: isoOrNull(task.finishedAtMs),
  error: task.error || null,
});

/** Commands for background tasks: imports, pulls, commits, add-ons. */
export function taskCommand(session: Session): Command {
  const done = (options: { json?: boolean }, id: string, text: string) => session.print({ id }, options, () => text);
  return new Command('task')
    .description('Lists, shows, retries and cancels background tasks.')
    .addCommand(
      new Command('list')
        .description('Lists tasks, the newest first.')
        .addOption(new Option('--state <name...>', 'only tasks in these states').choices(STATES).default([]))
        .option('--component <project/component>', 'only tasks of this component')
        .option('--limit <number>', 'how many', count, 50)
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExample:\n  parlance task list --state failed running')
        .action((options: ListOptions) => list(session, options)),
    )
    .addCommand(
      new Command('show')
        .argument('<id>')
        .description('Prints the result and the log of a task.')
        .option('--json', 'print JSON')
        .action(async (id: string, options: { json?: boolean }) => {
          const { vcsWorker, as } = session.system;
          const { task } = await vcsWorker.getTask({ id }, as);
          const { completed, progress, resultJson, log } = task!;
          const result: unknown = JSON.parse(resultJson);
          session.print({ id, completed, progress, result, log: log.split('\n') }, options, () =>
            [`${completed ? 'Finished' : `Progress: ${progress} %`}. Result: ${resultJson}`, log].join('\n').trimEnd(),
          );
        }),
    )
    .addCommand(
      new Command('retry')
        .argument('<id>')
        .description('Queues a failed or cancelled task again.')
        .option('--json', 'print JSON')
        .action(async (id: string, options: { json?: boolean }) => {
          const { vcsWorker, as } = session.system;
          await vcsWorker.retryTask({ id }, as);
          done(options, id, `The task ${id} is queued again.`);
        }),
    )
    .addCommand(
      new Command('cancel')
        .argument('<id>')
        .description('Stops a task; completed steps stay.')
        .option('--json', 'print JSON')
        .action(async (id: string, options: { json?: boolean }) => {
          const { vcsWorker, as } = session.system;
          await vcsWorker.cancelTask({ id }, as);
          done(options, id, `The task ${id} was cancelled.`);
        }),
    );
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { vcsWorker, as } = session.system;
  const component = options.component === undefined ? 0 : await componentId(session, options.component);
  const { tasks } = await vcsWorker.listTasks(
    { states: options.state, componentId: component, page: { page: 1, pageSize: options.limit } },
    as,
  );
  const names = await componentNames(
    session,
    tasks.map((task) => task.componentId),
  );
  session.print(
    tasks.map((task) => toJson(task, names)),
    options,
    () =>
      tasks.length === 0
        ? 'There are no such tasks.'
        : table(
            ['id', 'kind', 'state', 'component', 'attempts', 'lost workers', 'created', 'error'],
            tasks.map((task) => [
              task.id,
              task.kind,
              task.state,
              names.get(task.componentId) ?? (task.componentId === 0 ? '-' : `deleted (${task.componentId})`),
              String(task.attempts),
              String(task.losses),
              formatTime(task.createdAtMs),
              task.error.split('\n', 1)[0]!,
            ]),
          ),
  );
}
