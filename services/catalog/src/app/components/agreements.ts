import { fieldErrors, ServiceError } from '@parlance/errors';
import { hash } from 'node:crypto';
import { findComponent, readComponent } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { requireService } from '../visibility';

/** An agreement as somebody stands to it. */
export interface AgreementState {
  /** '': there is none. */
  agreement: string;
  agreed: boolean;
  /** Milliseconds since the epoch; 0: it was not accepted. */
  agreedMs: number;
}

/** Who accepted one wording has not accepted the next. */
const agreementDigest = (text: string): string => hash('sha256', text);

/**
 * The agreement of a component, and whether a user accepted it as it stands now.
 * @param userId 0: the caller
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function getAgreement(
  deps: Pick<Deps, 'agreements' | 'snapshot' | 'reader'>,
  context: RequestContext,
  componentId: number,
  userId: number,
): Promise<AgreementState> {
  if (userId !== 0 && userId !== context.caller.userId) requireService(context);
  const { component } = await readComponent(deps, context, { id: componentId });
  const { agreement } = component.settings;
  const given = agreement === '' ? null : await deps.agreements.get(componentId, userId || context.caller.userId);
  const agreed = given?.digest === agreementDigest(agreement);
  return { agreement, agreed, agreedMs: agreed ? given!.timeMs : 0 };
}

type AcceptAgreementDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'agreements' | 'snapshot' | 'now'>;

/** @throws NOT_FOUND, NOT_AUTHENTICATED, INVALID on agreed (also when there is nothing to accept) */
export async function acceptAgreement(
  deps: AcceptAgreementDeps,
  context: RequestContext,
  componentId: number,
  agreed: boolean,
): Promise<AgreementState> {
  const { component } = await findComponent(deps, context, { id: componentId });
  if (context.caller.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
  if (!agreed)
    throw fieldErrors([
      { attr: 'agreed', code: 'invalid', detail: 'An agreement can only be accepted: true is needed.' },
    ]);
  const { agreement } = component.settings;
  if (agreement === '')
    throw fieldErrors([{ attr: 'agreed', code: 'invalid', detail: 'The component has no agreement.' }]);
  const agreedMs = deps.now();
  await deps.agreements.put(componentId, context.caller.userId, agreementDigest(agreement), agreedMs);
  return { agreement, agreed: true, agreedMs };
}
