import { hasConfirmedFactor, securityKeysOf, wrongCodesNow, type SecondFactor } from './second-factor';

const factor = (more: Partial<SecondFactor>) => ({ id: 1, confirmedMs: 0, ...more }) as SecondFactor;
const securityKey = { credentialId: 'c', publicKey: 'p', counter: 0, transports: [] };

describe('second factors of a user', () => {
  it('a factor counts from its confirmation', () => {
    expect([{}, { secondFactors: [] }, { secondFactors: [factor({})] }].map(hasConfirmedFactor)).toEqual([
      false,
      false,
      false,
    ]);
    expect(hasConfirmedFactor({ secondFactors: [factor({}), factor({ confirmedMs: 5 })] })).toBe(true);
  });

  it('security keys are separated from other factors', () => {
    expect(securityKeysOf({ secondFactors: [factor({ sealedSecret: 's' }), factor({ securityKey })] })).toEqual([
      securityKey,
    ]);
    expect(securityKeysOf({})).toEqual([]);
  });

  it('wrong codes count within a window of fifteen minutes from the first one', () => {
    const wrong = { sinceMs: 1_000, count: 4 };
    expect(wrongCodesNow(wrong, 1_000 + 15 * 60_000 - 1)).toBe(wrong);
    expect(wrongCodesNow(wrong, 1_000 + 15 * 60_000)).toEqual({ sinceMs: 901_000, count: 0 });
    expect(wrongCodesNow(undefined, 7)).toEqual({ sinceMs: 7, count: 0 });
  });
});
