import type { Permission } from './permissions';

/** Projects that a grant covers. */
export type ProjectSelection =
  /** Every project. */
  | 'all'
  /** Projects with public access. */
  | 'public'
  /** Projects with public or protected access. */
  | 'protected'
  /** Project ids. */
  | number[];

/** One set of permissions on one set of objects; a user's teams, merged. */
export interface Grant {
  permissions: Permission[];
  projects: ProjectSelection;
  /** Limits the grant to these components; absent: all of the projects. Restricted components need a grant that lists them. */
  components?: number[];
  /** Limits the grant to these language codes; absent: all. */
  languages?: string[];
}

/** The user or service that makes a request, with the grants that decide about access. Services evaluate them locally. */
export interface Caller {
  /** 0 for services and the anonymous caller. */
  userId: number;
  username: string;
  fullName: string;
  email: string;
  isSuperuser: boolean;
  isBot: boolean;
  anonymous: boolean;
  /** The user has a confirmed second factor; absent: no. See `hasSecondFactor`. */
  secondFactor?: boolean;
  /** Name of a process that acts on its own behalf (imports, periodic work). It holds every permission. */
  service?: string;
  /** Project tokens, and personal tokens limited to projects: the only projects that are accessible, even if others are public. */
  onlyProjects?: number[];
  /** The token is limited to reading; absent: no. Gateways reject all writing requests. */
  readOnly?: boolean;
  grants: Grant[];
}

/** Properties of an object that decide about access. */
export interface AccessTarget {
  projectId: number;
  /** 0 public, 1 protected, 100 private, 200 custom. */
  accessControl: number;
  componentId?: number;
  /** Only teams that list the component may see it. */
  restricted?: boolean;
  languageCode?: string;
  /** The project requires a second factor for changes by people. */
  enforced2fa?: boolean;
}

/** Read permissions. They need no second factor. */
const READING: ReadonlySet<Permission> = new Set<Permission>([
  'billing.view',
  'change.download',
  'machinery.view',
  'reports.view',
  'translation.download',
  'vcs.access',
  'vcs.view',
]);

/** The caller of a process that acts on its own behalf. */
export function serviceCaller(service: string): Caller {
  return {
    userId: 0,
    username: '',
    fullName: '',
    email: '',
    isSuperuser: true,
    isBot: false,
    anonymous: false,
    service,
    grants: [],
  };
}

/** Whether the caller satisfies a second-factor requirement. Bots and processes are exempt. */
export function hasSecondFactor(caller: Caller): boolean {
  return caller.secondFactor === true || caller.isBot || caller.service !== undefined;
}

/** Whether the object's project requires a second factor and the caller has none. */
export function lacksSecondFactor(caller: Caller, target: Pick<AccessTarget, 'enforced2fa'>): boolean {
  return target.enforced2fa === true && !hasSecondFactor(caller);
}

/** Error message for callers without a required second factor. */
export const SECOND_FACTOR_REQUIRED =
  'Contributors to this project need a second factor: add and confirm one in second-factors/ of your user.';

/** PERMISSION_DENIED message when a missing second factor caused the denial, else undefined. */
export function denialMessage(
  caller: Caller,
  target: Pick<AccessTarget, 'enforced2fa'> | undefined,
): string | undefined {
  return target && !caller.anonymous && lacksSecondFactor(caller, target) ? SECOND_FACTOR_REQUIRED : undefined;
}

function reaches(selection: ProjectSelection, target: AccessTarget): boolean {
  if (selection === 'all') return true;
  if (selection === 'public') return target.accessControl === 0;
  if (selection === 'protected') return isOpen(target.accessControl);
  return selection.includes(target.projectId);
}

function grantReaches(grant: Grant, target: AccessTarget): boolean {
  if (
    !reaches(grant.projects, target) &&
    !(target.componentId !== undefined && grant.components?.includes(target.componentId))
  )
    return false;
  if (grant.components && (target.componentId === undefined || !grant.components.includes(target.componentId)))
    return false;
  if (target.restricted && !(target.componentId !== undefined && grant.components?.includes(target.componentId)))
    return false;
  return true;
}

/** Whether a project with this access control is visible to all callers. */
export const isOpen = (accessControl: number): boolean => accessControl === 0 || accessControl === 1;

/** Whether the object is visible to the caller. Requests for invisible objects fail with 404. */
export function canSee(caller: Caller, target: AccessTarget): boolean {
  if (caller.onlyProjects && !caller.onlyProjects.includes(target.projectId)) return false;
  if (caller.isSuperuser) return true;
  if (target.restricted)
    return caller.grants.some(
      (g) => target.componentId !== undefined && g.components?.includes(target.componentId) === true,
    );
  if (isOpen(target.accessControl)) return true;
  return caller.grants.some((g) => {
    if (target.componentId === undefined && g.components)
      return Array.isArray(g.projects) && g.projects.includes(target.projectId);
    return grantReaches(g, target);
  });
}

/**
 * Whether the caller holds a permission on an object of a project. If the project requires a second factor, callers without one,
 * superusers included, hold read permissions only.
 */
export function can(caller: Caller, permission: Permission, target: AccessTarget): boolean {
  if (caller.onlyProjects && !caller.onlyProjects.includes(target.projectId)) return false;
  if ((caller.readOnly || lacksSecondFactor(caller, target)) && !READING.has(permission)) return false;
  if (caller.isSuperuser) return true;
  return caller.grants.some(
    (g) =>
      g.permissions.includes(permission) &&
      grantReaches(g, target) &&
      (!g.languages || target.languageCode === undefined || g.languages.includes(target.languageCode)),
  );
}

/** Whether the caller holds a permission on the whole site. */
export function canOnSite(caller: Caller, permission: Permission): boolean {
  if (caller.onlyProjects) return false;
  return caller.isSuperuser || caller.grants.some((g) => g.permissions.includes(permission));
}
