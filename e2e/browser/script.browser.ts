// The script of pages: what it adds, and that no other script runs.
import { visitor } from './visitor';

const PATH = '/api/projects/';

describe('the script of pages', () => {
  it('a button copies a command', async () => {
    const { page, problems, close } = await visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(PATH);
    const block = page.locator('.copied').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByText('Copied').waitFor();
    const command = (await block.locator('pre').innerText()).trim();
    expect(command).toContain(`curl -H "Authorization: Token $TOKEN"`);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    expect(problems).toEqual([]);
    await close();
  });

  it('tabs show one of the two forms of a request; without scripts, both are there', async () => {
    const { page, problems, close } = await visitor();
    await page.goto(PATH);
    await page.locator('summary', { hasText: 'POST' }).click();
    const [fields, json] = [page.locator('#post-name'), page.locator('#post-json')];
    const shown = async () => [await fields.isVisible(), await json.isVisible()];
    expect(await shown()).toEqual([true, false]);
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(await shown()).toEqual([false, true]);
    await page.keyboard.press('ArrowLeft');
    expect(await shown()).toEqual([true, false]);
    expect(await page.getByRole('tab', { name: 'Fields' }).getAttribute('aria-selected')).toBe('true');
    expect(problems).toEqual([]);
    await close();

    const plain = await visitor({ javaScriptEnabled: false });
    await plain.page.goto(PATH);
    await plain.page.locator('summary', { hasText: 'POST' }).click();
    expect(await plain.page.locator('#post-name').isVisible()).toBe(true);
    expect(await plain.page.locator('#post-json').isVisible()).toBe(true);
    expect(await plain.page.locator('.copy, .tabs').count()).toBe(0);
    await plain.close();
  });

  it.each([
    ['of the markup', { textContent: 'window.hasRun = true' }],
    ['of this site', { src: '/api/?format=json' }],
  ])('no other script %s runs', async (_, properties) => {
    const { page, problems, close } = await visitor();
    await page.goto(PATH);
    const blocked = await page.evaluate(
      (added) =>
        new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
          document.head.append(Object.assign(document.createElement('script'), added));
        }),
      properties,
    );
    expect(blocked).toBe('script-src-elem');
    expect(await page.evaluate(() => 'hasRun' in window)).toBe(false);
    expect(problems).toEqual([expect.stringContaining('Content Security Policy')]);
    await close();
  });
});
