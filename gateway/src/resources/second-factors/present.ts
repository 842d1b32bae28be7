import type { identity } from '@parlance/contracts';
import { timestamp, type Links } from '../../responses/links';
import type { secondFactorSchema } from './schema';
import type { z } from 'zod';

/**
 * A second factor.
 * @param list address of its list
 * @param shownOnce its secret, on creation only
 */
export function presentSecondFactor(
  factor: identity.SecondFactor__Output,
  list: string,
  links: Links,
  shownOnce?: { secret: string; otpauth_uri: string },
): z.infer<typeof secondFactorSchema> {
  return {
    id: factor.id,
    name: factor.name,
    kind: factor.isSecurityKey ? 'webauthn' : 'totp',
    ...shownOnce,
    user: links.user(factor.username),
    created: timestamp(factor.createdMs),
    confirmed: timestamp(factor.confirmedMs),
    last_used: timestamp(factor.lastUsedMs),
    url: `${list}${factor.id}/`,
  };
}
