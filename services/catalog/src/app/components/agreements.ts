import { fieldErrors, ServiceError } from '@parlance/errors';
import { hash } from 'node:crypto';
import { findComponent, readComponent } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { requireService } from '../visibility';

/** An agreement and whether a user accepted it. */
export interface AgreementState {
  /** '': none. */
  agreement: string;
  agreed: boolean;
  /** Milliseconds since the epoch; 0: not accepted. */
  agreedMs: number;
}

/** Acceptance is bound to the text. */
const agreementDigest = (text: string): string => hash('sha256', text);

/**
 * The agreement of a component, and whether a user accepted its current text.
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

/** @throws NOT_FOUND, NOT_AUTHENTICATED, INVALID on agreed (also without an agreement) */
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
      { attr: 'agreed', code: 'invalid', detail: 'An agreement can only be accepted: the value must be true.' },
    ]);
  const { agreement } = component.settings;
  if (agreement === '')
    throw fieldErrors([{ attr: 'agreed', code: 'invalid', detail: 'The component has no agreement.' }]);
  const agreedMs = deps.now();
  await deps.agreements.put(componentId, context.caller.userId, agreementDigest(agreement), agreedMs);
  return { agreement, agreed: true, agreedMs };
}
