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

const somebody: Caller = {
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
    expect(can(somebody, 'suggestion.add', { projectId: 9, accessControl: 0 })).toBe(true);
    expect(can(somebody, 'suggestion.add', { projectId: 9, accessControl: 1 })).toBe(false);
    expect(can(somebody, 'unit.edit', { projectId: 1, accessControl: 100, languageCode: 'cs' })).toBe(true);
    expect(can(somebody, 'unit.edit', { projectId: 1, accessControl: 100, languageCode: 'de' })).toBe(false);
  });

  it('the access check requires a second factor of people, but not of bots and processes', () => {
    expect(hasSecondFactor(somebody)).toBe(false);
    expect(hasSecondFactor({ ...somebody, isSuperuser: true })).toBe(false);
    expect(hasSecondFactor({ ...somebody, anonymous: true })).toBe(false);
    expect(hasSecondFactor({ ...somebody, secondFactor: true })).toBe(true);
    expect(hasSecondFactor({ ...somebody, isBot: true })).toBe(true);
    expect(hasSecondFactor(serviceCaller('importer'))).toBe(true);
  });

  it('the access check denies changes in a project that requires a second factor to callers without one, superusers included', () => {
    const target = { projectId: 1, accessControl: 0, enforced2fa: true };
    const reader: Caller = { ...somebody, grants: [{ permissions: [...permissionNames], projects: 'all' }] };
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
    expect(can(somebody, 'unit.edit', { projectId: 5, accessControl: 0, componentId: 50 })).toBe(true);
    expect(can(somebody, 'unit.edit', { projectId: 5, accessControl: 0, componentId: 51 })).toBe(false);
  });

  it('the access check hides private projects and restricted components from strangers', () => {
    expect(canSee(somebody, { projectId: 1, accessControl: 100 })).toBe(true);
    expect(canSee(somebody, { projectId: 2, accessControl: 100 })).toBe(false);
    expect(canSee(somebody, { projectId: 2, accessControl: 1 })).toBe(true);
    expect(canSee(somebody, { projectId: 9, accessControl: 0, componentId: 90, restricted: true })).toBe(false);
    expect(canSee(somebody, { projectId: 5, accessControl: 0, componentId: 50, restricted: true })).toBe(true);
  });

  it('the access check limits a token for reading to read permissions, also of a superuser', () => {
    const reader: Caller = { ...somebody, isSuperuser: true, readOnly: true };
    const target = { projectId: 1, accessControl: 100 };
    expect(canSee(reader, target)).toBe(true);
    expect(can(reader, 'translation.download', target)).toBe(true);
    expect(can(reader, 'unit.edit', target)).toBe(false);
  });

  it('the access check limits a project token to its projects', () => {
    const bot: Caller = { ...somebody, isBot: true, onlyProjects: [1] };
    expect(canSee(bot, { projectId: 9, accessControl: 0 })).toBe(false);
    expect(can(bot, 'suggestion.add', { projectId: 9, accessControl: 0 })).toBe(false);
    expect(canOnSite({ ...bot, isSuperuser: true }, 'project.add')).toBe(false);
  });
});

describe('caller tokens', () => {
  it('caller tokens are verified to the caller that was signed', () => {
    const verifier = new CallerVerifier(secret);
    expect(verifier.verify(signCaller(somebody, secret, 1000))).toEqual(somebody);
    expect(verifier.verify(signCaller(serviceCaller('hooks'), secret, 1000)).service).toBe('hooks');
  });

  it('caller tokens are rejected when forged, damaged or expired', () => {
    const verifier = new CallerVerifier(secret);
    expect(() => verifier.verify(signCaller(somebody, 'x'.repeat(32), 1000))).toThrow(CallerTokenError);
    expect(() => verifier.verify(`${signCaller(somebody, secret, 1000)}x`)).toThrow(CallerTokenError);
    expect(() => verifier.verify('nonsense')).toThrow(CallerTokenError);
    expect(() => verifier.verify(signCaller(somebody, secret, -1))).toThrow('expired');
  });
});
