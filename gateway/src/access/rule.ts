import { isGitPath } from '../routing/git-client';
import type { Access, Case, Named, Way } from './definition';

/** Who can see an object; for other callers it does not exist (404). */
export type Sight =
  | 'everybody'
  /** Signed-in users; a project token sees its own bot only. */
  | 'user'
  /** Callers who can see its project and, if the component is restricted, the component. */
  | 'project'
  /** Its members and admins, managers of the teams of its project, holders of group.view or group.edit. */
  | 'group'
  /** Members of groups with this role, holders of role.view or role.edit. */
  | 'role'
  /** Everyone if it is empty, otherwise callers who can see one of its components. */
  | 'component-list'
  /** The body names the object; a hidden object is an invalid value (400). */
  | 'body';

/** Visibility of the object that the first parameter of a path names. */
const sights: Readonly<Record<string, Sight>> = {
  username: 'user',
  group: 'group',
  role: 'role',
  list: 'component-list',
  code: 'everybody',
  provider: 'everybody',
  check: 'everybody',
  // Callers without memory permissions get the same answer for existing and missing entries.
  memory: 'everybody',
};

/** Endpoints whose body names the object that the permission is checked on. */
const namedInBody = new Set(['POST /api/categories/', 'POST /api/groups/', 'POST /api/screenshots/']);

/** Only existing tasks can be cancelled. */
const mustExist = new Set(['DELETE /api/tasks/:task/']);

function sightOf({ method, path }: Pick<Guarded, 'method' | 'path'>): Sight {
  if (namedInBody.has(`${method} ${path}`)) return 'body';
  if (mustExist.has(`${method} ${path}`)) return 'project';
  // A task hidden from the caller is shown like an unknown one: as not begun.
  if (method === 'GET' && path === '/api/tasks/:task/') return 'everybody';
  const first = /:(\w+)/.exec(path)?.[1];
  return first === undefined ? 'everybody' : (sights[first] ?? 'project');
}

/** The access rule of an endpoint as data. */
export interface AccessRule {
  sight: Sight;
  /** Whether a token or a permission is required; `ways`: one is enough. */
  allow: 'anyone' | 'signed-in' | { ways: readonly Way[] } | { cases: readonly Case[] };
  /** Objects that the body may name, and the permissions that they require. */
  named?: readonly Named[];
  /** Callers without a token get 403 instead of 401. */
  anonymousForbidden?: true;
  /** Project tokens are rejected. */
  people?: true;
  /** Callers without a token get 401 instead of 404 for hidden and missing objects. */
  signIn?: true;
}

/** Fields of an endpoint that define its access. */
interface Guarded {
  method: string;
  path: string;
  access: Access;
  named?: readonly Named[];
}

export function accessRule(endpoint: Guarded): AccessRule {
  const { access, path, named } = endpoint;
  const about = { sight: sightOf(endpoint), ...(named ? { named } : {}) };
  if (access === 'person') return { ...about, allow: 'signed-in', people: true };
  if (typeof access === 'string') return { ...about, allow: access };
  if ('site' in access) return { ...about, allow: { ways: [{ permission: access.site, on: 'site' }] } };
  if ('ways' in access) return { ...about, allow: { ways: access.ways } };
  if ('cases' in access) return { ...about, allow: { cases: access.cases } };
  return {
    ...about,
    allow: { ways: access.any.map((permission) => ({ permission, on: 'object' })) },
    ...(access.anonymousForbidden ? { anonymousForbidden: true } : {}),
    ...(access.people ? { people: true } : {}),
    ...(isGitPath(path) ? { signIn: true } : {}),
  };
}

const wayTexts = { self: 'the user itself', superuser: 'a superuser', 'team-admin': 'an admin of the team' } as const;

function namedText({ field, needs }: Named): string {
  if (needs === 'sight') return `${field}: what the caller may see`;
  return needs === 'same project' ? `${field}: in the same project` : `${field}: ${needs.join(' and ')} on it`;
}

/** Describes the access rule of an endpoint for the documentation. */
export function accessText(endpoint: Guarded): string {
  const { named = [] } = endpoint;
  return [allowText(endpoint), ...named.map(namedText)].join('; ');
}

const caseText = ({ all, author, does }: Case): string =>
  `${all.join(' and ')}${author ? `, for its author ${author}` : ''} (${does})`;

function allowText(endpoint: Guarded): string {
  const { allow, people } = accessRule(endpoint);
  const butBots = people ? ', but no project token' : '';
  if (typeof allow === 'string') return `${allow}${butBots}`;
  if ('cases' in allow) return allow.cases.map(caseText).join('; ');
  const sites = typeof endpoint.access === 'object' && 'ways' in endpoint.access;
  const ways = allow.ways.map((way) => {
    if (typeof way === 'string') return wayTexts[way];
    if (way.on === 'other') return `${way.permission} on the other side`;
    return sites && way.on === 'site' ? `${way.permission} on the site` : way.permission;
  });
  return `${ways.join(' or ')}${butBots}`;
}
