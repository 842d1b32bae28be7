import type { Token } from '../../domain/sign-in/token';
import type { User } from '../../domain/user';

/** Public fields of a token: all except its digest. */
export interface TokenSummary extends Omit<Token, 'hash' | 'readOnly' | 'projects'> {
  userId: number;
  username: string;
  /** 0 for personal tokens. */
  projectId: number;
  groups: number[];
  readOnly: boolean;
  /** Projects that a personal token is limited to. */
  limitedTo: number[];
}

export function summarizeToken(user: User, token: Token): TokenSummary {
  return {
    id: token.id,
    kind: token.kind,
    name: token.name,
    hint: token.hint,
    createdMs: token.createdMs,
    expiresMs: token.expiresMs,
    lastUsedMs: token.lastUsedMs,
    userId: user.id,
    username: user.username,
    projectId: token.kind === 'project' ? user.projectId : 0,
    groups: token.kind === 'project' ? user.groups : [],
    readOnly: token.readOnly ?? false,
    limitedTo: token.projects ?? [],
  };
}
