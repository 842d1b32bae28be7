import type { Implementation } from '@parlance/grpc-kit';
import { authenticate, type Authentication } from '../app/authentication/authenticate';
import { authenticatePassword } from '../app/authentication/authenticate-password';
import type { Deps } from '../app/deps';
import { requireService } from '../app/rights';
import { fullUserToProto } from './mappers';

/** gRPC handlers of authentication. */
export function authenticationMethods(
  deps: Deps,
): Pick<Implementation<'identity'>, 'authenticate' | 'authenticatePassword'> {
  const entryMessage = (entry: Authentication) => ({
    signedPrincipal: entry.signedPrincipal,
    user: fullUserToProto(entry.user, deps.now()),
    cacheMs: entry.cacheMs,
  });
  return {
    async authenticate(request, context) {
      requireService(context);
      const entry = await authenticate(deps, request.token);
      return { ...entryMessage(entry), tokenId: entry.tokenId };
    },
    async authenticatePassword(request, context) {
      requireService(context);
      return entryMessage(await authenticatePassword(deps, request.username, request.password));
    },
  };
}
