import type { catalog } from '@parlance/contracts';
import { timestamp } from '../../responses/links';

/** An agreement of a component, and how the caller stands to it. */
export function presentAgreement(state: catalog.GetAgreementResponse__Output): Record<string, unknown> {
  return { agreement: state.agreement, agreed: state.agreed, agreed_at: timestamp(state.agreedMs) };
}
