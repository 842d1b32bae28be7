import type { Implementation } from '@parlance/grpc-kit';
import { listTokens, revokeToken } from '../app/tokens/all-tokens';
import type { Deps } from '../app/deps';
import { listAudit } from '../app/audit/list-audit';
import { listMails } from '../app/notifications/list-mails';
import {
  createPersonalToken,
  getPersonalToken,
  listPersonalTokens,
  revokePersonalToken,
} from '../app/tokens/personal-tokens';
import {
  createProjectToken,
  getProjectToken,
  listProjectTokens,
  revokeProjectToken,
} from '../app/tokens/project-tokens';
import { sliceOf } from '../app/page-request';
import { auditEntryToProto, mailToProto, tokenToProto } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
  | 'listPersonalTokens'
  | 'getPersonalToken'
  | 'createPersonalToken'
  | 'revokePersonalToken'
  | 'listProjectTokens'
  | 'getProjectToken'
  | 'createProjectToken'
  | 'revokeProjectToken'
  | 'listTokens'
  | 'revokeToken'
  | 'listAuditEntries'
  | 'listMails'
>;

/** gRPC handlers of tokens, the audit log and mails. */
export function tokenMethods(deps: Deps): Methods {
  return {
    async listPersonalTokens(request, context) {
      const page = await listPersonalTokens(deps, context, request.userId, sliceOf(request.page));
      return { tokens: page.items.map(tokenToProto), total: page.total };
    },
    async getPersonalToken(request, context) {
      return { token: tokenToProto(await getPersonalToken(deps, context, request.userId, request.id)) };
    },
    async createPersonalToken(request, context) {
      const made = await createPersonalToken(deps, context, request);
      return { token: tokenToProto(made.token), value: made.value };
    },
    async revokePersonalToken(request, context) {
      await revokePersonalToken(deps, context, request.userId, request.id);
      return {};
    },
    async listProjectTokens(request, context) {
      const page = await listProjectTokens(deps, context, request.projectId, sliceOf(request.page));
      return { tokens: page.items.map(tokenToProto), total: page.total };
    },
    async getProjectToken(request, context) {
      return { token: tokenToProto(await getProjectToken(deps, context, request.projectId, request.id)) };
    },
    async createProjectToken(request, context) {
      const made = await createProjectToken(deps, context, request);
      return { token: tokenToProto(made.token), value: made.value };
    },
    async revokeProjectToken(request, context) {
      await revokeProjectToken(deps, context, request.projectId, request.id);
      return {};
    },
    async listTokens(request, context) {
      const page = await listTokens(deps, context, sliceOf(request.page));
      return { tokens: page.items.map(tokenToProto), total: page.total };
    },
    async revokeToken(request, context) {
      return { token: tokenToProto(await revokeToken(deps, context, request)) };
    },
    async listAuditEntries(request, context) {
      const filter = {
        ...(request.actorId === 0 ? {} : { actorId: request.actorId }),
        ...(request.action === '' ? {} : { action: request.action }),
        ...(request.targetKind === '' ? {} : { target: { kind: request.targetKind, id: request.targetId } }),
      };
      const page = await listAudit(deps, context, filter, sliceOf(request.page));
      return { entries: page.items.map(auditEntryToProto), total: page.total };
    },
    async listMails(request, context) {
      const page = await listMails(deps, context, request.userId, sliceOf(request.page));
      return { mails: page.items.map(mailToProto), total: page.total };
    },
  };
}
