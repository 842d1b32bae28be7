import { matchesRule, ruleProblem } from './auto-assign';

const matches = (projectMatch: string, componentMatch: string) =>
  matchesRule({ projectMatch, componentMatch }, 'acme', 'app-web');

describe('rules of component lists', () => {
  it('both slugs have to match, anywhere unless the pattern is anchored', () => {
    expect(matches('acme', 'web')).toBe(true);
    expect(matches('^acme$', '^app-')).toBe(true);
    expect(matches('other', 'web')).toBe(false);
    expect(matches('acme', '^web')).toBe(false);
  });

  it('a pattern that is not accepted any more matches nothing, and its list stays usable', () => {
    expect(matches('acme', '(')).toBe(false);
    expect(matches('(?=a)', 'web')).toBe(false);
  });

  it('a pattern must be valid and have at most 200 characters', () => {
    expect(ruleProblem('x'.repeat(200))).toBeNull();
    expect(ruleProblem('x'.repeat(201))).toContain('200');
    expect(ruleProblem('(')).not.toBeNull();
  });
});
