import type { OutgoingEvent } from '@parlance/events';
import { objectSchema, required, typed } from '@parlance/store-kit';
import type { AuditTarget } from '../../domain/audit';

/** Fields of an audit entry, besides its ids. */
export const auditFields = {
  timeMs: required(Number),
  /** 0: a service or the operator, see actorName. */
  actorId: required(Number),
  actorName: required(String),
  action: required(String),
  targetKind: required(typed<AuditTarget>(String)),
  targetId: required(Number),
  /** Name of a target that is not a user. */
  targetName: required(String),
  // Free keys: each action defines its own.
  details: required(typed<Record<string, unknown>>()),
  clientAddress: required(String),
  requestId: required(String),
};

/** Pending events and audit entries of a document, stored in the same write. */
export const announcementFields = {
  // Events are described by libs/events.
  outbox: required([typed<OutgoingEvent>()]),
  auditTrail: required([objectSchema({ uid: required(String), ...auditFields })]),
};
