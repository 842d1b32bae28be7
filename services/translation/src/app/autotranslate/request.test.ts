import type { Permission } from '@parlance/access';
import { autotranslation } from '../../../test/support/memory/autotranslation';
import { fieldsOf, reasonOf } from '../../../test/support/memory/world';
import { UnitSearch } from '../search/unit-search';
import { planAutotranslate, type AutotranslateRequest } from './request';

function start(settings = {}) {
  const { world, deps } = autotranslation({}, {}, settings);
  const none = async () => [];
  const lookups = {
    changedUnits: none,
    remarkedUnits: none,
    curated: none,
    sources: none,
    contexts: none,
    sourceTexts: none,
  };
  const entities = {
    userId: async () => null,
    componentsOf: none,
    projectId: async () => null,
    labelNames: async () => new Map<number, string>(),
    screenshotUnits: none,
  };
  const search = new UnitSearch({ lookups, entities, translations: world.translations });
  const store = { ...deps.machinery.store, get: async () => ({ services: {}, version: 0 }) };
  const machinery = { ...deps.machinery, store };
  const planDeps = { ...deps, translations: world.translations, machinery, search };
  const request: AutotranslateRequest = {
    translation: 11,
    mode: 'translate',
    q: '',
    source: 'others',
    component: '',
    engines: [],
    threshold: 80,
    problems: [],
  };
  const plan = (more: Partial<AutotranslateRequest> = {}, permissions: Permission[] = ['translation.auto']) =>
    planAutotranslate(planDeps, world.user(3, permissions), { ...request, ...more }, '');
  return { world, plan };
}

describe('planAutotranslate', () => {
  it('planAutotranslate requires translation.auto, an unlocked component and the agreement', async () => {
    expect(await reasonOf(start().plan({}, ['unit.edit']))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ locked: true }).plan())).toBe('LOCKED');
    expect(await reasonOf(start({ agreement: 'Be kind.' }).plan())).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start().plan())).toBe('OK');
  });

  it('source strings are not translated, and components that the caller does not see do not exist', async () => {
    expect(await reasonOf(start().plan({ translation: 10 }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ restricted: true }).plan())).toBe('NOT_FOUND');
  });

  it('planAutotranslate names all invalid fields, those of the request first', async () => {
    const problems = [{ attr: 'x', code: 'invalid', detail: 'No.' }];
    const wrong = { mode: 'no', source: 'no', threshold: 0, engines: ['deepl'], component: 'no', q: '(', problems };
    expect(await fieldsOf(start().plan(wrong))).toEqual([
      'x:invalid',
      'mode:invalid_choice',
      'auto_source:invalid_choice',
      'threshold:invalid',
      'engines:invalid_choice',
      'component:invalid_choice',
      'q:invalid',
    ]);
  });

  it('the mode "approved" requires the review workflow and unit.review', async () => {
    const mode = { mode: 'approved' };
    const reviewer: Permission[] = ['translation.auto', 'unit.review'];
    expect(await fieldsOf(start().plan(mode, reviewer))).toEqual(['mode:invalid_choice']);
    const { plan } = start({ translationReview: true });
    expect(await fieldsOf(plan(mode))).toEqual(['mode:invalid_choice']);
    expect(await plan(mode, reviewer)).toMatchObject({ state: 30, mayReview: true });
  });

  it('where votes decide, texts become suggestions, unless the caller has unit.override', async () => {
    const { plan } = start({ suggestionVoting: true, suggestionAutoaccept: 2 });
    expect(await plan()).toMatchObject({ onlySuggest: true });
    expect(await plan({}, ['translation.auto', 'unit.override'])).toMatchObject({ onlySuggest: false });
  });

  it('texts come from another component with the same source language', async () => {
    const { world, plan } = start();
    expect((await plan({ component: '2' })).from).toMatchObject({ id: 2 });
    expect(await fieldsOf(plan({ component: '1' }))).toEqual(['component:invalid_choice']);
    const german = { ...world.components.get(2)!.sourceLanguage, code: 'de' };
    world.component(3, { sourceLanguage: german });
    expect(await fieldsOf(plan({ component: '3' }))).toEqual(['component:invalid_choice']);
  });

  it('a component of another project is a source only if its project contributes to the shared memory', async () => {
    const { world, plan } = start();
    world.component(4, { project: 2 });
    expect((await plan({ component: '4' })).from).toMatchObject({ id: 4 });
    world.component(5, { project: 9 });
    expect(await fieldsOf(plan({ component: '5' }))).toEqual(['component:invalid_choice']);
  });
});
