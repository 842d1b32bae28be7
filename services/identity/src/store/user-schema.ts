import { documentSchema, nullable, objectSchema, optional, required, type DocumentOf } from '@parlance/store-kit';
import { frequencies, notificationNames, scopes } from '../domain/notifications/subscription';
import { announcementFields } from './announcements/announcement-fields';

const token = objectSchema({
  id: required(Number),
  kind: required(String, { enum: ['personal', 'project'] }),
  name: required(String),
  /** SHA-256 in hex. */
  hash: required(String),
  /** Last four characters of the value. */
  hint: required(String),
  createdMs: required(Number),
  /** 0: does not expire. */
  expiresMs: required(Number),
  /** 0: never. */
  lastUsedMs: required(Number),
  readOnly: optional(Boolean),
  projects: optional([Number]),
});

const securityKey = objectSchema({
  credentialId: required(String),
  publicKey: required(String),
  counter: required(Number, { min: 0 }),
  transports: required([String]),
});

const secondFactor = objectSchema({
  id: required(Number),
  name: required(String),
  /** Absent for a security key. */
  sealedSecret: optional(String),
  /** Absent for TOTP. */
  securityKey: optional(securityKey),
  createdMs: required(Number),
  /** 0: not confirmed. */
  confirmedMs: required(Number),
  /** 0: never. */
  lastUsedMs: required(Number),
  /** -1: none. */
  lastStep: required(Number),
});

const subscription = objectSchema({
  id: required(Number),
  notification: required(String, { enum: notificationNames }),
  scope: required(Number, { enum: Object.values(scopes) }),
  frequency: required(Number, { enum: Object.values(frequencies) }),
  /** 0: none. */
  projectId: required(Number),
  componentId: required(Number),
});

/** Events since a time. */
const window = objectSchema({ sinceMs: required(Number), count: required(Number, { min: 0 }) });

export const user = documentSchema('users', {
  _id: required(Number),
  version: required(Number, { min: 1 }),
  username: required(String),
  /** Normal forms; see `fold`. */
  usernameFolded: required(String),
  fullName: required(String),
  email: nullable(String),
  emailFolded: required(String),
  isSuperuser: required(Boolean),
  isActive: required(Boolean),
  isBot: required(Boolean),
  dateJoinedMs: required(Number),
  /** 0: never. */
  lastLoginMs: required(Number),
  /** 0: never. */
  dateExpiresMs: required(Number),
  groups: required([Number]),
  languages: required([String]),
  /** Project of a bot; 0 for other users. */
  projectId: required(Number),
  passwordHash: nullable(String),
  tokens: required([token]),
  secondFactors: optional([secondFactor]),
  /** Wrong codes of second factors. */
  wrongCodes: optional(window),
  subscriptions: required([subscription]),
  watched: required([Number]),
  deleted: required(Boolean),
  externalKey: optional(String),
  credentialEpoch: optional(Number),
  /** No longer written. */
  signInFailures: optional(window),
  ...announcementFields,
});
user.index({ usernameFolded: 1 }, { name: 'username_unique', unique: true });
user.index(
  { emailFolded: 1 },
  { name: 'email_unique', unique: true, partialFilterExpression: { emailFolded: { $gt: '' } } },
);
user.index(
  { externalKey: 1 },
  { name: 'external_key_unique', unique: true, partialFilterExpression: { externalKey: { $gt: '' } } },
);
user.index({ 'tokens.hash': 1 }, { name: 'token_hash' });
user.index({ 'tokens.id': 1 }, { name: 'token_id' });
user.index({ groups: 1 }, { name: 'groups' });
user.index({ projectId: 1, _id: 1 }, { name: 'project_bots' });
user.index({ 'subscriptions.notification': 1 }, { name: 'subscriptions' });
user.index({ watched: 1 }, { name: 'watched' });
user.index({ 'outbox.id': 1 }, { name: 'outbox' });
user.index({ 'auditTrail.uid': 1 }, { name: 'audit_trail' });
export type UserDocument = DocumentOf<typeof user>;
