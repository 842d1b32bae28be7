/** What an entry is about. */
export type AuditTarget = 'user' | 'group' | 'role' | 'token' | 'second-factor' | 'subscription' | 'project';

/**
 * A security-relevant write: who, what, when, from where. Holds no secrets and no mail addresses; users are named by id only, so
 * that deleting one leaves no name behind.
 */
export interface AuditEntry {
  /** UUID; makes recording repeatable. */
  uid: string;
  timeMs: number;
  /** 0: a process or the operator, see actorName. */
  actorId: number;
  actorName: string;
  action: string;
  targetKind: AuditTarget;
  targetId: number;
  /** Name of what is no user. */
  targetName: string;
  details: Record<string, unknown>;
  clientAddress: string;
  requestId: string;
}
