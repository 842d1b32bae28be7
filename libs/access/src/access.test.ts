import {
  can,
  canOnSite,
  canSee,
  denialMessage,
  hasSecondFactor,
  permissionNames,
  CallerTokenError,
  CallerVerifier,
  serviceCaller,
  signCaller,
  type Caller,
} from './index';

const translator: Caller = {
  userId: 7,
  username: 'ana',
  fullName: 'Ana',
  email: 'ana@example.com',
  isSuperuser: false,
  isBot: false,
  anonymous: false,
  grants: [
    { permissions: ['suggestion.add'], projects: 'public' },
    { permissions: ['unit.edit'], projects: [1], languages: ['cs'] },
    { permissions: ['unit.edit'], projects: [5], components: [50] },
  ],
};
const secret = 's'.repeat(32);

describe('access', () => {
  it('the access check limits a permission to the projects and languages of its grant', () => {
    expect(can(translator, 'suggestion.add', { projectId: 9, accessControl: 0 })).toBe(true);
    expect(can(translator, 'suggestion.add', { projectId: 9, accessControl: 1 })).toBe(false);
    expect(can(translator, 'unit.edit', { projectId: 1, accessControl: 100, languageCode: 'cs' })).toBe(true);
    expect(can(translator, 'unit.edit', { projectId: 1, accessControl: 100, languageCode: 'de' })).toBe(false);
  });

  it('the access check requires a second factor of people, but not of bots and processes', () => {
    expect(hasSecondFactor(translator)).toBe(false);
    expect(hasSecondFactor({ ...translator, isSuperuser: true })).toBe(false);
    expect(hasSecondFactor({ ...translator, anonymous: true })).toBe(false);
    expect(hasSecondFactor({ ...translator, secondFactor: true })).toBe(true);
    expect(hasSecondFactor({ ...translator, isBot: true })).toBe(true);
    expect(hasSecondFactor(serviceCaller('importer'))).toBe(true);
  });

  it('the access check denies changes in a project that requires a second factor to callers without one, superusers included', () => {
    const target = { projectId: 1, accessControl: 0, enforced2fa: true };
    const reader: Caller = { ...translator, grants: [{ permissions: [...permissionNames], projects: 'all' }] };
    for (const caller of [reader, { ...reader, isSuperuser: true }]) {
      const allowed = permissionNames.filter((permission) => can(caller, permission, target));
      expect(allowed).toEqual([
        'billing.view',
        'change.download',
        'machinery.view',
        'reports.view',
        'translation.download',
        'vcs.access',
        'vcs.view',
      ]);
      expect(canSee(caller, target)).toBe(true);
      expect(denialMessage(caller, target)).toContain('second-factors/');
      const enrolled = { ...caller, secondFactor: true };
      expect(can(enrolled, 'project.edit', target)).toBe(true);
      expect(denialMessage(enrolled, target)).toBeUndefined();
    }
    expect(can({ ...reader, isBot: true }, 'unit.edit', target)).toBe(true);
    expect(can(serviceCaller('importer'), 'unit.edit', target)).toBe(true);
  });

  it('the access check limits a grant with components to those components', () => {
    expect(can(translator, 'unit.edit', { projectId: 5, accessControl: 0, componentId: 50 })).toBe(true);
    expect(can(translator, 'unit.edit', { projectId: 5, accessControl: 0, componentId: 51 })).toBe(false);
  });

  it('the access check hides private projects and restricted components from strangers', () => {
    expect(canSee(translator, { projectId: 1, accessControl: 100 })).toBe(true);
    expect(canSee(translator, { projectId: 2, accessControl: 100 })).toBe(false);
    expect(canSee(translator, { projectId: 2, accessControl: 1 })).toBe(true);
    expect(canSee(translator, { projectId: 9, accessControl: 0, componentId: 90, restricted: true })).toBe(false);
    expect(canSee(translator, { projectId: 5, accessControl: 0, componentId: 50, restricted: true })).toBe(true);
  });

  it('the access check limits a token for reading to read permissions, also of a superuser', () => {
    const reader: Caller = { ...translator, isSuperuser: true, readOnly: true };
    const target = { projectId: 1, accessControl: 100 };
    expect(canSee(reader, target)).toBe(true);
    expect(can(reader, 'translation.download', target)).toBe(true);
    expect(can(reader, 'unit.edit', target)).toBe(false);
  });

  it('the access check limits a project token to its projects', () => {
    const bot: Caller = { ...translator, isBot: true, onlyProjects: [1] };
    expect(canSee(bot, { projectId: 9, accessControl: 0 })).toBe(false);
    expect(can(bot, 'suggestion.add', { projectId: 9, accessControl: 0 })).toBe(false);
    expect(canOnSite({ ...bot, isSuperuser: true }, 'project.add')).toBe(false);
  });
});

describe('caller tokens', () => {
  it('caller tokens are verified to the caller that was signed', () => {
    const verifier = new CallerVerifier(secret);
    expect(verifier.verify(signCaller(translator, secret, 1000))).toEqual(translator);
    expect(verifier.verify(signCaller(serviceCaller('hooks'), secret, 1000)).service).toBe('hooks');
  });

  it('caller tokens are rejected when forged, damaged or expired', () => {
    const verifier = new CallerVerifier(secret);
    expect(() => verifier.verify(signCaller(translator, 'x'.repeat(32), 1000))).toThrow(CallerTokenError);
    expect(() => verifier.verify(`${signCaller(translator, secret, 1000)}x`)).toThrow(CallerTokenError);
    expect(() => verifier.verify('nonsense')).toThrow(CallerTokenError);
    expect(() => verifier.verify(signCaller(translator, secret, -1))).toThrow('expired');
  });
});
