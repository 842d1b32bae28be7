import type { ProjectFonts } from '@parlance/checks';
import { czech, language, sampleComponent } from '../../../test/support/samples';
import { UnitEvaluatorCache } from './unit-evaluator-cache';

const component = sampleComponent(1, { checkFlags: 'max-length:10' });
const fontsOf = (key: string) => ({ key }) as ProjectFonts;

describe('UnitEvaluatorCache', () => {
  it('an evaluator is reused while the settings that it depends on are the same', () => {
    const cache = new UnitEvaluatorCache();
    const first = cache.for(component, czech);
    expect(cache.for({ ...component, name: 'Renamed', priority: 60, locked: true }, { ...czech })).toBe(first);
  });

  it.each([
    ['flags', { checkFlags: 'max-length:11' }, {}],
    ['fonts', { fonts: fontsOf('f1') }, {}],
    ['source language', { sourceLanguage: language('de') }, {}],
    ['use as a glossary', { isGlossary: true }, {}],
    ['language', {}, { code: 'sk' }],
    ['number of plural forms', {}, { pluralNumber: 4 }],
    ['plural formula', {}, { pluralFormula: '0' }],
    ['component', { id: 2 }, {}],
  ])('strings with another %s get another evaluator', (_, settings, fields) => {
    const cache = new UnitEvaluatorCache();
    const first = cache.for(component, czech);
    const other = cache.for({ ...component, ...settings }, { ...czech, ...fields });
    expect(other).not.toBe(first);
    expect(cache.for(component, czech)).toBe(first);
  });

  it('new flags of a component take effect with the next string', () => {
    const cache = new UnitEvaluatorCache();
    expect(cache.for(component, czech).flags('', '').number('max-length')).toBe(10);
    const changed = { ...component, checkFlags: 'max-length:20' };
    expect(cache.for(changed, czech).flags('', '').number('max-length')).toBe(20);
    expect(cache.for({ ...component, fonts: fontsOf('f1') }, czech)).not.toBe(
      cache.for({ ...component, fonts: fontsOf('f2') }, czech),
    );
  });

  it('the number of evaluators is bounded', () => {
    const cache = new UnitEvaluatorCache();
    const first = cache.for(component, czech);
    for (let id = 2; id <= 5_002; id++) cache.for({ ...component, id }, czech);
    expect(cache.for(component, czech)).not.toBe(first);
  });
});
