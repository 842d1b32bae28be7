import { Command, CommanderError } from 'commander';
import { auditCommand } from './commands/audit-command';
import { backupCommand } from './commands/backup-command';
import { componentCommand } from './commands/component-command';
import { hookCommand, webhookCommand } from './commands/delivery-command';
import { eventsCommand } from './commands/events-command';
import { completionCommand } from './completion-command';
import { explain } from './explain';
import { keysCommand } from './commands/keys-command';
import { mailCommand } from './commands/mail-command';
import { maintenanceCommand } from './commands/maintenance-command';
import { reindexCommand } from './reindex-command';
import { repositoryCommand } from './commands/repository-command';
import { Session, type CommandEnvironment } from './session';
import { statusCommand } from './commands/status-command';
import { taskCommand } from './commands/task-command';
import { teamCommand } from './commands/team-command';
import { tokenCommand } from './commands/token-command';
import { userCommand } from './commands/user-command';

export const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;

/** The operator's command with all subcommands. */
export function createProgram(session: Session): Command {
  const program: Command = new Command('parlance')
    .description(
      'Operates a running Parlance: accounts, components, tasks, repositories, events, webhooks, maintenance, backups and keys.',
    )
    .addCommand(userCommand(session))
    .addCommand(teamCommand(session))
    .addCommand(tokenCommand(session))
    .addCommand(auditCommand(session))
    .addCommand(mailCommand(session))
    .addCommand(taskCommand(session))
    .addCommand(repositoryCommand(session))
    .addCommand(componentCommand(session))
    .addCommand(reindexCommand(session))
    .addCommand(hookCommand(session))
    .addCommand(webhookCommand(session))
    .addCommand(eventsCommand(session))
    .addCommand(maintenanceCommand(session))
    .addCommand(backupCommand(session))
    .addCommand(keysCommand(session))
    .addCommand(statusCommand(session))
    .addCommand(completionCommand(() => program, session.environment.out))
    .addHelpText(
      'after',
      `
Examples:
  parlance status
  parlance user create ana --email ana@example.org --token
  parlance token create --project website --name ci
  parlance token list --json
  parlance repository list --failed

The running system is found by IDENTITY_ADDRESS, CATALOG_ADDRESS, VCS_WORKER_ADDRESS and PARLANCE_SERVICE_SECRET, its event
streams by NATS_URL. Backups and keys need the addresses of all services.
Exit codes: 0 done, 1 failed, 2 wrong usage.`,
    );
  return program;
}

/** Runs a command line. @returns the exit code: 0 done, 1 failed (the message is on standard error), 2 wrong usage */
export async function run(args: readonly string[], around: CommandEnvironment): Promise<number> {
  const session = new Session(around);
  const program = createProgram(session);
  forEach(program, (command) => {
    command.exitOverride().configureOutput({ writeOut: around.out, writeErr: around.err });
    command.showHelpAfterError('(add --help for usage)');
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return session.failed ? exitCodes.failure : exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    around.err(`${explain(error)}\n`);
    return exitCodes.failure;
  } finally {
    session.close();
  }
}

function forEach(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const child of command.commands) forEach(child, act);
}
