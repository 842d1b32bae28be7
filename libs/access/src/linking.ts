import type { Permission } from './permissions';
import { can, type AccessTarget, type Caller } from './caller';

/**
 * Permissions on the owner of a repository that a caller needs to link a component or to choose its files. Strings of a linked component
 * are committed and pushed with the rights of the owner.
 */
export const linkingPermissions = [
  'component.edit',
  'vcs.access',
  'vcs.commit',
  'vcs.push',
] as const satisfies readonly Permission[];

/** Whether the caller may give other components access to the repository of `owner`. */
export function canLinkTo(caller: Caller, owner: AccessTarget): boolean {
  return linkingPermissions.every((permission) => can(caller, permission, owner));
}
