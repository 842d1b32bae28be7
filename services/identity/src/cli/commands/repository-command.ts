import type { vcsWorker } from '@parlance/contracts';
import { Argument, Command } from 'commander';
import { componentId, componentNames } from '../component-names';
import { failureLine } from '../failure-line';
import type { Session } from '../session';
import { isoOrNull, formatTime, table } from '../table';

const PAGE = 1000;
/** Longest wait for a git operation, in milliseconds. */
const OPERATION_TIMEOUT_MS = 15 * 60_000;

/** Operations of repositories by their names on the command line. */
const OPERATIONS = {
  commit: 'OPERATION_COMMIT',
  pull: 'OPERATION_PULL',
  push: 'OPERATION_PUSH',
  reset: 'OPERATION_RESET',
  'reset-keep': 'OPERATION_RESET_KEEP',
  cleanup: 'OPERATION_CLEANUP',
  'file-sync': 'OPERATION_FILE_SYNC',
  'file-scan': 'OPERATION_FILE_SCAN',
  'clone-again': 'OPERATION_CLONE_AGAIN',
} as const;

export type RepositoryOperation = keyof typeof OPERATIONS;

interface ListOptions {
  failed?: boolean;
  leased?: boolean;
  unpushed?: boolean;
  unmerged?: boolean;
  json?: boolean;
}

/** JSON form of a repository. */
const toJson = (repository: vcsWorker.RepositorySummary__Output, names: ReadonlyMap<number, string>) => ({
  component: names.get(repository.componentId) ?? null,
  vcs: repository.vcs,
  url: repository.url,
  branch: repository.branch,
  head: repository.head || null,
  upstream: repository.upstream || null,
  ahead: repository.ahead,
  behind: repository.behind,
  unpushed_since: isoOrNull(repository.unpushedSinceMs),
  unmerged_since: isoOrNull(repository.unmergedSinceMs),
  failure: repository.failure || null,
  lease_holder: repository.leaseHolder || null,
  queue_length: repository.queueLength,
});

/** Commands for the git repositories of components. */
export function repositoryCommand(session: Session): Command {
  return new Command('repository')
    .description('Lists repositories with their failures, and runs git operations.')
    .addCommand(
      new Command('list')
        .description(
          'Lists repositories by the component that owns them. Several filters select what matches one of them.',
        )
        .option('--failed', 'only repositories whose last merge or push failed')
        .option('--unpushed', 'only repositories with unpushed commits')
        .option('--unmerged', 'only repositories with unmerged upstream commits')
        .option('--leased', 'only repositories that a worker holds')
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExample:\n  parlance repository list --failed')
        .action((options: ListOptions) => list(session, options)),
    )
    .addCommand(
      new Command('run')
        .argument('<project/component>', 'component, also one that shares the repository of another')
        .addArgument(new Argument('<operation>', 'what to do').choices(Object.keys(OPERATIONS)))
        .description(
          'Runs an operation and waits for its end. `reset` discards unpushed commits and pending edits; `reset-keep` puts their strings into one commit on top of upstream.',
        )
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExample:\n  parlance repository run website/texts push')
        .action((name: string, operation: RepositoryOperation, options: { json?: boolean }) =>
          runRepositoryOperation(session, name, operation, options),
        ),
    );
}

/** Runs an operation on the repository of a component and waits for its end. @throws Error with the reason if it failed */
export async function runRepositoryOperation(
  session: Session,
  name: string,
  operation: RepositoryOperation,
  options: { json?: boolean },
): Promise<void> {
  const { vcsWorker, as } = session.system;
  const request = { componentIds: [await componentId(session, name)], operation: OPERATIONS[operation] };
  const { result, detail } = await vcsWorker.runOperation(request, { ...as, timeoutMs: OPERATION_TIMEOUT_MS });
  if (!result) throw new Error(detail || `The operation ${operation} failed.`);
  session.print({ result, detail: detail || null }, options, () => detail || `Done: ${operation} of ${name}.`);
}

async function list(session: Session, { json, ...filter }: ListOptions): Promise<void> {
  const { vcsWorker, as } = session.system;
  const found: vcsWorker.RepositorySummary__Output[] = [];
  for (let page = 1; ; page++) {
    const request = { ...filter, page: { page, pageSize: PAGE } };
    const { repositories } = await vcsWorker.listRepositories(request, as);
    found.push(...repositories);
    if (repositories.length < PAGE) break;
  }
  const names = await componentNames(
    session,
    found.map((repository) => repository.componentId),
  );
  session.print(
    found.map((repository) => toJson(repository, names)),
    { json },
    () =>
      found.length === 0
        ? 'There are no such repositories.'
        : table(
            ['component', 'branch', 'ahead', 'behind', 'unpushed since', 'held by', 'queue', 'failure'],
            found.map((repository) => [
              names.get(repository.componentId) ?? `deleted (${repository.componentId})`,
              repository.branch,
              String(repository.ahead),
              String(repository.behind),
              repository.unpushedSinceMs === 0 ? '-' : formatTime(repository.unpushedSinceMs),
              repository.leaseHolder || '-',
              String(repository.queueLength),
              failureLine(repository.failure) || '-',
            ]),
          ),
  );
}
