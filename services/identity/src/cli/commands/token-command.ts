import { isoTime, type identity } from '@parlance/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { findUser, type Session } from '../session';
import { isoOrNull, formatTime, table } from '../table';

const PAGE = 100;

/** JSON form of a token. */
function toTokenRow(token: identity.Token__Output) {
  return {
    id: token.id,
    kind: token.kind === 'TOKEN_KIND_PROJECT' ? 'project' : 'personal',
    name: token.name,
    username: token.username,
    hint: token.hint,
    created: isoOrNull(token.createdMs),
    expires: isoOrNull(token.expiresMs),
    last_used: isoOrNull(token.lastUsedMs),
  };
}

function date(text: string): number {
  const ms = isoTime(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Give a date such as 2027-01-31.');
  return ms;
}

export function tokenCommand(session: Session): Command {
  const token = new Command('token').description('Creates, lists and revokes tokens.');
  addCreate(token, session);
  addList(token, session);
  addRevoke(token, session);
  return token;
}

function addCreate(token: Command, session: Session): void {
  const create = token
    .command('create')
    .description('Creates a token of a user or a project and prints only the token on standard output.')
    .option('--user <name>', 'owner of the token')
    .option('--project <slug>', 'project that the token gives access to; creates a bot in its Administration team')
    .option('--name <text>', 'purpose', 'command line')
    .option('--expires <date>', 'expiry date', date)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parlance token create --user ana --name laptop\n  parlance token create --project website --expires 2027-01-31',
    );
  create.action(
    async (options: { user?: string; project?: string; name: string; expires?: number; json?: boolean }) => {
      if ((options.user === undefined) === (options.project === undefined)) {
        create.error('error: give either --user or --project');
      }
      const { identity, as } = session.system;
      const common = { name: options.name, expiresMs: options.expires ?? 0 };
      const created =
        options.user === undefined
          ? await identity.createProjectToken({ ...common, projectSlug: options.project }, as)
          : await identity.createPersonalToken({ ...common, userId: (await findUser(session, options.user)).id }, as);
      session.print({ ...toTokenRow(created.token!), token: created.value }, options, () => created.value);
    },
  );
}

function addList(token: Command, session: Session): void {
  token
    .command('list')
    .description('Lists tokens; their values are not stored.')
    .option('--user <name>', 'only tokens of this user')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance token list --user ana')
    .action(async (options: { user?: string; json?: boolean }) => {
      const { identity, as } = session.system;
      const userId = options.user === undefined ? 0 : (await findUser(session, options.user)).id;
      const tokens: ReturnType<typeof toTokenRow>[] = [];
      for (let page = 1, seen = 0; ; page++) {
        // A page holds the tokens of so many users, and the total counts these users.
        const answer = await identity.listTokens({ page: { page, pageSize: PAGE } }, as);
        tokens.push(...answer.tokens.filter((t) => userId === 0 || t.userId === userId).map(toTokenRow));
        seen += PAGE;
        if (seen >= answer.total) break;
      }
      session.print(tokens, options, () =>
        table(
          ['id', 'user', 'name', 'ends with', 'created', 'expires', 'last used'],
          tokens.map((t) => [
            String(t.id),
            t.username,
            t.name,
            t.hint,
            ...[t.created, t.expires, t.last_used].map((time) => formatTime(time === null ? 0 : Date.parse(time))),
          ]),
        ),
      );
    });
}

function addRevoke(token: Command, session: Session): void {
  token
    .command('revoke <id-or-token>')
    .description('Revokes a token immediately, by its id, by its value, or by the value on standard input (-).')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  parlance token revoke 12\n  parlance token revoke - < token.txt')
    .action(async (given: string, options: { json?: boolean }) => {
      const { identity, as } = session.system;
      const text = given === '-' ? await session.environment.input() : given;
      const wanted = /^\d{1,15}$/.test(text) ? { id: Number(text) } : { value: text };
      const revoked = (await identity.revokeToken(wanted, as)).token!;
      session.print(
        toTokenRow(revoked),
        options,
        () => `The token ${revoked.name} of ${revoked.username} was revoked.`,
      );
    });
}
