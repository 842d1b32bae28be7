export { canLinkTo, linkingPermissions } from './linking';
export {
  inTableOrder,
  isPermission,
  permissionNames,
  permissions,
  type Permission,
  type PermissionScope,
} from './permissions';
export {
  can,
  canOnSite,
  canSee,
  denialMessage,
  hasSecondFactor,
  isOpen,
  lacksSecondFactor,
  SECOND_FACTOR_REQUIRED,
  serviceCaller,
  type AccessTarget,
  type Grant,
  type Caller,
  type ProjectSelection,
} from './caller';
export {
  MAX_CALLER_TOKEN_BYTES,
  CALLER_METADATA_KEY,
  CallerTokenError,
  CallerVerifier,
  secretsOf,
  signCaller,
} from './signing';
