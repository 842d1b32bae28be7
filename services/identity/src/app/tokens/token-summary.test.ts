import { newToken, type Token } from '../../domain/sign-in/token';
import { newUser } from '../../domain/user';
import { summarizeToken } from './token-summary';

const bot = newUser({
  id: 12,
  username: 'bot-app-ci',
  fullName: 'CI',
  email: null,
  nowMs: 1,
  groups: [20, 21],
  subscriptionIds: [],
  isBot: true,
  projectId: 7,
});

const tokenOf = (more: Partial<Token>) => ({
  ...newToken({ id: 3, kind: 'personal', name: 'laptop', createdMs: 1000, expiresMs: 2000 }).token,
  lastUsedMs: 1500,
  ...more,
});

describe('summarizeToken', () => {
  it('a summary has the public fields of a token and its owner, not the digest', () => {
    const token = tokenOf({ readOnly: true, projects: [5, 6] });
    expect(summarizeToken({ ...bot, id: 4, username: 'ana', projectId: 0 }, token)).toEqual({
      id: 3,
      kind: 'personal',
      name: 'laptop',
      hint: token.hint,
      createdMs: 1000,
      expiresMs: 2000,
      lastUsedMs: 1500,
      userId: 4,
      username: 'ana',
      projectId: 0,
      groups: [],
      readOnly: true,
      limitedTo: [5, 6],
    });
  });

  it('the token of a project shows the project and the teams of its bot, a personal one neither', () => {
    expect(summarizeToken(bot, tokenOf({ kind: 'project' }))).toMatchObject({ projectId: 7, groups: [20, 21] });
    expect(summarizeToken(bot, tokenOf({}))).toMatchObject({ projectId: 0, groups: [] });
  });

  it('a token without limits writes and reaches everything of its owner', () => {
    expect(summarizeToken(bot, tokenOf({}))).toMatchObject({ readOnly: false, limitedTo: [] });
  });
});
