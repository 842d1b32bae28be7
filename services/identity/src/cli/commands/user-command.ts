import type { identity } from '@parlance/contracts';
import { Command } from 'commander';
import { findUser, type Session } from '../session';
import { isoOrNull, formatTime, table } from '../table';

const PAGE = 1000;

/** JSON form of a user. */
function toUserRow(user: identity.User__Output) {
  return {
    id: user.id,
    username: user.username,
    full_name: user.fullName,
    email: user.email || null,
    is_superuser: user.isSuperuser,
    is_active: user.isActive,
    is_bot: user.isBot,
    date_joined: isoOrNull(user.dateJoinedMs),
  };
}

export function userCommand(session: Session): Command {
  const user = new Command('user').description('Makes and lists users, and resets their passwords.');
  addCreate(user, session);
  addList(user, session);
  addResetPassword(user, session);
  return user;
}

function addCreate(user: Command, session: Session): void {
  user
    .command('create <name>')
    .description('Makes a user. With --token, prints just its new token on standard output.')
    .option('--full-name <text>', 'name that people see (default: the user name)')
    .option('--email <address>', 'mail address')
    .option('--superuser', 'may do everything')
    .option('--token', 'also make a personal token and print it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  parlance user create ana --token\n  parlance user create root --superuser')
    .action(
      async (
        username: string,
        options: { fullName?: string; email?: string; superuser?: boolean; token?: boolean; json?: boolean },
      ) => {
        const { identity, as } = session.system;
        const made = await identity.createUser(
          {
            username,
            fullName: options.fullName ?? username,
            email: options.email,
            isSuperuser: options.superuser ?? false,
            withToken: options.token ?? false,
          },
          as,
        );
        const result = { ...toUserRow(made.user!), ...(options.token ? { token: made.token } : {}) };
        session.print(result, options, () => (options.token ? made.token : `User ${username} was made.`));
      },
    );
}

function addList(user: Command, session: Session): void {
  user
    .command('list')
    .description('Lists users, ordered by id.')
    .option('--prefix <text>', 'only names that begin with this')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance user list --prefix bot- --json')
    .action(async (options: { prefix?: string; json?: boolean }) => {
      const { identity, as } = session.system;
      const users: ReturnType<typeof toUserRow>[] = [];
      for (let page = 1; ; page++) {
        const request = { page: { page, pageSize: PAGE }, usernamePrefix: options.prefix ?? '' };
        const answer = await identity.listUsers(request, as);
        users.push(...answer.users.map(toUserRow));
        if (answer.users.length < PAGE) break;
      }
      session.print(users, options, () =>
        table(
          ['id', 'username', 'full name', 'role', 'joined'],
          users.map((u) => [
            String(u.id),
            u.username,
            u.full_name,
            roleOf(u),
            formatTime(Date.parse(u.date_joined ?? '') || 0),
          ]),
        ),
      );
    });
}

function addResetPassword(user: Command, session: Session): void {
  user
    .command('reset-password <name>')
    .description('Gives a user a new password, made up and printed unless standard input holds one.')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance user reset-password ana')
    .action(async (username: string, options: { passwordStdin?: boolean; json?: boolean }) => {
      const { identity, as } = session.system;
      const { id } = await findUser(session, username);
      const given = options.passwordStdin ? await session.environment.input() : '';
      if (options.passwordStdin && given === '') throw new Error('Standard input holds no password.');
      const { password } = await identity.setPassword({ userId: id, password: given }, as);
      const result = { username, ...(options.passwordStdin ? {} : { password }) };
      session.print(result, options, () => (options.passwordStdin ? `The password of ${username} was set.` : password));
    });
}

function roleOf(user: ReturnType<typeof toUserRow>): string {
  if (!user.is_active) return 'inactive';
  if (user.is_superuser) return 'superuser';
  return user.is_bot ? 'bot' : 'user';
}
