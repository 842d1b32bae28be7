import type { common } from '@parlance/contracts';
import { Command } from 'commander';
import { isDeepStrictEqual } from 'node:util';
import { componentId } from '../component-names';
import { runRepositoryOperation } from './repository-command';
import type { Session } from '../session';
import { table } from '../table';

const PAGE = 1000;
/** Time limit of the recount of one translation, in milliseconds. */
const RECOUNT_MS = 5 * 60_000;

const REPAIRS = {
  reset: ['reset', 'Discards pending edits and unpushed commits, and resets to the remote branch.'],
  reclone: ['clone-again', 'Fetches the repository into a new clone. Pending edits and unpushed commits stay.'],
  reimport: ['file-scan', 'Commits pending edits, and reads all files of the repository again.'],
} as const;

/** Commands that repair a component. */
export function componentCommand(session: Session): Command {
  const component = new Command('component').description('Repairs components: clones, strings, counters.');
  for (const [name, [operation, description]] of Object.entries(REPAIRS))
    component
      .command(`${name} <project/component>`)
      .description(description)
      .option('--json', 'print JSON')
      .action((of: string, options: { json?: boolean }) => runRepositoryOperation(session, of, operation, options));
  component
    .command('recount <project/component>')
    .description('Counts the strings of all translations and corrects their statistics.')
    .option('--json', 'print JSON')
    .action((of: string, options: { json?: boolean }) => recount(session, of, options));
  return component;
}

async function recount(session: Session, name: string, options: { json?: boolean }): Promise<void> {
  const { system } = session;
  const translation = system.service('translation');
  const id = await componentId(session, name);
  const rows: { language: string; strings: number; corrected: boolean }[] = [];
  for (let page = 1; ; page++) {
    const request = { componentIds: [id], page: { page, pageSize: PAGE } };
    const { translations } = await translation.listTranslations(request, system.as);
    for (const { id: translationId, languageCode, counters: before } of translations) {
      const call = { ...system.as, timeoutMs: RECOUNT_MS };
      const { counters } = await translation.recountTranslation({ translationId, repair: true }, call);
      rows.push({
        language: languageCode,
        strings: counters!.all!.strings,
        corrected: !isDeepStrictEqual(countsOf(before), countsOf(counters)),
      });
    }
    if (translations.length < PAGE) break;
  }
  session.print(rows, options, () =>
    table(
      ['language', 'strings', 'corrected'],
      rows.map(({ language, strings, corrected }) => [language, String(strings), corrected ? 'yes' : 'no']),
    ),
  );
}

/** Counters that a recount corrects: all but the last change and its author. */
function countsOf(counters: common.Counters__Output | null): object {
  const { all, translated, fuzzy, approved, readonly, failing, suggestions, comments, checks } = counters!;
  return { all, translated, fuzzy, approved, readonly, failing, suggestions, comments, checks };
}
