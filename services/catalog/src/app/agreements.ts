import { fieldErrors, ServiceError } from '@parlance/errors';
import { hash } from 'node:crypto';
import { findComponent, readComponent } from './find';
import type { Actor, Parts } from './parts';
import { demandProcess } from './visibility';

/** An agreement as somebody stands to it. */
export interface AgreementState {
  /** '': there is none. */
  agreement: string;
  agreed: boolean;
  /** Milliseconds since the epoch; 0: it was not accepted. */
  agreedMs: number;
}

/** Who accepted one wording has not accepted the next. */
const digestOf = (text: string): string => hash('sha256', text);

/**
 * The agreement of a component, and whether a user accepted it as it stands now.
 * @param userId 0: the caller
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function getAgreement(
  parts: Parts,
  actor: Actor,
  componentId: number,
  userId: number,
): Promise<AgreementState> {
  if (userId !== 0 && userId !== actor.principal.userId) demandProcess(actor);
  const { component } = await readComponent(parts, actor, { id: componentId });
  const { agreement } = component.settings;
  const given = agreement === '' ? null : await parts.agreements.get(componentId, userId || actor.principal.userId);
  const agreed = given?.digest === digestOf(agreement);
  return { agreement, agreed, agreedMs: agreed ? given!.timeMs : 0 };
}

/** @throws NOT_FOUND, NOT_AUTHENTICATED, INVALID on agreed (also when there is nothing to accept) */
export async function acceptAgreement(
  parts: Parts,
  actor: Actor,
  componentId: number,
  agreed: boolean,
): Promise<AgreementState> {
  const { component } = await findComponent(parts, actor, { id: componentId });
  if (actor.principal.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
  if (!agreed)
    throw fieldErrors([
      { attr: 'agreed', code: 'invalid', detail: 'An agreement can only be accepted: true is needed.' },
    ]);
  const { agreement } = component.settings;
  if (agreement === '')
    throw fieldErrors([{ attr: 'agreed', code: 'invalid', detail: 'The component has no agreement.' }]);
  const agreedMs = parts.now();
  await parts.agreements.put(componentId, actor.principal.userId, digestOf(agreement), agreedMs);
  return { agreement, agreed: true, agreedMs };
}
