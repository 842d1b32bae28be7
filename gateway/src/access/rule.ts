import type { Permission } from '@parlance/access';
import type { Endpoint } from '../routing/endpoint';
import { isGitPath } from '../routing/git-client';

/**
 * One way to be let in: a permission on the site, on the object that the path names first, or on another object of the request; or
 * what the caller is.
 */
export type Way =
  | { readonly permission: Permission; readonly on: 'site' | 'object' | 'other' }
  /** The user whom the path names. */
  | 'self'
  | 'superuser'
  /** An admin of the team that the request names. */
  | 'team-admin';

/** One thing that a request may ask for, where that decides which permissions are needed. */
export interface Case {
  /** What is asked for, in words. */
  readonly does: string;
  /** Fields of the body that ask for it. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** On which strings it is asked for; absent: it makes no difference. */
  readonly on?: 'source' | 'translation' | 'glossary';
  /** Every one of them is needed, on the object. */
  readonly all: readonly Permission[];
  /** What the author of the object needs instead. */
  readonly author?: Permission;
}

/**
 * What a field of the body may name beside the object of the path. The rights are needed on the named object: without them the field is
 * wrong (400), as it is when it names what the caller may not see.
 */
export interface Named {
  readonly field: string;
  /** Permissions of which every one is needed; `sight`: to see it; `same project`: it belongs to the project of the path's object. */
  readonly needs: readonly Permission[] | 'sight' | 'same project';
}

/** Who knows of an object; for everybody else it does not exist (404). */
export type Sight =
  | 'everybody'
  /** People who are signed in; the token of a project knows its own bot only. */
  | 'user'
  /** Whoever may see its project and, where it is restricted, its component. */
  | 'project'
  /** Its members and admins, those who manage the teams of its project, holders of group.view or group.edit. */
  | 'group'
  /** Members of groups that have it, holders of role.view or role.edit. */
  | 'role'
  /** Everybody when it is empty, else whoever may see one of its components. */
  | 'component-list'
  /** The body names the object; one that the caller may not see is answered as a wrong value (400). */
  | 'body';

/** Who knows of what the first parameter of a path names. */
const sights: Readonly<Record<string, Sight>> = {
  username: 'user',
  group: 'group',
  role: 'role',
  list: 'component-list',
  code: 'everybody',
  provider: 'everybody',
  check: 'everybody',
  // Who looks after no memory learns nothing of what there is.
  memory: 'everybody',
};

/** Rows whose body names the object that access is looked at on. */
const namedInBody = new Set(['POST /api/categories/', 'POST /api/groups/', 'POST /api/screenshots/']);

/** Tasks that are cancelled have to be there. */
const mustExist = new Set(['DELETE /api/tasks/:task/']);

function sightOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Sight {
  if (namedInBody.has(`${method} ${path}`)) return 'body';
  if (mustExist.has(`${method} ${path}`)) return 'project';
  // A task that the caller may not see is shown like one that is not known: as not begun.
  if (method === 'GET' && path === '/api/tasks/:task/') return 'everybody';
  const first = /:(\w+)/.exec(path)?.[1];
  return first === undefined ? 'everybody' : (sights[first] ?? 'project');
}

/** The access rule of an endpoint as data. */
export interface AccessRule {
  sight: Sight;
  /** Whether a token is needed, or who may; `ways`: one is enough. */
  allow: 'anyone' | 'signed-in' | { ways: readonly Way[] } | { cases: readonly Case[] };
  /** What the body may name, and the rights that it takes. */
  named?: readonly Named[];
  /** Callers without a token are answered 403 and not 401. */
  anonymousForbidden?: true;
  /** Tokens of projects are refused. */
  people?: true;
  /** Callers without a token are asked for one (401) where there is nothing that they may know of, not told so (404). */
  signIn?: true;
}

/** What of an endpoint decides who may use it. */
type Guarded = Pick<Endpoint, 'method' | 'path' | 'access' | 'named'>;

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
  return needs === 'same project' ? `${field}: of the same project` : `${field}: ${needs.join(' and ')} on it`;
}

/** Who may use an endpoint, in words. */
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
