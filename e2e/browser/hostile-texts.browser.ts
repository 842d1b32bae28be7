// Stored markup: every text field of the API, shown on every page, feed, badge and response of the API in a browser.
import { sampleFont } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { fillWithHostileTexts, MARK, pathOf, payloads } from '../support/hostile-texts.mjs';
import { system } from '../support/system.mjs';
import {
  makeComment,
  makeFont,
  makeScreenshot,
  makeSuggestion,
  makeVictim,
  makeWorld,
  unique,
} from '../support/worlds.mjs';
import { signInOn } from './places.mjs';
import { makePerson, visitor } from './visitor';

const { api, base } = system();

/** Fields that show that the walk does what it should. */
const certain = [
  'PATCH /api/projects/{project}/ name',
  'PATCH /api/projects/{project}/ instructions',
  'PATCH /api/components/{project}/{component}/ name',
  'PATCH /api/components/{project}/{component}/ agreement',
  'PATCH /api/units/{unit}/ target',
  'POST /api/units/{unit}/comments/ comment',
  'POST /api/units/{unit}/suggestions/ target',
  'POST /api/projects/{project}/labels/ name',
  'PATCH /api/languages/{code}/ name',
  'PATCH /api/users/{username}/ full_name',
  'POST /api/users/{username}/tokens/ name',
  'PATCH /api/groups/{group}/ name',
  'PATCH /api/roles/{role}/ name',
  'PATCH /api/categories/{category}/ name',
  'PATCH /api/component-lists/{list}/ name',
  'PATCH /api/screenshots/{screenshot}/ name',
];

/** Elements, attributes and addresses on a page that a text has become. */
const injected = (page: Page): Promise<string[]> =>
  page.evaluate((mark) => {
    const elements = [...document.querySelectorAll(`[${mark}], [onerror], a[href^="javascript:" i], iframe`)];
    return elements.map((element) => element.outerHTML.slice(0, 200));
  }, MARK);

describe('texts of users', () => {
  it('markup in any field of the API stays text on every page, feed, badge and response', async () => {
    const world = await makeWorld(api, 0, await makeVictim(api));
    // The names of languages are shared by all tests.
    const code = unique('x');
    const plural = { source: 0, number: 2, formula: 'n != 1' };
    await api.post('/api/languages/', { code, name: code, direction: 'ltr', population: 1, plural });
    await api.post(`/api/components/${world.project}/example/translations/`, { language_code: code });
    Object.assign(world.params, { code, language: code });
    const [unit] = await api.all(`/api/translations/${world.project}/example/${code}/units/`);
    Object.assign(world, { unitId: unit.id });
    Object.assign(world.params, { unit: unit.id });
    const screenshot = await makeScreenshot(api, world, { language_code: code });
    await api.post(`/api/screenshots/${screenshot.id}/units/`, { unit_id: unit.id });
    const { id: comment } = await makeComment(api, unit.id);
    const { id: suggestion } = await makeSuggestion(api, unit.id);
    // Names in files are texts of users, too.
    const [, family, style] = payloads;
    const { id: font } = await makeFont(api, world, sampleFont({ family, style, advances: { A: 1 } }));
    Object.assign(world.params, { screenshot: screenshot.id, comment, suggestion, font });

    const { taken, failed, paths, component } = await fillWithHostileTexts(api, world);
    expect(failed).toEqual([]);
    expect(taken).toEqual(expect.arrayContaining(certain));

    const { web_url: string } = await api.get(`/api/units/${unit.id}/`);
    const { project } = world;
    const { slug: category } = await api.get(`/api/categories/${world.params.category}/`);
    const pages = [
      '/',
      '/projects/',
      `/projects/${project}/`,
      `/projects/${project}/example/`,
      `/projects/${project}/example/${code}/`,
      `/projects/${project}/${component}/`,
      `/projects/${project}/${category}/`,
      `/projects/${project}/-/${code}/`,
      `/translate/${project}/example/${code}/`,
      `/translate/${project}/-/${code}/`,
      string.slice(base.length),
      `/engage/${project}/`,
      `/engage/${project}/-/${code}/`,
      `/languages/${code}/`,
      '/languages/',
      `/component-lists/${world.params.list}/`,
      '/accounts/profile/',
      `/widget/${project}/multi-auto.svg`,
      `/widget/${project}/-/${code}/svg-badge.svg`,
      `/exports/rss/${project}/`,
      `/exports/rss/${project}/example/${code}/`,
    ];
    const read = Object.entries(paths as Record<string, Record<string, unknown>>)
      .filter(([path, methods]) => 'get' in methods && path.startsWith('/api/'))
      .map(([path]) => `${pathOf(path, world.params)}?format=api&page_size=100`)
      .concat(`/api/components/${project}/${component}/?format=api`);

    const visit = await visitor();
    await signInOn(visit.page, await makePerson({ superuser: true }));
    const found: Record<string, unknown> = {};
    let shown = 0;
    for (const path of [...pages, ...read]) {
      const answer = await visit.page.goto(path);
      const elements = await injected(visit.page);
      if (elements.length > 0 || answer!.status() >= 500) found[path] = [answer!.status(), ...elements];
      if ((await visit.page.content()).includes(MARK)) shown++;
    }
    expect(found).toEqual({});
    // Scripts that the policy blocks are errors, too.
    expect(visit.problems).toEqual([]);
    expect(shown).toBeGreaterThan(40);
    await visit.close();
  }, 600_000);
});
