import { inTableOrder } from '@parlance/access';
import type { identity } from '@parlance/contracts';
import type { RequestContext } from '../app/deps';
import type { NamedAuditEntry } from '../app/audit/list-audit';
import type { AddressedMail } from '../app/notifications/list-mails';
import type { TokenSummary } from '../app/tokens/token-summary';
import { seesUsersInFull } from '../app/users/user-view';
import type { Group } from '../domain/permissions/group';
import { mailBody, mailSubject } from '../domain/notifications/mail';
import type { Role } from '../domain/permissions/role';
import type { Subscription } from '../domain/notifications/subscription';
import { maySignIn, type User } from '../domain/user';
import type { WebCredential } from '../domain/sign-in/web-credential';

/** A user as visible to the caller: all fields, or names only. */
export function userToProto(user: User, context: RequestContext, nowMs: number): identity.User {
  return seesUsersInFull(context)
    ? fullUserToProto(user, nowMs)
    : { id: user.id, username: user.username, fullName: user.fullName, full: false };
}

export function fullUserToProto(user: User, nowMs: number): identity.User {
  return {
    id: user.id,
    username: user.username,
    fullName: user.fullName,
    email: user.email ?? '',
    isSuperuser: user.isSuperuser,
    isActive: maySignIn(user, nowMs),
    isBot: user.isBot,
    dateJoinedMs: user.dateJoinedMs,
    lastLoginMs: user.lastLoginMs,
    dateExpiresMs: user.dateExpiresMs,
    groupIds: user.groups,
    languageCodes: user.languages,
    projectId: user.projectId,
    version: user.version,
    full: true,
  };
}

export function groupToProto(group: Group): identity.Group {
  return {
    id: group.id,
    name: group.name,
    definingProjectId: group.definingProject,
    projectSelection: group.projectSelection,
    languageSelection: group.languageSelection,
    roleIds: group.roles,
    projectIds: group.projects,
    components: group.components.map((c) => ({ componentId: c.id, projectId: c.projectId })),
    componentListIds: group.componentLists,
    languageCodes: group.languages,
    adminUserIds: group.admins,
    enforced_2fa: group.enforced2fa,
    autoJoin: group.autoJoin,
    version: group.version,
  };
}

export function roleToProto(role: Role): identity.Role {
  return { id: role.id, name: role.name, permissions: inTableOrder(role.permissions), version: role.version };
}

export function subscriptionToProto(userId: number, s: Subscription): identity.Subscription {
  return {
    id: s.id,
    notification: s.notification,
    scope: s.scope,
    frequency: s.frequency,
    projectId: s.projectId,
    componentId: s.componentId,
    userId,
  };
}

export function tokenToProto(token: TokenSummary): identity.Token {
  return {
    id: token.id,
    kind: token.kind === 'personal' ? 'TOKEN_KIND_PERSONAL' : 'TOKEN_KIND_PROJECT',
    name: token.name,
    userId: token.userId,
    username: token.username,
    projectId: token.projectId,
    groupIds: token.groups,
    createdMs: token.createdMs,
    expiresMs: token.expiresMs,
    lastUsedMs: token.lastUsedMs,
    hint: token.hint,
    readOnly: token.readOnly,
    limitedToProjectIds: token.limitedTo,
  };
}

export function auditEntryToProto(entry: NamedAuditEntry): identity.AuditEntry {
  return {
    id: entry.id,
    timeMs: entry.timeMs,
    actorId: entry.actorId,
    actorName: entry.actorName,
    action: entry.action,
    targetKind: entry.targetKind,
    targetId: entry.targetId,
    targetName: entry.targetName,
    detailsJson: JSON.stringify(entry.details),
    clientAddress: entry.clientAddress,
    requestId: entry.requestId,
  };
}

export function sessionToProto(session: WebCredential): identity.Session {
  const { id, createdMs, lastSeenMs, expiresMs, clientAddress, userAgent } = session;
  return { id, createdMs, lastSeenMs, expiresMs, clientAddress, userAgent };
}

const mailStates = {
  waiting: 'MAIL_STATE_WAITING',
  sent: 'MAIL_STATE_SENT',
  failed: 'MAIL_STATE_FAILED',
  kept: 'MAIL_STATE_KEPT',
} as const;

export function mailToProto({ mail, user, link }: AddressedMail): identity.Mail {
  return {
    id: mail.id,
    userId: mail.userId,
    to: mail.to ?? user?.email ?? '',
    subject: mailSubject(mail),
    body: mailBody(mail, user?.fullName ?? '', link),
    state: mailStates[mail.state],
    createdMs: mail.createdMs,
    sentMs: mail.sentMs,
    error: mail.error,
    notification: mail.notification,
    frequency: mail.frequency,
  };
}
