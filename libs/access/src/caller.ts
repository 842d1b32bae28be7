import type { Permission } from './permissions';

/** Which projects a grant reaches. */
export type ProjectSelection =
  /** Every project. */
  | 'all'
  /** Those with public access. */
  | 'public'
  /** Those with public or protected access. */
  | 'protected'
  /** Exactly these ids. */
  | number[];

/** One set of permissions on one set of objects; a user's teams, merged. */
export interface Grant {
  permissions: Permission[];
  projects: ProjectSelection;
  /** Only these components; absent: all of the projects. Also what opens restricted components. */
  components?: number[];
  /** Only these language codes; absent: all. */
  languages?: string[];
}

/** Who makes a request, and what that allows. Services check it locally. */
export interface Caller {
  /** 0: a service, or the anonymous caller. */
  userId: number;
  username: string;
  fullName: string;
  email: string;
  isSuperuser: boolean;
  isBot: boolean;
  anonymous: boolean;
  /** Has a confirmed second factor; absent: none. See `hasSecondFactor`. */
  secondFactor?: boolean;
  /** Name of the process when it acts by itself (imports, periodic work); it may do everything. */
  service?: string;
  /** A project token reaches these projects and no others, whatever is public. */
  onlyProjects?: number[];
  grants: Grant[];
}

/** The object a permission is looked up on, as far as it matters for access. */
export interface AccessTarget {
  projectId: number;
  /** 0 public, 1 protected, 100 private, 200 custom. */
  accessControl: number;
  componentId?: number;
  /** The component is visible only to teams that list it. */
  restricted?: boolean;
  languageCode?: string;
  /** The project requires a second factor of people who change anything in it. */
  enforced2fa?: boolean;
}

/** Permissions that only read: they need no second factor. */
const READING: ReadonlySet<Permission> = new Set<Permission>([
  'billing.view',
  'change.download',
  'machinery.view',
  'reports.view',
  'translation.download',
  'vcs.access',
  'vcs.view',
]);

/** The caller of a process that acts by itself. */
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

/** Whether the caller may work where a second factor is asked for. Bots and processes need none. */
export function hasSecondFactor(caller: Caller): boolean {
  return caller.secondFactor === true || caller.isBot || caller.service !== undefined;
}

/** Whether the object's project requires a second factor that the caller does not have. */
export function lacksSecondFactor(caller: Caller, target: Pick<AccessTarget, 'enforced2fa'>): boolean {
  return target.enforced2fa === true && !hasSecondFactor(caller);
}

/** Error message for a caller without the second factor that a project or team requires. */
export const SECOND_FACTOR_REQUIRED =
  'Contributors to this project need a second factor: add and confirm one in second-factors/ of your user.';

/** Why a permission was denied, when that is a missing second factor; else undefined. For the message of PERMISSION_DENIED. */
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

/** Whether everybody may see a project with this access control. */
export const isOpen = (accessControl: number): boolean => accessControl === 0 || accessControl === 1;

/** Whether the caller knows that the object exists. What cannot be seen is answered with 404 everywhere. */
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
 * Whether the caller may do something on an object of a project. Where the project requires a second factor, principals without one,
 * superusers included, hold no permission that changes anything.
 */
export function can(caller: Caller, permission: Permission, target: AccessTarget): boolean {
  if (caller.onlyProjects && !caller.onlyProjects.includes(target.projectId)) return false;
  if (lacksSecondFactor(caller, target) && !READING.has(permission)) return false;
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
