import type { Implementation } from '@parlance/grpc-kit';
import { listTokens, revokeToken } from '../app/tokens/all-tokens';
import type { Identity } from '../app/deps';
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
import { auditMessage, mailMessage, tokenMessage } from './mappers';

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

/** Tokens, and what is kept of what happened. */
export function tokenMethods(on: Identity): Methods {
  return {
    async listPersonalTokens(request, context) {
      const page = await listPersonalTokens(on, context, request.userId, sliceOf(request.page));
      return { tokens: page.items.map(tokenMessage), total: page.total };
    },
    async getPersonalToken(request, context) {
      return { token: tokenMessage(await getPersonalToken(on, context, request.userId, request.id)) };
    },
    async createPersonalToken(request, context) {
      const made = await createPersonalToken(on, context, request);
      return { token: tokenMessage(made.token), value: made.value };
    },
    async revokePersonalToken(request, context) {
      await revokePersonalToken(on, context, request.userId, request.id);
      return {};
    },
    async listProjectTokens(request, context) {
      const page = await listProjectTokens(on, context, request.projectId, sliceOf(request.page));
      return { tokens: page.items.map(tokenMessage), total: page.total };
    },
    async getProjectToken(request, context) {
      return { token: tokenMessage(await getProjectToken(on, context, request.projectId, request.id)) };
    },
    async createProjectToken(request, context) {
      const made = await createProjectToken(on, context, request);
      return { token: tokenMessage(made.token), value: made.value };
    },
    async revokeProjectToken(request, context) {
      await revokeProjectToken(on, context, request.projectId, request.id);
      return {};
    },
    async listTokens(request, context) {
      const page = await listTokens(on, context, sliceOf(request.page));
      return { tokens: page.items.map(tokenMessage), total: page.total };
    },
    async revokeToken(request, context) {
      return { token: tokenMessage(await revokeToken(on, context, request)) };
    },
    async listAuditEntries(request, context) {
      const filter = {
        ...(request.actorId === 0 ? {} : { actorId: request.actorId }),
        ...(request.action === '' ? {} : { action: request.action }),
        ...(request.targetKind === '' ? {} : { target: { kind: request.targetKind, id: request.targetId } }),
      };
      const page = await listAudit(on, context, filter, sliceOf(request.page));
      return { entries: page.items.map(auditMessage), total: page.total };
    },
    async listMails(request, context) {
      const page = await listMails(on, context, request.userId, sliceOf(request.page));
      return { mails: page.items.map(mailMessage), total: page.total };
    },
  };
}
