import { isMailAddress } from '@parlance/contracts';
import { checkLength, checkLine, type Problems } from './problems';
import type { SecondFactor, WrongCodes } from './sign-in/second-factor';
import { defaultSubscriptions, type Subscription } from './notifications/subscription';
import type { Token } from './sign-in/token';

/** A person, a project's bot, or the anonymous user. */
export interface User {
  id: number;
  version: number;
  username: string;
  fullName: string;
  /** Null: none. */
  email: string | null;
  isSuperuser: boolean;
  isActive: boolean;
  isBot: boolean;
  dateJoinedMs: number;
  /** 0: never. */
  lastLoginMs: number;
  /** When access ends; 0: never. */
  dateExpiresMs: number;
  /** Ids of the groups it is a member of. */
  groups: number[];
  /** Codes of the languages of the profile. */
  languages: string[];
  /** Project of a bot; 0 for other users. */
  projectId: number;
  /** Argon2id; null: no sign-in with a password. */
  passwordHash: string | null;
  tokens: Token[];
  /** Absent: none. */
  secondFactors?: SecondFactor[];
  /** Wrong codes of second factors; absent: none. */
  wrongCodes?: WrongCodes;
  /** Issuer and subject of an OpenID Connect provider, see `externalKey`; '' or absent: none. */
  externalKey?: string;
  /** Incremented to end all sessions, pending sign-ins and password resets; absent: 0. */
  credentialEpoch?: number;
  subscriptions: Subscription[];
  /** Projects that the user has contributed to, for subscriptions to watched projects. */
  watched: number[];
  deleted: boolean;
}

const USERNAME_MAX = 150;
const FULL_NAME_MAX = 150;
const EMAIL_MAX = 190;
const PASSWORD_MIN = 8;
/** Longer passwords would only cost hashing time. */
export const PASSWORD_MAX = 1024;

/** The user of requests without a credential. Its groups determine public access. */
export const ANONYMOUS_ID = 1;
export const ANONYMOUS_NAME = 'anonymous';

const usernamePattern = /^[\p{L}\p{N}_@+-][\p{L}\p{N}_@+.-]*$/u;
const deletedPattern = /^deleted-\d+$/iu;

/** Normal form of names and addresses for comparison; stored as a separate field, because the store has no collation. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function checkUsername(problems: Problems, username: string | undefined): void {
  checkLine(problems, 'username', username, USERNAME_MAX);
  if (username === undefined || !problems.clean('username')) return;
  if (!usernamePattern.test(username)) {
    problems.add(
      'username',
      'invalid',
      'A username has letters, digits and the characters _ @ + - . only, and does not begin with a dot.',
    );
  } else if (deletedPattern.test(username)) {
    problems.add('username', 'invalid', 'This username is reserved for deleted users.');
  }
}

export function checkFullName(problems: Problems, fullName: string | undefined): void {
  checkLine(problems, 'full_name', fullName, FULL_NAME_MAX);
}

/** An empty address means none. */
export function checkEmail(problems: Problems, email: string): void {
  if (email === '') return;
  checkLength(problems, 'email', email, EMAIL_MAX);
  if (!problems.clean('email')) return;
  if (!isMailAddress(email)) problems.add('email', 'invalid', 'This is not a valid mail address.');
}

export function checkPassword(problems: Problems, password: string): void {
  if ([...password].length < PASSWORD_MIN) {
    problems.add('password', 'min_length', `A password has at least ${PASSWORD_MIN} characters.`);
  } else checkLength(problems, 'password', password, PASSWORD_MAX);
}

/** A new user. The caller allocates subscription ids, one for each default. */
export function newUser(given: {
  id: number;
  username: string;
  fullName: string;
  email: string | null;
  nowMs: number;
  groups: number[];
  subscriptionIds: number[];
  isSuperuser?: boolean;
  isActive?: boolean;
  isBot?: boolean;
  projectId?: number;
  dateExpiresMs?: number;
  tokens?: Token[];
  passwordHash?: string | null;
}): User {
  return {
    id: given.id,
    version: 1,
    username: given.username,
    fullName: given.fullName,
    email: given.email,
    isSuperuser: given.isSuperuser ?? false,
    isActive: given.isActive ?? true,
    isBot: given.isBot ?? false,
    dateJoinedMs: given.nowMs,
    lastLoginMs: 0,
    dateExpiresMs: given.dateExpiresMs ?? 0,
    groups: given.groups,
    languages: [],
    projectId: given.projectId ?? 0,
    passwordHash: given.passwordHash ?? null,
    tokens: given.tokens ?? [],
    subscriptions: defaultSubscriptions.slice(0, given.subscriptionIds.length).map((s, i) => ({
      ...s,
      id: given.subscriptionIds[i]!,
      projectId: 0,
      componentId: 0,
    })),
    watched: [],
    deleted: false,
  };
}

/** A deleted user: an id that histories refer to, without personal data. */
export function anonymized(user: User, noreplyDomain: string): User {
  return {
    ...user,
    username: `deleted-${user.id}`,
    fullName: 'Deleted User',
    email: noreplyAddress(user.id, noreplyDomain),
    isSuperuser: false,
    isActive: false,
    lastLoginMs: 0,
    groups: [],
    languages: [],
    passwordHash: null,
    tokens: [],
    secondFactors: [],
    externalKey: '',
    subscriptions: [],
    watched: [],
    deleted: true,
    ...endedCredentials(user),
  };
}

/** Ends all sessions of a user, and whatever else depends on its credentials, with the write that stores it. */
export function endedCredentials(user: Pick<User, 'credentialEpoch'>): Required<Pick<User, 'credentialEpoch'>> {
  return { credentialEpoch: (user.credentialEpoch ?? 0) + 1 };
}

/** Address of an account without a mailbox. */
export function noreplyAddress(userId: number, domain: string): string {
  return `noreply+${userId}@${domain}`;
}

/** Whether a user's credentials are accepted at a time. */
export function maySignIn(user: User, nowMs: number): boolean {
  return user.isActive && !user.deleted && (user.dateExpiresMs === 0 || user.dateExpiresMs > nowMs);
}
