// Every kind of page is accessible (WCAG 2.1 AA, by axe) in light and dark, and fits on a phone.
import { source as axeSource } from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { makeRemote } from '../support/remotes.mjs';
import { system } from '../support/system.mjs';
import { looks, makeObjects, openPlace, placesOf, repositoryFiles, signInOn } from './places.mjs';
import { makePerson, visitor } from './visitor';

const { api } = system();

/** Beyond what is promised, because the pages satisfy it: WCAG 2.2 AA and the good practice of axe. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations of the rules on a page, one line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (tags) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'],
      }),
    rules,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** How many pixels a page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('pages for everybody', () => {
  it('no page of any kind violates WCAG 2.1 AA, and all of them fit on a phone', async () => {
    const places = placesOf(await makeObjects(api, makeRemote(repositoryFiles())));
    const [guest, user] = [await visitor(), await visitor()];
    await signInOn(user.page, await makePerson({ superuser: true }));
    const found: Record<string, unknown> = {};
    for (const place of places) {
      const { page } = place.signedIn ? user : guest;
      await openPlace(page, place);
      await page.evaluate(axeSource);
      // Folded forms are a part of the page.
      await page.evaluate(() => document.querySelectorAll('details').forEach((element) => (element.open = true)));
      for (const { look, colorScheme, viewport } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const wrong: unknown[] = await violations(page);
        const wider = await overflow(page);
        if (wider > 0) wrong.push(`${wider} pixels wider than the window`);
        if (wrong.length > 0) found[`${place.name}, ${look}`] = wrong;
      }
    }
    expect(found).toEqual({});
    expect([...guest.problems, ...user.problems]).toEqual([]);
    await Promise.all([guest.close(), user.close()]);
  }, 180_000);
});
