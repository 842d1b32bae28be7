import { fastestMs } from '@parlance/testing';
import * as fc from 'fast-check';
import { compileMask, fillMask } from './mask';

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '*'), maxLength: 8 });

it('A mask finds the same text for its first star as a greedy regular expression', () => {
  fc.assert(
    fc.property(part, part, (mask, path) => {
      const [head = '', ...rest] = mask.split('*').map(literal);
      const oracle = new RegExp(rest.length > 0 ? `^${head}([^/]*)${rest.join('[^/]*')}$` : `^${head}()$`);
      expect(compileMask(mask).first(path)).toBe(oracle.exec(path)?.[1] ?? null);
    }),
    { numRuns: 5_000 },
  );
});

it('A mask finds the same repeated text as a regular expression with back references', () => {
  fc.assert(
    fc.property(part, part, (before, path) => {
      const mask = `${before}*`;
      const [head = '', ...rest] = mask.split('*').map(literal);
      const oracle = new RegExp(`^${head}([^/]+)${rest.join('\\1')}$`);
      expect(compileMask(mask).repeated(path)).toBe(oracle.exec(path)?.[1] ?? null);
    }),
    { numRuns: 5_000 },
  );
});

it('A path of a mask matches it', () => {
  const mask = 'locale/*/LC_MESSAGES/app.*.po';
  expect(compileMask(mask).repeated(fillMask(mask, 'zh-$&Hans'))).toBe('zh-$&Hans');
  expect(compileMask(mask).first('locale/cs/LC_MESSAGES/app.de.po')).toBe('cs');
  expect(compileMask(mask).repeated('locale/cs/LC_MESSAGES/app.de.po')).toBeNull();
});

it('Matching twenty stars against a long name takes no longer than one star', () => {
  const time = (mask: string): number => {
    const compiled = compileMask(mask);
    return fastestMs(() => {
      for (let i = 0; i < 50; i++) expect(compiled.first(`${'a'.repeat(4_000)}b`)).toBeNull();
    });
  };
  expect(time(`${'*a'.repeat(20)}*c`)).toBeLessThan(50 * Math.max(0.25, time('*c')));
});
