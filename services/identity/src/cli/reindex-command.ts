import { Command } from 'commander';
import type { Session } from './session';

/** The command that builds the indexes of texts again. */
export function reindexCommand(session: Session): Command {
  return new Command('reindex')
    .description(
      'Builds the indexes of strings and of the translation memory again, in the background. Searches read the strings until then.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await session.system.service('translation').rebuildIndexes({}, session.system.as);
      session.print({ requested: true }, options, () => 'The indexes are built again within seconds to minutes.');
    });
}
