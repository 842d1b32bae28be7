import { signPrincipal, type Principal } from '@parlance/access';
import { loadService } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { serve, type Implementation, type RunningServer } from '@parlance/grpc-kit';

const nobody: Principal = {
  userId: 0,
  username: 'anonymous',
  fullName: 'Anonymous',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};

export function person(userId: number, more: Partial<Principal> = {}): Principal {
  return { ...nobody, userId, username: `u${userId}`, anonymous: false, ...more };
}

/** An identity service that knows the tokens it is given, over gRPC. Methods that are not given fail as unavailable. */
export async function identityStandIn(
  serviceSecret: string,
  tokens: Map<string, Principal>,
  methods: Partial<Implementation<'identity'>>,
): Promise<RunningServer> {
  const all: Record<string, unknown> = {};
  for (const name of Object.keys(loadService('identity').client.service)) {
    all[name[0]!.toLowerCase() + name.slice(1)] = () => Promise.reject(new ServiceError('UNAVAILABLE'));
  }
  const authenticate: Implementation<'identity'>['authenticate'] = async ({ token }) => {
    const principal = token === '' ? nobody : tokens.get(token);
    if (!principal) throw new ServiceError('AUTHENTICATION_FAILED');
    const signedPrincipal = signPrincipal(principal, serviceSecret, 600_000);
    return { signedPrincipal, user: null, cacheMs: 60_000, tokenId: 0 };
  };
  const implementation = { ...all, authenticate, ...methods } as unknown as Implementation<'identity'>;
  return serve({ name: 'identity', listen: '127.0.0.1:0', serviceSecret, implementation });
}
