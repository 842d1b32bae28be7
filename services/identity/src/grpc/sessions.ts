import type { Implementation } from '@parlance/grpc-kit';
import { logger } from '@parlance/telemetry';
import type { Deps } from '../app/deps';
import { requireService } from '../app/rights';
import { changePassword, countResetRequest, mailPasswordReset, resetPassword } from '../app/sessions/passwords';
import {
  finishExternalLink,
  getExternalLink,
  removeExternalLink,
  startExternalLink,
} from '../app/sessions/external-link';
import { finishExternalSignIn, startExternalSignIn } from '../app/sessions/external-sign-in';
import { authenticateSession, endSessions, listSessions, signOut } from '../app/sessions/sessions';
import { confirmSignIn, describePendingSignIn, signIn } from '../app/sessions/sign-in';
import { fullUserToProto, sessionToProto } from './mappers';

type ExternalMethod =
  | 'startExternalSignIn'
  | 'finishExternalSignIn'
  | 'getExternalLink'
  | 'startExternalLink'
  | 'finishExternalLink'
  | 'removeExternalLink';

type Methods = Pick<
  Implementation<'identity'>,
  | ExternalMethod
  | 'authenticateSession'
  | 'signIn'
  | 'confirmSignIn'
  | 'describePendingSignIn'
  | 'signOut'
  | 'listSessions'
  | 'endSessions'
  | 'changePassword'
  | 'requestPasswordReset'
  | 'resetPassword'
>;

/** gRPC handlers of sign-in with an external provider. */
function externalMethods(deps: Deps): Pick<Implementation<'identity'>, ExternalMethod> {
  return {
    async startExternalSignIn(request) {
      return { address: await startExternalSignIn(deps, request) };
    },
    async finishExternalSignIn(request, context) {
      return finishExternalSignIn(deps, context, request);
    },
    async getExternalLink(request, context) {
      return { issuer: await getExternalLink(deps, context, request.userId) };
    },
    async startExternalLink(request, context) {
      return startExternalLink(deps, context, request);
    },
    async finishExternalLink(request, context) {
      await finishExternalLink(deps, context, request);
      return {};
    },
    async removeExternalLink(request, context) {
      await removeExternalLink(deps, context, request);
      return {};
    },
  };
}

/** gRPC handlers of sessions. */
export function sessionMethods(deps: Deps): Methods {
  return {
    ...externalMethods(deps),
    async authenticateSession(request, context) {
      requireService(context);
      const { signedPrincipal, user, cacheMs, sessionId } = await authenticateSession(deps, request.secret);
      return { signedPrincipal, user: fullUserToProto(user, deps.now()), cacheMs, sessionId };
    },
    async signIn(request, context) {
      return signIn(deps, context, request);
    },
    async confirmSignIn(request, context) {
      return confirmSignIn(deps, context, request);
    },
    async describePendingSignIn(request) {
      return describePendingSignIn(deps, request);
    },
    async signOut(request, context) {
      await signOut(deps, context, request.secret);
      return {};
    },
    async listSessions(request, context) {
      return { sessions: (await listSessions(deps, context, request.userId)).map(sessionToProto) };
    },
    async endSessions(request, context) {
      await endSessions(deps, context, request);
      return {};
    },
    async changePassword(request, context) {
      return changePassword(deps, context, request);
    },
    async requestPasswordReset(request, context) {
      await countResetRequest(deps, request.network);
      // Not awaited, so that the response time does not reveal whether the address is known. After a crash the user asks again.
      mailPasswordReset(deps, context, request.email).catch((error: unknown) =>
        logger.error({ err: error }, 'queueing the mail of a password reset failed'),
      );
      return {};
    },
    async resetPassword(request, context) {
      await resetPassword(deps, context, request);
      return {};
    },
  };
}
