import type { z } from 'zod';
import type { catalog } from '@parlance/contracts';
import { timestamp } from '../../responses/links';
import type { agreementSchema } from './schema';

/** An agreement of a component, and whether the caller accepted it. */
export function presentAgreement(state: catalog.GetAgreementResponse__Output): z.infer<typeof agreementSchema> {
  return { agreement: state.agreement, agreed: state.agreed, agreed_at: timestamp(state.agreedMs) };
}
