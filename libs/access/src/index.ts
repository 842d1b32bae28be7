export { canLinkTo, linkingPermissions } from './linking';
export { isPermission, permissionNames, permissions, type Permission, type PermissionScope } from './permissions';
export {
  can,
  canOnSite,
  canSee,
  denialMessage,
  hasSecondFactor,
  isOpen,
  lacksSecondFactor,
  SECOND_FACTOR_REQUIRED,
  servicePrincipal,
  type AccessTarget,
  type Grant,
  type Principal,
  type ProjectSelection,
} from './principal';
export {
  MAX_PRINCIPAL_BYTES,
  PRINCIPAL_METADATA_KEY,
  PrincipalError,
  PrincipalVerifier,
  signPrincipal,
} from './signing';
