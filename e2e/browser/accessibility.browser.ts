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
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What depends on colours and on the size of the window; the other rules read the document, which is the same in every look. */
const rulesOf: Record<string, object> = {
  light: { type: 'tag', values: tags },
  dark: { type: 'rule', values: ['color-contrast'] },
  phone: { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] },
};

/** Violations of the rules on a page, one line each. */
async function violations(page: Page, runOnly: object): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (options) => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    { runOnly, resultTypes: ['violations'], elementRef: false },
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
        // Colours are compared, so they must not be on their way from one look to the next.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(viewport);
        const wrong: unknown[] = await violations(page, rulesOf[look]!);
        const wider = await overflow(page);
        if (wider > 0) wrong.push(`${wider} pixels wider than the window`);
        if (wrong.length > 0) found[`${place.name}, ${look}`] = wrong;
      }
    }
    expect(found).toEqual({});
    expect([...guest.problems, ...user.problems]).toEqual([]);
    await Promise.all([guest.close(), user.close()]);
  }, 600_000);
});
