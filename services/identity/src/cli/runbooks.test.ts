import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from './connect';
import { connectEvents } from './connect-events';
import { run } from './program';

const docs = join(__dirname, '../../../../docs');

/** Words that can follow each command, by its path (`task list`), as the completion script has them. */
async function readCommands(): Promise<Map<string, string[]>> {
  let script = '';
  await run(['completion', 'bash'], {
    variables: {},
    connect: () => connect({}),
    connectEvents: () => connectEvents({}),
    out: (text) => void (script += text),
    err: () => undefined,
    input: () => Promise.resolve(''),
  });
  const rows = script.matchAll(/^ +'([a-z -]*)'\) words='([^']*)' ;;$/gm);
  return new Map([...rows].map(([, path, words]) => [path!, words!.split(' ')]));
}

/** The words after each `parlance`, up to the end of the command. */
function commandLines(page: string): string[][] {
  return [...page.matchAll(/(?<![\w/.-])parlance((?: +[^\s`|#;)]+)+)/g)]
    .map(([, words]) => words!.trim().split(/ +/))
    .filter(([first]) => /^[a-z]/.test(first!));
}

/** The subcommand or the options of a command line that the operator's command does not have. */
function unknownIn(words: readonly string[], commands: ReadonlyMap<string, readonly string[]>): string[] {
  let path = '';
  let rest = words;
  for (let next = rest[0]; commands.has(`${path} ${next}`.trim()); next = rest[0]) {
    path = `${path} ${next}`.trim();
    rest = rest.slice(1);
  }
  const isGroup = path === '' || [...commands.keys()].some((each) => each.startsWith(`${path} `));
  if (isGroup && rest.length > 0) return [rest[0]!];
  return rest.filter((word) => word.startsWith('--') && !commands.get(path)!.includes(word));
}

it('runbooks and docs/operations.md name only commands and options that the operator’s command has', async () => {
  const commands = await readCommands();
  expect(commands.get('webhook list')).toContain('--state');
  const runbooks = readdirSync(join(docs, 'runbooks')).map((name) => `runbooks/${name}`);
  const lines = [...runbooks, 'operations.md'].flatMap((page) =>
    commandLines(readFileSync(join(docs, page), 'utf8')).map((words) => ({ page, words })),
  );
  expect(lines).not.toEqual([]);
  expect(lines.filter(({ words }) => unknownIn(words, commands).length > 0)).toEqual([]);
});
