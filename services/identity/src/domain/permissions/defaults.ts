import { newGroup, type Group } from './group';
import type { Role } from './role';

const prefixed = (prefix: string, ...names: string[]) => names.map((name) => `${prefix}.${name}`);

const translate = [
  'comment.add',
  'machinery.view',
  ...prefixed('suggestion', 'accept', 'add', 'vote'),
  'translation.download',
  'unit.check',
  'unit.edit',
  'upload.overwrite',
  'upload.perform',
];
const power = [
  'comment.add',
  ...prefixed('glossary', 'add', 'delete', 'edit', 'upload'),
  'machinery.view',
  ...prefixed('suggestion', 'accept', 'add', 'delete', 'vote'),
  'translation.add',
  'translation.download',
  'unit.check',
  'unit.edit',
  'unit.template',
  'upload.overwrite',
  'upload.perform',
  'vcs.access',
  'vcs.view',
];

/** Default roles; their ids follow this order, from 1. */
const roleTable = {
  Administration: 'every project permission',
  'Edit source': [...translate, 'source.edit', 'unit.template'],
  'Add suggestion': ['suggestion.add'],
  'Access repository': ['translation.download', 'vcs.access', 'vcs.view'],
  'Manage glossary': prefixed('glossary', 'add', 'delete', 'edit', 'terminology', 'upload'),
  'Power user': power,
  'Translation coordinator': [
    ...power,
    'announcement.add',
    'comment.resolve',
    'glossary.terminology',
    ...prefixed('screenshot', 'add', 'delete', 'edit'),
    'unit.override',
    'unit.review',
  ],
  'Review strings': [...translate, 'comment.resolve', 'unit.override', 'unit.review'],
  Translate: translate,
  'Manage languages': prefixed('translation', 'add', 'add_more', 'delete', 'download'),
  'Bulk editing': ['unit.bulk_edit'],
  'Automatic translation': ['translation.auto'],
  'Manage translation memory': prefixed('memory', 'delete', 'edit'),
  'Manage screenshots': prefixed('screenshot', 'add', 'delete', 'edit'),
  'Manage repository': ['component.lock', ...prefixed('vcs', 'access', 'commit', 'push', 'reset', 'update', 'view')],
  Billing: ['billing.view'],
  'Add new projects': ['project.add'],
} as const;
export type DefaultRole = keyof typeof roleTable;

/** Id of a default role. */
export function defaultRoleId(name: DefaultRole): number {
  return Object.keys(roleTable).indexOf(name) + 1;
}

/** @param projectPermissions codenames of all permissions that are checked on a project */
export function defaultRoles(projectPermissions: readonly string[]): Role[] {
  return Object.entries(roleTable).map(([name, permissions], index) => ({
    id: index + 1,
    version: 1,
    name,
    permissions: typeof permissions === 'string' ? [...projectPermissions] : [...permissions],
    deleted: false,
  }));
}

/** Default groups; ids from 1. */
export function defaultGroups(): Group[] {
  const group = (id: number, name: string, projectSelection: 1 | 3 | 4, roles: DefaultRole[], autoJoin = false) =>
    newGroup({ id, name, projectSelection, languageSelection: 1, roles: roles.map(defaultRoleId), autoJoin });
  return [
    group(1, 'Guests', 3, ['Add suggestion', 'Access repository']),
    group(2, 'Viewers', 4, [], true),
    group(3, 'Users', 3, ['Power user'], true),
    group(4, 'Reviewers', 1, ['Review strings']),
    group(5, 'Managers', 1, ['Administration']),
    group(6, 'Project creators', 1, ['Add new projects']),
  ];
}

/** Groups of the anonymous user: Guests and Viewers. */
export const anonymousGroups = [1, 2];

/** The team that a project's creator joins. */
export const ADMINISTRATION_TEAM = 'Administration';

/** Names of a project's teams with their roles. */
const projectTeams = {
  Administration: 'Administration',
  Review: 'Review strings',
  Translate: 'Translate',
  Sources: 'Edit source',
  Languages: 'Manage languages',
  Glossary: 'Manage glossary',
  Memory: 'Manage translation memory',
  Screenshots: 'Manage screenshots',
  'Bulk editing': 'Bulk editing',
  'Automatic translation': 'Automatic translation',
  VCS: 'Manage repository',
} as const satisfies Record<string, DefaultRole>;

/**
 * The teams of a project. A public project needs only Administration (everyone may translate), a protected
 * or private one a team for each kind of work; both a Review team if reviews are on. With custom access, users manage the teams,
 * except for Administration at creation, without which only superusers could manage the project.
 */
export function teamsOfProject(accessControl: number, review: boolean): { name: string; role: number }[] {
  const open = accessControl === 0 || accessControl === 200;
  return Object.entries(projectTeams)
    .filter(([name]) => (name === 'Review' ? review && accessControl !== 200 : !open || name === ADMINISTRATION_TEAM))
    .map(([name, role]) => ({ name, role: defaultRoleId(role) }));
}

/** Unique key of a project's team. */
export function teamKey(projectId: number, name: string): string {
  return `${projectId}:${name}`;
}
