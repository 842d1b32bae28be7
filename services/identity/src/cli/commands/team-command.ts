import type { identity } from '@parlance/contracts';
import { Command } from 'commander';
import { findUser, type Session } from '../session';
import { table } from '../table';

const PAGE = 1000;

/** JSON form of a team, with the slug of its project. */
const toTeamRow = (team: identity.Group__Output, projects: ReadonlyMap<number, string>) => ({
  id: team.id,
  name: team.name,
  project: team.definingProjectId === 0 ? null : (projects.get(team.definingProjectId) ?? null),
  administrators: team.adminUserIds.length,
  enforced_2fa: team.enforced_2fa,
});

/** Commands for teams: groups of users with roles, of the site or of a project. */
export function teamCommand(session: Session): Command {
  const team = new Command('team').description('Lists teams and changes their members.');
  addList(team, session);
  addMembership(team, session, 'add', 'Adds a user to a team.');
  addMembership(team, session, 'remove', 'Removes a user from a team.');
  return team;
}

function addList(team: Command, session: Session): void {
  team
    .command('list')
    .description('Lists teams, ordered by id.')
    .option('--user <name>', 'only teams of this user')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance team list --user ana')
    .action(async (options: { user?: string; json?: boolean }) => {
      const mine = options.user === undefined ? null : new Set((await findUser(session, options.user)).groupIds);
      const teams = (await allTeams(session)).filter(({ id }) => mine?.has(id) ?? true);
      const { catalog, as } = session.system;
      const ids = [...new Set(teams.map(({ definingProjectId }) => definingProjectId))].filter((id) => id !== 0);
      const { projects } = ids.length === 0 ? { projects: [] } : await catalog.batchGetProjects({ ids }, as);
      const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
      const rows = teams.map((each) => toTeamRow(each, slugs));
      session.print(rows, options, () =>
        table(
          ['id', 'name', 'project', 'administrators'],
          rows.map(({ id, name, project, administrators }) => [
            String(id),
            name,
            project ?? '-',
            String(administrators),
          ]),
        ),
      );
    });
}

function addMembership(team: Command, session: Session, action: 'add' | 'remove', description: string): void {
  team
    .command(`${action} <user> <team>`)
    .description(`${description} The team is an id, or a name that only one team has.`)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  parlance team ${action} ana Managers`)
    .action(async (username: string, name: string, options: { json?: boolean }) => {
      const { identity, as } = session.system;
      const { id: userId } = await findUser(session, username);
      const { id: groupId, name: found } = await findTeam(session, name);
      const request = { userId, groupId };
      await (action === 'add' ? identity.addUserToGroup(request, as) : identity.removeUserFromGroup(request, as));
      const text = action === 'add' ? `is a member of ${found}` : `is no member of ${found}`;
      session.print({ username, team: groupId }, options, () => `${username} ${text}.`);
    });
}

async function allTeams(session: Session): Promise<identity.Group__Output[]> {
  const { identity, as } = session.system;
  const teams: identity.Group__Output[] = [];
  for (let page = 1; ; page++) {
    const { groups } = await identity.listGroups({ page: { page, pageSize: PAGE } }, as);
    teams.push(...groups);
    if (groups.length < PAGE) return teams;
  }
}

async function findTeam(session: Session, name: string): Promise<identity.Group__Output> {
  const teams = await allTeams(session);
  const found = teams.filter((team) => team.name === name || String(team.id) === name);
  if (found.length === 0) throw new Error(`There is no team "${name}".`);
  if (found.length > 1)
    throw new Error(`Several teams are called "${name}". Give an id: ${found.map(({ id }) => id).join(', ')}.`);
  return found[0]!;
}
