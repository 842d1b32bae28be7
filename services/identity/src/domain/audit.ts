/** Kind of the target of an entry. */
export type AuditTarget =
  'user' | 'group' | 'role' | 'token' | 'session' | 'second-factor' | 'subscription' | 'project';

/**
 * A security-relevant write: user, action, object, time and origin. Contains no secrets and no mail addresses; users are referenced by id,
 * so that deleting one leaves no name behind.
 */
export interface AuditEntry {
  /** UUID; makes recording idempotent. */
  uid: string;
  timeMs: number;
  /** 0: a service or the operator, see actorName. */
  actorId: number;
  actorName: string;
  action: string;
  targetKind: AuditTarget;
  targetId: number;
  /** Name of a target that is not a user. */
  targetName: string;
  details: Record<string, unknown>;
  clientAddress: string;
  requestId: string;
}
