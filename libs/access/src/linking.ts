import type { Permission } from './permissions';
import { can, type AccessTarget, type Principal } from './principal';

/**
 * Permissions on the owner of a repository without which nobody makes another component use it, or decides which of its files that
 * component reads and writes: the strings of a linked component are committed and pushed with the rights of the owner.
 */
export const linkingPermissions = [
  'component.edit',
  'vcs.access',
  'vcs.commit',
  'vcs.push',
] as const satisfies readonly Permission[];

/** Whether the principal may give other components access to the repository of `owner`. */
export function canLinkTo(principal: Principal, owner: AccessTarget): boolean {
  return linkingPermissions.every((permission) => can(principal, permission, owner));
}
