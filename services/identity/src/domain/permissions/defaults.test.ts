import { isPermission, permissionNames, permissions } from '@parlance/access';
import { defaultGroups, defaultRoleId, defaultRoles, teamsOfProject } from './defaults';
import { defaultSubscriptions } from '../notifications/subscription';

describe('what every installation begins with', () => {
  const project = permissionNames.filter((p) => permissions[p] === 'project');
  const roles = defaultRoles(project);

  it('default roles have a fixed order', () => {
    expect(roles.map((r) => `${r.id} ${r.name}`)).toEqual([
      '1 Administration',
      '2 Edit source',
      '3 Add suggestion',
      '4 Access repository',
      '5 Manage glossary',
      '6 Power user',
      '7 Translation coordinator',
      '8 Review strings',
      '9 Translate',
      '10 Manage languages',
      '11 Bulk editing',
      '12 Automatic translation',
      '13 Manage translation memory',
      '14 Manage screenshots',
      '15 Manage repository',
      '16 Billing',
      '17 Add new projects',
    ]);
  });

  it('default roles contain known permissions without duplicates', () => {
    for (const role of roles) {
      expect(role.permissions.filter((p) => !isPermission(p))).toEqual([]);
      expect(new Set(role.permissions).size).toBe(role.permissions.length);
    }
    expect(roles[0]!.permissions).toEqual(project);
    expect([...roles[7]!.permissions].sort()).toEqual([
      'comment.add',
      'comment.resolve',
      'machinery.view',
      'suggestion.accept',
      'suggestion.add',
      'suggestion.vote',
      'translation.download',
      'unit.check',
      'unit.edit',
      'unit.override',
      'unit.review',
      'upload.overwrite',
      'upload.perform',
    ]);
  });

  it('default groups exist', () => {
    expect(defaultGroups().map((g) => [g.id, g.name, g.projectSelection, g.roles, g.autoJoin])).toEqual([
      [1, 'Guests', 3, [3, 4], false],
      [2, 'Viewers', 4, [], true],
      [3, 'Users', 3, [6], true],
      [4, 'Reviewers', 1, [8], false],
      [5, 'Managers', 1, [1], false],
      [6, 'Project creators', 1, [17], false],
    ]);
  });

  it('new users get ten subscriptions', () => {
    expect(defaultSubscriptions).toHaveLength(10);
    expect(new Set(defaultSubscriptions.map((s) => `${s.scope} ${s.notification}`)).size).toBe(10);
  });
});

describe('teams of a project', () => {
  const names = (access: number, review: boolean) => teamsOfProject(access, review).map((t) => t.name);

  it('public projects have few teams', () => {
    expect(names(0, false)).toEqual(['Administration']);
    expect(names(0, true)).toEqual(['Administration', 'Review']);
    expect(names(200, true)).toEqual(['Administration']);
  });

  it('other projects have one team for each kind of work', () => {
    expect(names(100, false)).toHaveLength(10);
    expect(names(100, true)).toHaveLength(11);
    expect(names(1, true)).toEqual(names(100, true));
    expect(teamsOfProject(100, false).find((t) => t.name === 'VCS')!.role).toBe(defaultRoleId('Manage repository'));
  });
});
