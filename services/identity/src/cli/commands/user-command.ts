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
  const user = new Command('user').description(
    'Creates and lists users, changes their passwords and addresses, and whether they are active and superusers.',
  );
  addCreate(user, session);
  addList(user, session);
  addResetPassword(user, session);
  addSetEmail(user, session);
  for (const change of changes) addChange(user, session, change);
  return user;
}

function addCreate(user: Command, session: Session): void {
  user
    .command('create <name>')
    .description('Creates a user. With --token, prints only the new token on standard output.')
    .option('--full-name <text>', 'display name (default: the user name)')
    .option('--email <address>', 'mail address')
    .option('--superuser', 'has all permissions')
    .option('--token', 'also create a personal token and print it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  parlance user create ana --token\n  parlance user create root --superuser')
    .action(
      async (
        username: string,
        options: { fullName?: string; email?: string; superuser?: boolean; token?: boolean; json?: boolean },
      ) => {
        const { identity, as } = session.system;
        const created = await identity.createUser(
          {
            username,
            fullName: options.fullName ?? username,
            email: options.email,
            isSuperuser: options.superuser ?? false,
            withToken: options.token ?? false,
          },
          as,
        );
        const result = { ...toUserRow(created.user!), ...(options.token ? { token: created.token } : {}) };
        session.print(result, options, () => (options.token ? created.token : `User ${username} was created.`));
      },
    );
}

function addList(user: Command, session: Session): void {
  user
    .command('list')
    .description('Lists users, ordered by id.')
    .option('--prefix <text>', 'only names with this prefix')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance user list --prefix bot- --json')
    .action(async (options: { prefix?: string; json?: boolean }) => {
      const users: ReturnType<typeof toUserRow>[] = [];
      for await (const each of allUsers(session, options.prefix)) users.push(toUserRow(each));
      session.print(users, options, () =>
        table(
          ['id', 'username', 'full name', 'email', 'role', 'joined'],
          users.map((u) => [
            String(u.id),
            u.username,
            u.full_name,
            u.email ?? '-',
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
    .description('Sets a new password of a user, generated and printed unless --password-stdin is given.')
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

function addSetEmail(user: Command, session: Session): void {
  user
    .command('set-email <name> <address>')
    .description(
      'Changes the mail address of a user, which later commits of its translations name as author. "": none.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance user set-email ana ana@example.com')
    .action(async (username: string, email: string, options: { json?: boolean }) => {
      const { identity, as } = session.system;
      const { id } = await findUser(session, username);
      const { user: updated } = await identity.updateUser({ id, email }, as);
      session.print(toUserRow(updated!), options, () =>
        email === ''
          ? `${updated!.username} has no mail address.`
          : `The mail address of ${updated!.username} is ${updated!.email}.`,
      );
    });
}

/** A command that changes a user, and its effect. */
interface UserChange {
  name: string;
  description: string;
  request: { isActive: boolean } | { isSuperuser: boolean };
  /** Whether the user is no active superuser afterwards. */
  endsSuperuser: boolean;
  /** Result after the name of the user. */
  result: string;
}

const changes: readonly UserChange[] = [
  {
    name: 'disable',
    description: 'Deactivates a user: its sessions end, and its tokens are rejected until the user is enabled.',
    request: { isActive: false },
    endsSuperuser: true,
    result: 'is disabled',
  },
  {
    name: 'enable',
    description: 'Activates a user again. Its tokens are accepted again; its sessions do not return.',
    request: { isActive: true },
    endsSuperuser: false,
    result: 'is enabled',
  },
  {
    name: 'promote',
    description: 'Makes a user a superuser, who has all permissions.',
    request: { isSuperuser: true },
    endsSuperuser: false,
    result: 'is a superuser',
  },
  {
    name: 'demote',
    description: 'Makes a superuser a normal user, who keeps its teams.',
    request: { isSuperuser: false },
    endsSuperuser: true,
    result: 'is no superuser',
  },
];

function addChange(user: Command, session: Session, change: UserChange): void {
  user
    .command(`${change.name} <name>`)
    .description(`${change.description}${change.endsSuperuser ? ' Refused for the last active superuser.' : ''}`)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  parlance user ${change.name} ana`)
    .action(async (username: string, options: { json?: boolean }) => {
      const { identity, as } = session.system;
      const current = await findUser(session, username);
      if (change.endsSuperuser) await requireAnotherSuperuser(session, current);
      const { user: updated } = await identity.updateUser({ id: current.id, ...change.request }, as);
      session.print(
        toUserRow(updated!),
        options,
        () => `${updated!.username} ${change.result}${inactiveNote(updated!, change)}.`,
      );
    });
}

/**
 * Without an active superuser, only the operator's command could create one. The check and the write are two calls: concurrent commands
 * can both pass it.
 * @throws Error if a user is the last active superuser
 */
async function requireAnotherSuperuser(session: Session, user: identity.User__Output): Promise<void> {
  const isActiveSuperuser = (each: identity.User__Output) => each.isSuperuser && each.isActive;
  if (!isActiveSuperuser(user)) return;
  for await (const each of allUsers(session)) if (isActiveSuperuser(each) && each.id !== user.id) return;
  throw new Error(
    `${user.username} is the last active superuser. Promote another user first: parlance user promote NAME`,
  );
}

/** Users in the order of their ids, requested page by page. */
async function* allUsers(session: Session, usernamePrefix = ''): AsyncGenerator<identity.User__Output> {
  const { identity, as } = session.system;
  for (let page = 1; ; page++) {
    const { users } = await identity.listUsers({ page: { page, pageSize: PAGE }, usernamePrefix }, as);
    yield* users;
    if (users.length < PAGE) return;
  }
}

/** Reason why a user who was enabled or promoted still cannot sign in; '' if it can. */
function inactiveNote(user: identity.User__Output, { endsSuperuser }: UserChange): string {
  if (endsSuperuser || user.isActive) return '';
  const expired = user.dateExpiresMs !== 0 && user.dateExpiresMs <= Date.now();
  return expired
    ? `, but its access ended at ${formatTime(user.dateExpiresMs)} UTC ("date_expires")`
    : ', but disabled';
}

function roleOf(user: ReturnType<typeof toUserRow>): string {
  if (!user.is_active) return 'inactive';
  if (user.is_superuser) return 'superuser';
  return user.is_bot ? 'bot' : 'user';
}
