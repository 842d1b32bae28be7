import { z } from 'zod';
import { apiUrl, id, text, time } from '../../responses/schema';

export const secondFactorSchema = z
  .strictObject({
    id,
    name: text,
    kind: z.enum(['totp', 'webauthn']).meta({ description: 'Authenticator app with codes, or security key.' }),
    user: apiUrl('users/ann/'),
    created: time.nullable(),
    confirmed: time.nullable(),
    last_used: time.nullable(),
    url: apiUrl('users/ann/second-factors/1/'),
  })
  .meta({ id: 'SecondFactor' });

/** The response to creating a second factor is the only one with its secret. */
export const newSecondFactorSchema = secondFactorSchema
  .extend({ secret: text, otpauth_uri: text })
  .meta({ id: 'NewSecondFactor' });
