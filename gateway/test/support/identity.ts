import { signCaller, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Implementation, RunningServer } from '@parlance/grpc-kit';
import { standIn } from './stand-in';

const anonymousCaller: Caller = {
  userId: 0,
  username: 'anonymous',
  fullName: 'Anonymous',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};

export function person(userId: number, more: Partial<Caller> = {}): Caller {
  return { ...anonymousCaller, userId, username: `u${userId}`, anonymous: false, ...more };
}

/** An identity service over gRPC that knows the given tokens. Other methods fail as unavailable. */
export async function identityStandIn(
  serviceSecret: string,
  tokens: Map<string, Caller>,
  methods: Partial<Implementation<'identity'>>,
): Promise<RunningServer> {
  const authenticate: Implementation<'identity'>['authenticate'] = async ({ token }) => {
    const caller = token === '' ? anonymousCaller : tokens.get(token);
    if (!caller) throw new ServiceError('AUTHENTICATION_FAILED');
    const signedPrincipal = signCaller(caller, serviceSecret, 600_000);
    return { signedPrincipal, user: null, cacheMs: 60_000, tokenId: 0 };
  };
  return standIn('identity', serviceSecret, { authenticate, ...methods });
}
