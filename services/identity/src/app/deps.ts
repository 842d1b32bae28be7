import type { Caller } from '@parlance/access';
import type { Problem } from '../domain/problems';
import type {
  AuditStore,
  ComponentListProjects,
  GroupStore,
  MailStore,
  PasswordHasher,
  ProjectStore,
  RoleStore,
  SecretSealer,
  UserStore,
} from '../domain/ports';

/** What the use cases work with. */
export interface Deps {
  users: UserStore;
  groups: GroupStore;
  roles: RoleStore;
  projects: ProjectStore;
  audit: AuditStore;
  mails: MailStore;
  componentLists: ComponentListProjects;
  passwords: PasswordHasher;
  secrets: SecretSealer;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Signs principals; see @parlance/access. */
  serviceSecret: string;
  /** Domain of addresses that nobody reads. */
  noreplyDomain: string;
  /** Most personal tokens of a user, and most tokens of a project. */
  maxTokens: number;
}

/** Who asks for something, and from where. */
export interface RequestContext {
  caller: Caller;
  /** Address of the public client; '' when unknown. */
  clientAddress: string;
  requestId: string;
  /** What it found wrong with its request; absent: nothing. */
  problems?: readonly Problem[];
}
