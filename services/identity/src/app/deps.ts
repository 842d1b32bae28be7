import type { Caller } from '@parlance/access';
import type { ExternalPolicy } from '../domain/sign-in/external-identity';
import type { Problem } from '../domain/problems';
import type { SessionTimes } from '../domain/sign-in/web-credential';
import type {
  AttemptStore,
  AuditStore,
  ComponentListProjects,
  ExternalProvider,
  GroupStore,
  MailStore,
  PasswordHasher,
  ProjectStore,
  RoleStore,
  SecretSealer,
  UserStore,
  WebCredentialStore,
} from '../domain/ports';

/** All dependencies; each use case declares the subset that it needs. */
export interface Deps {
  users: UserStore;
  groups: GroupStore;
  roles: RoleStore;
  projects: ProjectStore;
  audit: AuditStore;
  mails: MailStore;
  webCredentials: WebCredentialStore;
  attempts: AttemptStore;
  componentLists: ComponentListProjects;
  passwords: PasswordHasher;
  secrets: SecretSealer;
  /** Absent: there is no sign-in by OpenID Connect. */
  externalProvider?: ExternalProvider;
  externalPolicy: ExternalPolicy;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Signs callers; see @parlance/access. */
  serviceSecret: string;
  /** Mail domain of bots and deleted users. */
  noreplyDomain: string;
  /** Maximum personal tokens of a user, and tokens of a project. */
  maxTokens: number;
  sessionTimes: SessionTimes;
  /** Address of the site, without a trailing slash. */
  siteUrl: string;
}

/** The caller of a use case and the origin of the request. */
export interface RequestContext {
  caller: Caller;
  /** Address of the public client; '' if unknown. */
  clientAddress: string;
  requestId: string;
  /** Problems that the caller found in the request. */
  problems?: readonly Problem[];
}
